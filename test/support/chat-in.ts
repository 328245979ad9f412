import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { operator } from '../../src/identity/users/authority.ts';
import { changeChat } from '../../src/operations/chat-in/settings.ts';
import type { Sender } from '../../src/webhooks/http/sender.ts';
import { makeTestSender, testCipher } from './sender.ts';
import { engines } from './store.ts';
import { makeTestWeb, type TestWeb, type WebVisitor } from './web.ts';

export const SIGNING_SECRET = '8f742231b10e8888abcd99yyyzzz85a5'.replace(/[yz]/g, 'e');
const keys = generateKeyPairSync('ed25519');
export const PUBLIC_KEY = Buffer.from(keys.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');

/** How a request is sent otherwise than its chat does. */
type Otherwise = { headers?: Record<string, string>; seconds?: number; signed?: string };

/** A board that takes requests of both chats. */
export type ChatIn = TestWeb & {
  /** What was posted to Slack. */
  posted: { url: string; body: SlackAnswer }[];
  /** Sends a slash command, or the JSON of an interaction. */
  slack(form: Record<string, string | object>, otherwise?: Otherwise): Promise<Response>;
  /** Sends an event, as JSON. */
  event(body: object, otherwise?: Otherwise): Promise<Response>;
  discord(interaction: object, otherwise?: Otherwise): Promise<Response>;
  /** Connects the person to whom the answer was given with a visitor. */
  connect(visitor: WebVisitor, answer: unknown): Promise<void>;
};

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
type Response = { status: number; body: any };
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
type SlackAnswer = any;

/** A test of a board that takes requests of chats, on both engines. */
export function testChats(name: string, work: (chats: ChatIn) => Promise<void>): void {
  for (const engine of engines) {
    test(`${name} [${engine}]`, async (t) => {
      const posted: ChatIn['posted'] = [];
      const own = makeTestSender();
      // What goes to Slack itself is kept here.
      const dial: Sender['dial'] = async (request, signal) => {
        if (!request.url.startsWith('https://hooks.slack.com/')) return own.dial(request, signal);
        posted.push({ url: request.url, body: JSON.parse(Buffer.from(request.body ?? []).toString()) });
        const timings = { dns: null, connect: null, tls: null, firstByte: null, total: 0 };
        return { timings, answer: { status: 200, headers: [], body: new Uint8Array(), isCut: false } };
      };
      const web = await makeTestWeb(t, engine, { sender: { ...own, dial } });
      const context = { db: web.db, clock: web.clock, board: web.board, baseUrl: 'http://board.test', actor: operator };
      await changeChat(context, testCipher, 'SLACK', SIGNING_SECRET);
      await changeChat(context, testCipher, 'DISCORD', PUBLIC_KEY);
      const send = async (chat: string, body: string, headers: Record<string, string>): Promise<Response> => {
        const url = `/api/v1/chat/acme/${chat}`;
        const response = await web.app.inject({ method: 'POST', url, headers, payload: body });
        return { status: response.statusCode, body: response.payload && JSON.parse(response.payload) };
      };
      await work({
        ...web,
        posted,
        slack(form, { headers = {}, seconds = web.clock.now() / 1_000, signed } = {}) {
          const texts = Object.entries(form).map(([key, value]) => [
            key,
            typeof value === 'string' ? value : JSON.stringify(value),
          ]);
          const body = new URLSearchParams(texts).toString();
          return send('slack', body, {
            'content-type': 'application/x-www-form-urlencoded',
            'x-slack-request-timestamp': String(seconds),
            'x-slack-signature': signOfSlack(seconds, signed ?? body),
            ...headers,
          });
        },
        event(event, { headers = {}, seconds = web.clock.now() / 1_000, signed } = {}) {
          const body = JSON.stringify(event);
          return send('slack', body, {
            'content-type': 'application/json',
            'x-slack-request-timestamp': String(seconds),
            'x-slack-signature': signOfSlack(seconds, signed ?? body),
            ...headers,
          });
        },
        discord(interaction, { headers = {}, seconds = web.clock.now() / 1_000, signed } = {}) {
          const body = JSON.stringify(interaction);
          const signature = sign(null, Buffer.from(`${seconds}${signed ?? body}`), keys.privateKey);
          return send('discord', body, {
            'content-type': 'application/json',
            'x-signature-timestamp': String(seconds),
            'x-signature-ed25519': signature.toString('hex'),
            ...headers,
          });
        },
        async connect(visitor, answer) {
          assert.equal((await visitor.post(linkIn(answer), {})).statusCode, 302);
        },
      });
    });
  }
}

/** The signature of a request of Slack. */
export function signOfSlack(seconds: number, body: string): string {
  return `v0=${createHmac('sha256', SIGNING_SECRET).update(`v0:${seconds}:${body}`).digest('hex')}`;
}

/** The path of the link to connect in an answer. */
export function linkIn(answer: unknown): string {
  return /http:\/\/board\.test(\/b\/acme\/chat\/[\w.-]+)/.exec(JSON.stringify(answer))?.[1] ?? assert.fail('no link');
}

/** The buttons of an answer, by their labels. */
export function buttonsOf(answer: unknown): Record<string, string> {
  const found: Record<string, string> = {};
  JSON.stringify(answer, (_, value) => {
    if (value?.type === 'button') found[value.text.text] = value.value;
    if (value?.type === 2) found[value.label] = value.custom_id;
    return value;
  });
  return found;
}
