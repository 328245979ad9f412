import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { importAll, importedIdea } from '../../../test/support/import-ideas.ts';
import type { ImportItem } from './items.ts';
import { describeLastImport } from './past-imports.ts';
import { undoImport } from './undo.ts';

/** More than are removed in one transaction. */
const IDEAS = 60;

async function importIdeas(app: TestApp, onProgress: (items: number) => unknown = () => {}) {
  const { db, clock, board } = app;
  const ideas = Array.from({ length: IDEAS }, (_, n) =>
    importedIdea({ id: String(n), line: n, dateCreated: clock.now() }),
  );
  await importAll(app, ideas, { onProgress });
  clock.advance(1_000);
  return { db, clock, board, baseUrl: 'http://board.test' };
}

testBoth('an idea that people take part in while its import is undone stays, with what they wrote', async (app) => {
  const context = await importIdeas(app);
  const last = (await titlesOf(app)).slice(-2);
  const undoing = undoImport(context, async (removed) => {
    if (removed === 50) await takePart(app, last);
  });
  await assert.rejects(undoing, {
    message: 'Ideas removed: 58. Ideas left, because they have been commented on or voted on since: 2',
  });
  assert.deepEqual(await titlesOf(app), last);
  const { posts } = await app.ask('{ posts(sort: OLDEST) { nodes { upvoteCount comments { nodes { text } } } } }');
  assert.deepEqual(posts.nodes, [
    { upvoteCount: 0, comments: { nodes: [{ text: 'Please do' }] } },
    { upvoteCount: 1, comments: { nodes: [] } },
  ]);
});

testBoth('what people do before an interrupted undo is continued is not removed', async (app) => {
  const context = await importIdeas(app);
  await assert.rejects(
    undoImport(context, () => {
      throw new Error('The process ends');
    }),
    /process ends/,
  );
  app.clock.advance(86_400_000);
  const last = (await titlesOf(app)).slice(-2);
  await takePart(app, last);
  await assert.rejects(undoImport(context), /^Error: Ideas removed: 8\. Ideas left, .*: 2$/);
  assert.deepEqual(await titlesOf(app), last);
});

testBoth('an import is not undone with what people did on its first ideas while it was running', async (app) => {
  const voted = ['Idea 0', 'Idea 1', 'Idea 2'];
  const context = await importIdeas(app, async (items) => {
    app.clock.advance(1_000);
    if (items > 50) return;
    await takePart(app, voted);
    const { posts } = await app.ask('{ posts(limit: 60, sort: OLDEST) { nodes { id title } } }');
    const id = posts.nodes.find(({ title }: { title: string }) => title === 'Idea 2').id;
    await app.ask('mutation($id: String!) { changePostStatus(postId: $id, statusType: COMPLETED) { id } }', { id });
    app.clock.advance(1_000);
  });
  const last = await describeLastImport(context);
  assert.deepEqual([last?.posts, last?.changed], [IDEAS, 3]);
  await assert.rejects(undoImport(context), {
    message: 'Nothing was undone. Ideas changed, commented on or voted on since: 3',
  });
  assert.equal((await titlesOf(app)).length, IDEAS);
});

/** Imports ideas of their own, and comments on and votes for ideas that were there before. */
async function importMore(app: TestApp, ids: readonly string[], onto: readonly string[] = []) {
  const at = { line: 1, dateCreated: app.clock.now() };
  const voteOn = (postId: string): ImportItem => ({ kind: 'vote', ...at, postId, voter: { email: 'ana@example.com' } });
  const report = await importAll(app, [...ids.map((id) => importedIdea({ id })), ...onto.map(voteOn)]);
  app.clock.advance(1_000);
  return report;
}

testBoth('undoing takes back the last import alone, also when an earlier one was of the same kind', async (app) => {
  const context = await importIdeas(app);
  await importMore(app, ['more', 'and more'], ['more']);
  const { posts, runs } = (await describeLastImport(context)) ?? assert.fail('no import');
  assert.deepEqual({ posts, runs }, { posts: 2, runs: 1 });
  // What is done with the ideas of an earlier import does not keep it.
  await takePart(app, ['Idea 58', 'Idea 59']);
  assert.equal((await undoImport(context)).posts, 2);
  assert.equal((await titlesOf(app)).length, IDEAS);
  assert.deepEqual((await describeLastImport(context))?.changed, 2);
});

testBoth(
  'an import that added votes on ideas of an earlier one is undone with it, and those in between',
  async (app) => {
    const context = await importIdeas(app);
    await importMore(app, ['between']);
    await importMore(app, ['more'], ['7', '3', 'between']);
    const { posts, changed, runs } = (await describeLastImport(context)) ?? assert.fail('no import');
    assert.deepEqual({ posts, changed, runs }, { posts: IDEAS + 2, changed: 0, runs: 3 });
    assert.equal((await undoImport(context)).posts, IDEAS + 2);
    assert.deepEqual(await titlesOf(app), []);
    assert.equal(await describeLastImport(context), null);
  },
);

testBoth('an import stays one of its own if the ideas it added votes to can no longer be taken back', async (app) => {
  const context = await importIdeas(app);
  const { posts } = await app.ask('{ posts(limit: 1, sort: OLDEST) { nodes { id } } }');
  await app.api.updatePost({ id: posts.nodes[0].id, title: 'Better' });
  app.clock.advance(1_000);
  await importMore(app, ['more'], ['7']);
  const last = await describeLastImport(context);
  assert.deepEqual([last?.posts, last?.changed, last?.runs], [1, 0, 1]);
});

testBoth('an import that was interrupted goes on as the same one', async (app) => {
  const { clock } = app;
  const ideas = Array.from({ length: IDEAS }, (_, n) => importedIdea({ id: String(n), dateCreated: clock.now() }));
  const ending = importAll(app, ideas, { onProgress: () => assert.fail('the process ends') });
  await assert.rejects(ending, /process ends/);
  const added = (await titlesOf(app)).length;
  assert.ok(added > 0 && added < IDEAS, String(added));
  const context = await importIdeas(app);
  const last = await describeLastImport(context);
  assert.deepEqual([last?.posts, last?.runs], [IDEAS, 1]);
});

/** A member comments on an idea and votes for another. */
async function takePart(app: TestApp, [commented = '', liked = '']: string[]): Promise<void> {
  await app.makeUser('mel');
  const posts = await app.api.posts({ limit: 60, sort: 'NEWEST' }, { nodes: { id: true, title: true } });
  const idOf = (title: string) => posts.nodes.find((post) => post.title === title)?.id;
  await app.api.as('mel').createComment({ postId: idOf(commented) ?? '', text: 'Please do' });
  await app.api.as('mel').upvotePost({ postId: idOf(liked) ?? '' });
}

async function titlesOf({ db }: TestApp): Promise<string[]> {
  const posts = await db.read.selectFrom('posts').select('title').orderBy('id').execute();
  return posts.map(({ title }) => title);
}

testBoth('an import of votes is the last one, and says what its undoing leaves', async (app) => {
  const context = await importIdeas(app);
  await importAll(app, [importedIdea({ id: 'other' })], { origin: 'other.csv' });
  app.clock.advance(1_000);
  await importMore(app, [], ['7']);
  // The votes and the ideas that they are on are undone together, whatever was imported in between.
  assert.deepEqual((await describeLastImport(context))?.posts, IDEAS + 1);
  await takePart(app, ['Idea 58', 'Idea 59']);
  app.clock.advance(1_000);
  await importMore(app, [], ['8']);
  const last = await describeLastImport(context);
  assert.deepEqual([last?.posts, last?.leaves], [0, true]);
});

testBoth('an import that was interrupted is not continued by another file', async (app) => {
  const { clock } = app;
  const ideas = Array.from({ length: IDEAS }, (_, n) => importedIdea({ id: String(n), dateCreated: clock.now() }));
  const ending = importAll(app, ideas, { origin: 'a.csv', onProgress: () => assert.fail('the process ends') });
  await assert.rejects(ending, /process ends/);
  clock.advance(1_000);
  await importAll(app, [importedIdea({ id: 'other' })], { origin: 'b.csv' });
  const context = { db: app.db, clock, board: app.board, baseUrl: 'http://board.test' };
  assert.deepEqual((await describeLastImport(context))?.posts, 1);
});
