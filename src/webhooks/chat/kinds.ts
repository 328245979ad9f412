import type { EventType } from '../../feedback/event-log/event-types.ts';

/** What owners choose that a webhook sends: events as JSON to a program, or messages in the form of a chat. */
export const chosenKinds = ['PLAIN', 'SLACK', 'DISCORD', 'TEAMS'] as const;
/** All kinds. A REST hook gets events, too: a flow, which can answer no challenge, has subscribed it with a key. */
export const webhookKinds = [...chosenKinds, 'REST_HOOK'] as const;
export type WebhookKind = (typeof webhookKinds)[number];
export type ChatKind = Exclude<WebhookKind, 'PLAIN' | 'REST_HOOK'>;

/**
 * The events that chats can be sent. Not what takes something back: a message cannot be withdrawn, and would repeat
 * what was removed.
 */
export const chatEvents = [
  'post.created',
  'post.status.updated',
  'post.tags.updated',
  'comment.created',
  'changelog.published',
] as const satisfies readonly EventType[];
export type ChatEvent = (typeof chatEvents)[number];

/** Whether messages are sent. */
export function isChat(kind: WebhookKind): kind is ChatKind {
  return kind !== 'PLAIN' && kind !== 'REST_HOOK';
}

/** Whether the URL is a secret: everyone who knows it can send there. */
export function hasSecretUrl(kind: WebhookKind): boolean {
  return kind !== 'PLAIN';
}

/**
 * The kind that a URL looks like. It is only a guess: Mattermost and Rocket.Chat, for example, take the form of Slack at
 * any host, as Discord does at paths that end with `/slack`.
 */
export function guessKind(url: string): WebhookKind {
  const { hostname = '', pathname = '' } = URL.parse(url) ?? {};
  const isAt = (...domains: string[]) =>
    domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
  if (isAt('hooks.slack.com', 'hooks.slack-gov.com')) return 'SLACK';
  if (isAt('discord.com', 'discordapp.com') && pathname.startsWith('/api/')) {
    return pathname.endsWith('/slack') ? 'SLACK' : 'DISCORD';
  }
  return isAt('logic.azure.com', 'api.powerplatform.com', 'webhook.office.com') ? 'TEAMS' : 'PLAIN';
}

const SHOWN_CHARACTERS = 4;
const LEAST_HIDDEN = 12;

/** The URL of a chat as it may be shown: everyone who knows all of it can post there. Its end tells it from others. */
export function maskUrl(url: string): string {
  const { origin } = new URL(url);
  const secret = url.slice(origin.length + 1);
  const end = secret.length >= SHOWN_CHARACTERS + LEAST_HIDDEN ? secret.slice(-SHOWN_CHARACTERS) : '';
  return `${origin}/***${/^\w*$/.test(end) ? end : ''}`;
}

/** What a chat might repeat of its URL in a response, to be redacted there. */
export function secretsInUrl(url: string): string[] {
  const { pathname, search } = new URL(url);
  const values = [...pathname.split('/'), ...new URL(url).searchParams.values()].filter((part) => part.length >= 16);
  return [url, pathname + search, ...values].filter((text) => text !== '/');
}
