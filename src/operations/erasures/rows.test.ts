import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { testBoth } from '../../../test/support/app.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { findKeys, ROWS_PER_CHANGE, ROWS_PER_LOOK } from './rows.ts';

testBoth('rows are found part by part, each once and some at a time, however many there are', async (app) => {
  for (const count of [0, 1, ROWS_PER_LOOK - 1, ROWS_PER_LOOK, ROWS_PER_LOOK + 1]) {
    const { id: boardId } = await app.makeBoard();
    const postIds = Array.from({ length: count }, () => makeId());
    for (let n = 0; n < count; n += 1_000) {
      const rows = postIds.slice(n, n + 1_000).map((postId, i) => ({
        board_id: boardId,
        post_id: postId,
        user_id: i % 2 === 0 ? 'even' : 'odd',
        date_created: 0,
        merged_from: null,
      }));
      await app.db.transaction((tx) => tx.insertInto('subscriptions').values(rows).execute());
    }
    const find = async (user: string) => {
      const found: string[] = [];
      const table = { table: 'subscriptions', key: 'post_id' };
      app.takeStatements();
      for await (const keys of findKeys<string>(app.db, boardId, table, sql`user_id = ${user}`)) {
        assert.ok(keys.length <= ROWS_PER_CHANGE);
        found.push(...keys);
      }
      return found;
    };
    assert.deepEqual(
      await find('even'),
      postIds.filter((_, n) => n % 2 === 0),
      `${count} rows`,
    );
    assert.deepEqual(await find('nobody'), []);
    assert.equal(app.takeStatements().length, count < ROWS_PER_LOOK ? 2 : 4);
  }
});
