import { escapeJson } from '../../events/events.ts';
import { forgetMentions } from '../../platform/texts/mentions.ts';
import type { Traces } from './erasures.ts';

/** The bytes of an event, without the user: `user` objects with this id become null, and texts name them no longer. */
export function redactEvent(body: string, userId: string): string {
  return escapeJson(
    JSON.parse(body, (_, value) => {
      if (typeof value === 'string') return forgetMentions(value, userId);
      return isObject(value) && value.id === userId ? null : value;
    }),
  );
}

/** The bytes of an event about a comment that was deleted with its author: as it was, without the text. */
export function redactComment(body: string): string {
  const event = JSON.parse(body);
  if (isObject(event.data?.comment)) event.data.comment.text = '';
  return escapeJson(event);
}

/** A stored response, with null where it repeats data of the user. */
export function redactAnswer(answer: string, { texts, attributes }: Traces): string {
  const stored = JSON.parse(answer);
  const isTrace = (value: unknown) =>
    typeof value === 'string' ? texts.includes(value) : isObject(value) && JSON.stringify(value) === attributes;
  stored.body = JSON.stringify(JSON.parse(stored.body, (_, value) => (isTrace(value) ? null : value)));
  return JSON.stringify(stored);
}

/** How a stored response repeats a text: as JSON within JSON. */
export function formsInAnswer({ texts, attributes }: Traces): string[] {
  const inner = [...texts.map((text) => JSON.stringify(text)), ...(attributes === null ? [] : [attributes])];
  return inner.map((text) => JSON.stringify(text).slice(1, -1));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
