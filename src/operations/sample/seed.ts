import { findEntry } from '../../feedback/changelog/entries.ts';
import { republishEntry } from '../../feedback/changelog/publishing.ts';
import { createEntry } from '../../feedback/changelog/writing.ts';
import { createComment } from '../../feedback/comments/writing.ts';
import { createPost } from '../../feedback/lifecycle/creating.ts';
import { restorePost } from '../../feedback/lifecycle/deleting.ts';
import { listStatuses, type StatusRow } from '../../feedback/statuses/statuses.ts';
import { vote } from '../../feedback/votes/votes.ts';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import { createUser, type UserRow } from '../../identity/users/users.ts';
import { withinTransaction } from '../../platform/db/db.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { findSamples, sampleEntryId } from './removing.ts';
import { makeSamplePost, type Stage, sampleEntries, samplePeople } from './sample.ts';

const YEAR_MS = 365 * DAY_MS;
/** A changelog has an entry every other week. */
const ENTRIES_APART_MS = 14 * DAY_MS;

/**
 * Adds the first `posts` sample posts with their users, and changelog entries, skipping existing ones.
 * @returns how many posts it added
 */
export async function seedBoard(
  context: RequestContext,
  posts: number,
  progress: (done: number, all: number) => void = () => {},
): Promise<number> {
  const actor = await createUser(
    context,
    { ssoType: 'SAMPLE', ssoId: 'seed' },
    { name: 'Sample data', isApiUser: true },
  );
  const statuses = await listStatuses(context.db.read, context.board.id);
  const people: UserRow[] = [];
  for (const [n, name] of samplePeople.entries()) {
    people.push(await createUser(context, { ssoType: 'SAMPLE', ssoId: String(n) }, { name }));
  }
  let added = 0;
  for (let n = 0; n < posts; n++) {
    const isNew = await context.db.transaction((tx) =>
      addPost({ ...context, actor, db: withinTransaction(context.db, tx) }, n, { people, statuses }),
    );
    if (isNew) added++;
    progress(n + 1, posts);
  }
  await addEntries(asModerator({ ...context, actor }));
  return added;
}

/** Sample data has entries and statuses, which the team decides on. */
function asModerator(context: ActorContext): ActorContext {
  return { ...context, actor: { ...context.actor, role: 'MODERATOR' } };
}

/** Adds the entries of the changelog, as far as they are not there yet. Their ids are derived, so they are found again. */
async function addEntries(context: ActorContext): Promise<void> {
  for (const [n, { posts, ...entry }] of sampleEntries.entries()) {
    const id = sampleEntryId(context.board.id, n);
    if (await findEntry(context, id)) continue;
    await createEntry(context, { ...entry, id, postIds: (await findSamples(context, posts)).map((post) => post.id) });
    await republishEntry(context, id, context.clock.now() - (sampleEntries.length - n) * ENTRIES_APART_MS);
  }
}

/** What sample posts refer to. */
type Found = { people: readonly UserRow[]; statuses: readonly StatusRow[] };

/** The status at a stage; none for new posts, or if the board no longer has it. */
function statusAt(statuses: readonly StatusRow[], stage: Stage): StatusRow | undefined {
  if (stage === 'COMPLETED') return statuses.find(({ type }) => type === 'COMPLETED');
  return stage === null ? undefined : statuses.filter(({ type }) => type === 'CUSTOM')[stage];
}

/** Adds the nth sample post with its votes and comments, or brings it back; false if it exists already. */
async function addPost(context: ActorContext, n: number, { people, statuses }: Found): Promise<boolean> {
  const [removed] = await findSamples(context, [n], { areDeleted: true });
  if (removed) await restorePost(asModerator(context), removed.id);
  if (removed) return true;
  const before = makeId();
  const sample = makeSamplePost(n);
  const personRef = (index: number) => ({ id: people[index]?.id });
  const post = await createPost(asModerator(context), {
    title: sample.title,
    comment: sample.text,
    statusId: statusAt(statuses, sample.stage)?.id,
    author: personRef(sample.author),
    dateCreated: context.clock.now() - Math.floor(sample.age * YEAR_MS),
    externalId: `sample-${n}`,
    isSample: true,
  });
  if (post.id < before) return false; // ids grow with time, so this one existed before
  for (const voter of sample.voters) await vote(context, post.id, 'UP', personRef(voter));
  for (const comment of sample.comments) {
    await createComment(context, post.id, { text: comment.text, author: personRef(comment.author) });
  }
  return true;
}
