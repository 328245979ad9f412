import type { Any } from '../operation.ts';
import {
  byDate,
  COMMENT_FIELDS,
  known,
  showComment,
  showEvents,
  showVotes,
  VOTE_FIELDS,
  visibleComments,
} from '../showing.ts';
import type { Comment, Person, World } from '../world.ts';
import { type Ask, readAll, readEvents, same, sorted } from './reading.ts';

/** Comments, votes and events. */
export async function observeConversation(world: World, viewer: Person, ask: Ask): Promise<void> {
  const comments = await readAll(ask, 'comments', 'limit: 100', COMMENT_FIELDS);
  const expected = visibleComments(world, viewer);
  learnIds(expected, comments);
  same(
    comments.map((comment: Any) => withoutWordsOfTheService(expected, comment)),
    byDate(expected).map((comment) => showComment(viewer, comment)),
    'comments',
  );
  const since = world.now() - 3_600_000;
  const args = `since: "${new Date(since).toISOString()}", limit: 100`;
  const changed = expected.filter((comment) => comment.changed >= since);
  same(
    await readAll(ask, 'comments', args, 'id'),
    byDate(changed, 'changed').map(({ id }) => ({ id })),
    'comments since an hour',
  );
  const votes = await readAll(ask, 'votes', 'limit: 100', VOTE_FIELDS);
  const dates = votes.map(({ dateCreated }: Any) => dateCreated);
  same(dates, dates.toSorted(), 'the order of votes');
  same(sorted(votes), sorted(showVotes(world, viewer)), 'votes');
  const recent = votes.filter(({ dateCreated }: Any) => Date.parse(dateCreated) >= since);
  same(await readAll(ask, 'votes', args, VOTE_FIELDS), recent, 'votes since an hour');
  const events = await readEvents(ask);
  same(events, showEvents(world, viewer), 'events');
}

/** Gives the comments that the service wrote the ids that they turn out to have. */
function learnIds(expected: readonly Comment[], found: readonly Any[]): void {
  const taken = new Set(expected.map(({ id }) => id));
  for (const comment of expected.filter(({ id }) => id === '')) {
    const { type, post, created, author } = comment;
    const match = found.find(
      (other) =>
        !taken.has(other.id) &&
        other.type === type &&
        other.post.id === post.id &&
        Date.parse(other.dateCreated) === created &&
        other.user?.ssoId === known(author)?.ssoId,
    );
    if (!match) continue;
    comment.id = match.id;
    taken.add(match.id);
  }
}

function withoutWordsOfTheService(expected: readonly Comment[], found: Any) {
  const comment = expected.find(({ id }) => id === found.id);
  return comment?.text === null ? { ...found, text: null } : found;
}
