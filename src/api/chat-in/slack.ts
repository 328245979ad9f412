import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { ChatAnswer, ChatPerson, Choice } from '../../operations/chat-in/forms.ts';
import { translate } from '../../platform/catalogues.ts';
import type { LocalizedMessage } from '../../platform/messages.ts';
import { fit } from '../../webhooks/chat/fit.ts';
import { escapeText } from '../../webhooks/chat/slack.ts';
import type { ChatProduct, Parsed, Reply } from './product.ts';
import { parseEvent } from './slack-events.ts';
import { domain, id, name, parse, parseJson, personOf, plainOf, threadOf, ts } from './slack-forms.ts';

/** Maximum lengths that Slack takes, in UTF-16 units: a text has 3,000, a button 75, and a URL is added to a title. */
const MAX = { text: 2_000, title: 400, button: 75 } as const;

const BRACKET = 0x7b;

/** The only host that answers are posted to, and what its paths begin with. */
const ANSWERS = /^https:\/\/hooks\.slack\.com\/[\w/%.-]{1,500}$/;

const unique = z.string().min(1).max(500);
const url = z.string().regex(ANSWERS);

/** See https://docs.slack.dev/interactivity/implementing-slash-commands */
const COMMAND = z.object({
  team_id: id,
  team_domain: domain,
  user_id: id,
  user_name: name,
  text: z.string().max(50_000).default(''),
  trigger_id: unique,
});

const common = {
  team: z.object({ id, domain }),
  user: z.object({ id, name: name.optional(), username: name.optional() }),
  trigger_id: unique,
  response_url: url,
};

/** See https://docs.slack.dev/reference/interaction-payloads */
const PAYLOAD = z.discriminatedUnion('type', [
  z.object({
    ...common,
    type: z.literal('message_action'),
    channel: z.object({ id }),
    message: z.object({
      ts,
      user: id.optional(),
      bot_id: id.optional(),
      username: name.optional(),
      user_profile: z.object({ display_name: name, real_name: name }).partial().optional(),
      thread_ts: ts.optional(),
      text: z.string().max(100_000).default(''),
    }),
  }),
  z.object({
    ...common,
    type: z.literal('block_actions'),
    actions: z.array(z.object({ value: z.string().max(200).optional() })).min(1),
  }),
]);

type Payload = z.infer<typeof PAYLOAD>;

/** Slack: `/idea`, a shortcut on messages, and the buttons of the answers. */
export const slack: ChatProduct = {
  chat: 'SLACK',
  /** See https://docs.slack.dev/authentication/verifying-requests-from-slack */
  verify(headers, body, secret) {
    const seconds = String(headers['x-slack-request-timestamp'] ?? '');
    const made = `v0=${createHmac('sha256', secret).update(`v0:${seconds}:`).update(body).digest('hex')}`;
    return { seconds, isSigned: isSame(String(headers['x-slack-signature'] ?? ''), made) };
  },
  parse(body, dateSent) {
    // Commands and interactions are forms, whose brackets are encoded; events are JSON.
    if (body[0] === BRACKET) return parseEvent(body.toString());
    const form = new URLSearchParams(body.toString());
    if (form.get('ssl_check') === '1') return nothing;
    const payload = form.get('payload');
    return payload === null ? parseCommand(Object.fromEntries(form), dateSent) : parsePayload(payload, dateSent);
  },
};

const nothing: Parsed = { request: null, reply: { body: null } };

function parseCommand(form: Record<string, string>, dateSent: number): Parsed {
  const { team_id, team_domain, user_id, user_name, text, trigger_id } = parse(COMMAND, form);
  const from = personOf({ id: team_id, domain: team_domain }, user_id, user_name);
  return {
    request: { kind: 'command', id: trigger_id, dateSent, from, text: plainOf(text) },
    reply: (answer) => ({ body: write(answer) }),
  };
}

function parsePayload(text: string, dateSent: number): Parsed {
  const payload = parse(PAYLOAD, parseJson(text));
  const { team, user, trigger_id, response_url } = payload;
  const from = personOf(team, user.id, user.name ?? user.username ?? '');
  const reply = (answer: ChatAnswer): Reply => ({
    body: null,
    post: { url: response_url, body: { ...write(answer), replace_original: payload.type === 'block_actions' } },
  });
  const common = { id: trigger_id, dateSent, from };
  if (payload.type === 'message_action') return { request: { ...common, ...messageOf(payload, from) }, reply };
  const value = payload.actions[0]?.value;
  return value === undefined ? nothing : { request: { ...common, kind: 'choice', value }, reply };
}

function messageOf({ team, channel, message }: Extract<Payload, { type: 'message_action' }>, from: ChatPerson) {
  const { user, bot_id, username, user_profile: profile } = message;
  const authorId = user ?? bot_id ?? 'unknown';
  const named = authorId === from.id ? from.name : username || profile?.display_name || profile?.real_name || '';
  return {
    kind: 'message' as const,
    text: plainOf(message.text),
    author: personOf(team, authorId, named),
    permalink: `https://${team.domain}.slack.com/archives/${channel.id}/p${message.ts.replace('.', '')}`,
    // A reply has no thread of its own.
    thread: (message.thread_ts ?? message.ts) === message.ts ? threadOf(channel.id, message.ts) : null,
  };
}

/** An answer that only who asked sees. What users wrote stands in plain text, or escaped. */
function write({ language, text, ideas, choices, link }: ChatAnswer) {
  const say = ({ parts }: LocalizedMessage) => translate(language, parts);
  const button = ({ label, value }: Choice, n: number) => ({
    type: 'button',
    action_id: `choice-${n}`,
    text: { type: 'plain_text', text: fit(say(label), MAX.button, escapeText), emoji: false },
    value,
  });
  const linked = (url: string, label: string) => ({
    type: 'mrkdwn',
    text: `<${url}|${fit(label, MAX.title, escapeText)}>`,
  });
  const plain = fit(say(text), MAX.text, escapeText);
  return {
    response_type: 'ephemeral',
    text: plain,
    blocks: [
      { type: 'section', text: { type: 'plain_text', text: plain, emoji: false } },
      ...ideas.map(({ title, url, choice }, n) => ({
        type: 'section',
        text: linked(url, title),
        ...(choice && { accessory: button(choice, n) }),
      })),
      ...(choices.length > 0
        ? [{ type: 'actions', elements: choices.map((choice, n) => button(choice, ideas.length + n)) }]
        : []),
      ...(link ? [{ type: 'section', text: linked(link.url, say(link.label)) }] : []),
    ],
  };
}

/** In constant time, whatever the lengths. */
function isSame(given: string, made: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', made, 'buffer'));
}
