import { defineEvent } from '../../events/events.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { UserRow } from '../../identity/users/users.ts';
import { type EntryRow, entryUrl, labelsOf } from './entries.ts';

/** An entry as it is announced, with the public posts that it links, and who acted (null: Earshot). */
export type EntrySubject = {
  context: RequestContext;
  entry: EntryRow;
  postIds: readonly string[];
  user: UserRow | null;
};

export const changelogPublished = defineEvent('changelog.published', describeEntry);

export const changelogUnpublished = defineEvent('changelog.unpublished', describeEntry);

/** Posts only by their ids: erasing a post redacts only its own events. */
function describeEntry({ context, entry, postIds, user }: EntrySubject) {
  const { id, number, title, text } = entry;
  return {
    entry: {
      id,
      number,
      title,
      text,
      url: entryUrl(entry, context.board, context.baseUrl),
      labels: labelsOf(entry),
      posts: postIds.map((postId) => ({ id: postId })),
      user: user && { id: user.id, name: user.name },
    },
  };
}
