import * as z from 'zod';
import type { Parsed } from './product.ts';
import { id, name, parse, parseJson, personOf, plainOf, threadOf, ts } from './slack-forms.ts';

/**
 * Of an event, only what is needed here. See https://docs.slack.dev/apis/events-api and
 * https://docs.slack.dev/reference/events/url_verification
 */
const OUTER = z.discriminatedUnion('type', [
  z.object({ type: z.literal('url_verification'), challenge: z.string().min(1).max(1_000) }),
  z.object({ type: z.literal('event_callback'), team_id: id, event: z.unknown() }),
  // Slack sends less than it could, because there is too much.
  z.object({ type: z.literal('app_rate_limited') }),
]);

/**
 * A reply of a person. Edits, deletions, people who join, and most messages of programs have other subtypes; other messages
 * of programs, among them those of this app, have a `bot_id`. See https://docs.slack.dev/reference/events/message
 */
const REPLY = z.object({
  type: z.literal('message'),
  subtype: z.enum(['thread_broadcast', 'file_share']).optional(),
  hidden: z.literal(false).optional(),
  bot_id: z.undefined().optional(),
  bot_profile: z.undefined().optional(),
  channel: id,
  user: id,
  user_profile: z.object({ display_name: name, real_name: name }).partial().optional(),
  text: z.string().max(100_000),
  ts,
  thread_ts: ts,
});

/** An event of Slack: the check of the URL, a reply in a thread, or anything else, which is ignored. */
export function parseEvent(body: string): Parsed {
  const outer = parse(OUTER, parseJson(body));
  if (outer.type === 'url_verification') return { request: null, reply: { body: { challenge: outer.challenge } } };
  const { data: reply } = REPLY.safeParse(outer.type === 'event_callback' ? outer.event : null);
  if (outer.type !== 'event_callback' || !reply || reply.thread_ts === reply.ts) return nothing;
  const { display_name, real_name } = reply.user_profile ?? {};
  return {
    heard: {
      thread: threadOf(reply.channel, reply.thread_ts),
      id: reply.ts,
      dateSent: Math.floor(Number(reply.ts) * 1_000),
      author: personOf({ id: outer.team_id, domain: '' }, reply.user, display_name || real_name || ''),
      text: plainOf(reply.text),
    },
  };
}

const nothing: Parsed = { request: null, reply: { body: null } };
