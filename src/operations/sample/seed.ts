import { createComment } from '../../feedback/comments/writing.ts';
import { createPost } from '../../feedback/lifecycle/creating.ts';
import { vote } from '../../feedback/votes/votes.ts';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import { createUser, type UserRow } from '../../identity/users/users.ts';
import { withinTransaction } from '../../platform/db/db.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { makeSamplePost, samplePeople } from './sample.ts';

const YEAR_MS = 365 * DAY_MS;

/** Adds the first `posts` sample posts with their users, skipping existing ones; returns how many it added. */
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
  const people: UserRow[] = [];
  for (const [n, name] of samplePeople.entries()) {
    people.push(await createUser(context, { ssoType: 'SAMPLE', ssoId: String(n) }, { name }));
  }
  let added = 0;
  for (let n = 0; n < posts; n++) {
    const isNew = await context.db.transaction((tx) =>
      addPost({ ...context, actor, db: withinTransaction(context.db, tx) }, n, people),
    );
    if (isNew) added++;
    progress(n + 1, posts);
  }
  return added;
}

/** Adds the nth sample post with its votes and comments; false if it exists already. */
async function addPost(context: ActorContext, n: number, people: readonly UserRow[]): Promise<boolean> {
  const before = makeId();
  const sample = makeSamplePost(n);
  const personRef = (index: number) => ({ id: people[index]?.id });
  const post = await createPost(context, {
    title: sample.title,
    comment: sample.text,
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
