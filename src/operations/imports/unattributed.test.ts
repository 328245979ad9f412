import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { importAll, importedIdea } from '../../../test/support/import-ideas.ts';
import { makeFileFolder } from '../../feedback/files/folder.ts';
import { MAX_UNATTRIBUTED } from '../../feedback/votes/unattributed.ts';
import { findUserByEmail } from '../../identity/users/users.ts';
import { checkStore } from '../check/check.ts';
import type { ImportItem, Problem } from './items.ts';

const check = ({ db, dataDir }: TestApp) => checkStore({ db, folder: makeFileFolder(dataDir), secretKey: null });

const ideaOf = (id: string) => importedIdea({ id });
const voteOf = (postId: string, email: string, name?: string): ImportItem => {
  const voter = name === undefined ? { email } : { email, name };
  return { kind: 'vote', line: 1, postId, voter, dateCreated: null };
};
const countOf = (postId: string, count: number): ImportItem => ({ kind: 'voteCount', line: 7, postId, count });

const COUNTS = '{ posts(sort: OLDEST) { nodes { id upvoteCount unattributedUpvoteCount } } }';
async function countsOf(app: TestApp): Promise<[number, number][]> {
  const { posts } = await app.ask(COUNTS);
  return posts.nodes.map((post: { upvoteCount: number; unattributedUpvoteCount: number }) => [
    post.upvoteCount,
    post.unattributedUpvoteCount,
  ]);
}

testBoth('votes of which a source has only the number count, and are told apart from those of users', async (app) => {
  const items = [ideaOf('a'), voteOf('a', 'ana@example.com'), countOf('a', 40), ideaOf('b'), countOf('b', 2)];
  const plan = await importAll(app, items, { isPlan: true });
  assert.deepEqual([plan.votes.added, plan.voteCounts.added], [1, 42]);
  const first = await importAll(app, items);
  assert.deepEqual([first.votes.added, first.voteCounts.added], [1, 42]);
  assert.deepEqual(await countsOf(app), [
    [41, 40],
    [2, 2],
  ]);
  // Repeated, it adds nothing; a newer file may have more, or may name who voted.
  const again = await importAll(app, items);
  assert.deepEqual(
    [again.voteCounts, again.votes],
    [
      { added: 0, existing: 42 },
      { added: 0, existing: 1 },
    ],
  );
  await importAll(app, [ideaOf('a'), voteOf('a', 'bo@example.com'), countOf('a', 39), ideaOf('b'), countOf('b', 5)]);
  assert.deepEqual(await countsOf(app), [
    [41, 39],
    [5, 5],
  ]);
  const { posts } = await app.ask(COUNTS);
  const [a, b] = posts.nodes.map(({ id }: { id: string }) => id);
  await app.ask('mutation($id: String!) { upvotePost(postId: $id) { id } }', { id: b });
  await app.ask('mutation($a: String!, $b: String!) { mergePosts(sourceIds: [$b], targetId: $a) { id } }', { a, b });
  assert.deepEqual((await countsOf(app))[0], [47, 44]);
  assert.deepEqual(await check(app), []);
  await app.ask('mutation($b: String!) { unmergePost(id: $b) { id } }', { b });
  assert.deepEqual(await countsOf(app), [
    [41, 39],
    [6, 5],
  ]);
  assert.deepEqual(await check(app), []);
});

testBoth('a number of all votes is told apart from the names of some, in whichever import they come', async (app) => {
  const total = (count: number, postId = 'a'): ImportItem => {
    return { kind: 'voteCount', line: 1, postId, count, isTotal: true };
  };
  const named = [voteOf('a', 'ana@example.com'), voteOf('a', 'bo@example.com')];
  await importAll(app, [ideaOf('a'), total(40)]);
  assert.deepEqual(await countsOf(app), [[40, 40]]);
  await importAll(app, [ideaOf('a'), ...named, total(40)]);
  assert.deepEqual(await countsOf(app), [[40, 38]]);
  // Without the names again, as without the token of an API.
  await importAll(app, [ideaOf('a'), total(41)]);
  assert.deepEqual(await countsOf(app), [[41, 39]]);
  const another = [ideaOf('b'), voteOf('b', 'ana@example.com'), total(3, 'b')];
  const { voteCounts } = await importAll(app, another, { isPlan: true });
  assert.equal(voteCounts.added, 2);
});

testBoth('a number of votes that no board has costs the number, not the idea', async (app) => {
  const problems: Problem[] = [];
  const items = [ideaOf('a'), countOf('a', MAX_UNATTRIBUTED + 1)];
  const { posts, voteCounts } = await importAll(app, items, { onProblem: (problem) => problems.push(problem) });
  assert.deepEqual([posts.added, voteCounts.added], [1, 0]);
  assert.deepEqual(problems, [{ line: 7, message: 'The number of votes must be 0 to 1,000,000' }]);
});

testBoth('who came as a voter gets the name of a later row, and keeps the one they have', async (app) => {
  const named = async (email: string) => {
    const { db, board } = app;
    return (await findUserByEmail(db.read, board.id, email))?.name;
  };
  const author = importedIdea({ id: 'b', author: { email: 'ana@example.com', name: 'Ana' } });
  await importAll(app, [ideaOf('a'), voteOf('a', 'ana@example.com'), author]);
  assert.equal(await named('ana@example.com'), 'Ana');
  await importAll(app, [ideaOf('c'), voteOf('c', 'ana@example.com', 'Another'), voteOf('c', 'bo@example.com')]);
  assert.deepEqual([await named('ana@example.com'), await named('bo@example.com')], ['Ana', null]);
  // With the next import, too.
  await importAll(app, [ideaOf('d'), voteOf('d', 'bo@example.com', 'Bo')]);
  assert.equal(await named('bo@example.com'), 'Bo');
});

testBoth('votes that a later table names are taken off the number that the table of ideas had', async (app) => {
  const ideas = (count: number): ImportItem[] => [
    ideaOf('a'),
    { kind: 'voteCount', line: 1, postId: 'a', count, isTotal: true },
  ];
  const named = ['ana@example.com', 'bo@example.com'].map(
    (email) => ({ ...voteOf('a', email), isCounted: true }) as ImportItem,
  );
  await importAll(app, ideas(5));
  await importAll(app, named);
  assert.deepEqual(await countsOf(app), [[5, 3]]);
  // Both again, and with one more vote there.
  await importAll(app, ideas(6));
  await importAll(app, named);
  assert.deepEqual(await countsOf(app), [[6, 4]]);
  assert.deepEqual(await check(app), []);
});
