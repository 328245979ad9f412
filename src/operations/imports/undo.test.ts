import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { importAll, importedIdea } from '../../../test/support/import-ideas.ts';
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
