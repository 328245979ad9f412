import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import type { PostRow } from '../posts/posts.ts';
import { countTogether } from './merge-forecast.ts';
import { countVotesByWeek } from './trend.ts';
import { findNewestVoters } from './voters.ts';

testBoth('votes are counted by week, and their newest voters named', async (app) => {
  const id = await app.makePost('Post');
  const other = await app.makePost('Other');
  assert.deepEqual(await countVotesByWeek(contextOf(app), await read(app, id)), [0]);
  for (const [n, name] of ['amy', 'ben', 'cleo', 'dan'].entries()) {
    await app.api.createUser({ ssoType: 'SSO', ssoId: name, name });
    await app.api.as(name)[n === 1 ? 'downvotePost' : 'upvotePost']({ postId: id });
    await app.api.as(name).upvotePost({ postId: other });
    app.clock.advance(7 * DAY_MS);
  }
  assert.deepEqual(await countVotesByWeek(contextOf(app), await read(app, id)), [1, 0, 1, 1, 0]);
  const voters = await findNewestVoters(contextOf(app), await read(app, id), 2);
  assert.deepEqual(voters, [
    { name: 'dan', role: 'MEMBER', image: null },
    { name: 'cleo', role: 'MEMBER', image: null },
  ]);
  app.clock.advance(100 * 7 * DAY_MS);
  const later = await countVotesByWeek(contextOf(app), await read(app, id));
  assert.deepEqual(
    later,
    Array.from({ length: 14 }, () => 0),
  );
});

testBoth('what votes would be together is what they are after merging', async (app) => {
  const [id, source, third] = [await app.makePost('Post'), await app.makePost('Source'), await app.makePost('Third')];
  for (const name of ['amy', 'ben', 'cleo', 'dan']) await app.makeUser(name);
  for (const name of ['amy', 'ben', 'cleo']) await app.api.as(name).upvotePost({ postId: source });
  await app.api.as('dan').downvotePost({ postId: source });
  await app.api.as('amy').upvotePost({ postId: id });
  await app.api.as('ben').downvotePost({ postId: id });
  const posts = [await read(app, id), await read(app, third)];
  const counts = await countTogether(contextOf(app), await read(app, source), posts);
  assert.deepEqual([counts.get(id), counts.get(third)], [2, 3]);
  assert.equal((await app.api.mergePosts({ sourceIds: [source], targetId: id }, { upvoteCount: true })).upvoteCount, 2);
});

function contextOf({ db, clock, board }: TestApp) {
  return { db, clock, board, baseUrl: 'http://board.test' };
}

function read({ db }: TestApp, id: string): Promise<PostRow> {
  return db.read.selectFrom('posts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}
