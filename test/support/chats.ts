import assert from 'node:assert/strict';
import type { ChatKind } from '../../src/webhooks/chat/kinds.ts';
import type { WebhookConfig } from '../../src/webhooks/webhook/webhooks.ts';
import { requireMessage } from './chat-forms.ts';
import type { WebhookApp } from './webhooks.ts';

/** A webhook of a chat that has taken its first message. */
export async function makeChat(app: WebhookApp, kind: ChatKind, config: Partial<WebhookConfig> = {}) {
  const webhook = await app.makeWebhook({ signingSecret: null, kind, ...config });
  assert.equal(webhook.state, 'active');
  assert.equal(takeMessages(app, kind).length, 1);
  return webhook;
}

/** The messages that arrived, each in the form of its chat. */
export function takeMessages(app: WebhookApp, kind: ChatKind) {
  return app.takeEvents().map(({ request }) => requireMessage(kind, request.body));
}

/** The texts of messages to Slack, without the marks that isolate names. */
export const linesOf = (messages: readonly { text: string }[]) =>
  messages.map(({ text }) => text.replaceAll(/[\u2068\u2069]/g, ''));
