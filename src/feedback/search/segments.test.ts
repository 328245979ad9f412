import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { indexBoards } from './indexer.ts';
import { readIndex } from './segments.ts';

/** Marks a post as changed so many times. */
async function change({ db, board }: TestApp, postId: string, times: number): Promise<void> {
  await db.transaction(async (tx) => {
    await sql`
      insert into search_pending (board_id, search_id)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${sql.lit(times)})
      select s.board_id, s.id from post_search s, n where s.board_id = ${board.id} and s.post_id = ${postId}`.execute(
      tx,
    );
  });
}

testBoth('a search looks at the newest 10,000 changes that are in no segment', async (app) => {
  const { api, db, board, makePost } = app;
  const count = async () => (await api.posts({ search: 'zanzibar' }, { totalCount: true })).totalCount;
  await makePost('Zanzibar');
  const other = await makePost('Other');
  await change(app, other, 9_998);
  assert.equal(await count(), 1);
  await change(app, other, 1);
  assert.equal(await count(), 0);
  assert.equal((await readIndex(db.read, board.id)).pending.length, 1);
  await indexBoards(app);
  assert.equal(await count(), 1);
});
