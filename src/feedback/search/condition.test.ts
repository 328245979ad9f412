import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { makeTestApp } from '../../../test/support/app.ts';
import { isVisiblePost, viewerFilterOf } from '../visibility/posts.ts';
import { havingWords } from './condition.ts';

test('posts with rare words are looked up in the index, not by scanning the list [sqlite]', async (t) => {
  const { db, board, clock, makePost } = await makeTestApp(t, 'sqlite');
  await makePost('Dark mode');
  const condition = await havingWords({ db, board, clock, baseUrl: '' }, ['dark', 'mode']);
  for (const order of ['hot', 'upvotes', 'date_created']) {
    const { rows } = await sql<{ detail: string }>`
      explain query plan
      select * from posts
      where board_id = ${board.id} and ${isVisiblePost(viewerFilterOf(null, board.id))} and ${condition}
      order by ${sql.ref(order)} desc, id desc
      limit ${21}`.execute(db.read);
    assert.equal(rows[0]?.detail, 'SEARCH posts USING PRIMARY KEY (board_id=? AND id=?)', order);
  }
});
