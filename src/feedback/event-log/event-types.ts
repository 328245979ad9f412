import { badRequest } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { makeExcerpt } from '../../platform/texts/text.ts';
import * as ofChangelog from '../changelog/changelog.events.ts';
import * as ofComments from '../comments/comments.events.ts';
import * as ofPosts from '../lifecycle/posts.events.ts';

/** All event types; docs/webhooks.md describes the data of each. */
export const eventTypes = [...Object.values(ofPosts), ...Object.values(ofComments), ...Object.values(ofChangelog)].map(
  ({ type }) => type,
);
export type EventType = (typeof eventTypes)[number];

/** Event types from outside, in the order of the catalogue. @throws BAD_REQUEST naming one that does not exist */
export function requireEventTypes(names: readonly string[], field: string): EventType[] {
  const unknown = names.find((name) => !eventTypes.some((type) => type === name));
  if (unknown !== undefined) {
    const quoted = JSON.stringify(makeExcerpt(unknown, MAX_QUOTED));
    throw badRequest(msg('eventUnknown', quoted, eventTypes.join(', ')), field);
  }
  return eventTypes.filter((type) => names.includes(type));
}

/** Characters of an unknown name that an error repeats. */
const MAX_QUOTED = 50;
