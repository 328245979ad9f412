import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { makeTestApp } from '../../../test/support/app.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { findFilesOfComments } from '../../feedback/files/files.ts';
import { removeNotices } from '../../feedback/notices/notifications.ts';
import { listTeam } from '../../identity/team/members.ts';
import { findUserByEmail } from '../../identity/users/users.ts';
import { makeId } from '../lib/ids.ts';
import type { Db } from './db.ts';

/** How SQLite carries out these statements. It knows nothing of the rows, so an empty store tells as much as a full one. */
async function explain(db: Db, statements: Iterable<string>) {
  const [{ file }] = (await db.read.run<{ file: string }>('select file from pragma_database_list', [])) as [
    { file: string },
  ];
  const store = new DatabaseSync(file, { readOnly: true });
  const plans = [...new Set(statements)].map((sql) => {
    const steps = store.prepare(`explain query plan ${sql}`).all() as { detail: string }[];
    return steps.map(({ detail }) => detail).join('\n');
  });
  store.close();
  return plans.join('\n');
}

/** The plans of the statements that `work` runs on an empty store. */
async function plansOf(t: TestContext, work: (db: Db) => Promise<unknown>) {
  const statements: string[] = [];
  const db = await openTestStore(t, 'sqlite', (sql) => statements.push(sql));
  await work(db);
  return explain(db, statements);
}

test('lookups by a column other than the key use the index of that column', async (t) => {
  const id = makeId();
  const plans = await plansOf(t, async (db) => {
    await findUserByEmail(db.read, id, 'ada@example.com');
    await findFilesOfComments(db.read, { boardId: id, ids: [id] });
    await db.transaction((tx) => removeNotices(tx, id, id));
  });
  for (const index of ['users_email', 'files_comment', 'notices_post'])
    assert.match(plans, new RegExp(`USING INDEX ${index} `));
  assert.doesNotMatch(plans, /SEARCH (users|files|notices) USING PRIMARY KEY \(board_id=\?\)/);
});

test('merging, taking it back and the team read no more of a large board than they need', async (t) => {
  const { api, db, board, clock, makePost, takeStatements } = await makeTestApp(t, 'sqlite');
  const [sourceId, targetId] = [await makePost('Dark mode'), await makePost('Night mode')];
  await api.upvotePost({ postId: sourceId });
  takeStatements();
  await api.mergePosts({ sourceIds: [sourceId], targetId });
  await api.unmergePost({ id: sourceId });
  await listTeam({ db, board, clock, baseUrl: 'http://board.test' });
  const plans = await explain(db, takeStatements());
  assert.match(plans, /USING INDEX users_team /);
  assert.doesNotMatch(plans, /SCAN (posts|votes|comments|subscriptions|users|events|p|s|c|v)\b/);
  assert.doesNotMatch(
    plans,
    /SEARCH (posts|votes|comments|subscriptions|users|events|p|s|c|v) USING PRIMARY KEY \(board_id=\?\)/,
  );
});

test('PostgreSQL plans a page of usual size once, and not for each reader', async (t) => {
  const { ask, db } = await makeTestApp(t, 'postgres');
  const posts = Array.from({ length: 20 }, (_, n) => `p${n}: createPost(title: "Idea ${n}") { id }`).join('\n');
  for (let n = 0; n < 50; n++) await ask(`mutation { ${posts} }`);
  await db.read.run('analyze', []);
  for (let n = 0; n < 20; n++) await ask('{ posts(limit: 20) { nodes { id comments(limit: 3) { nodes { id } } } } }');
  const planned = await db.read.run<{ table: string; isOnce: boolean }>(
    `select substring(statement from 'from "(posts|comments)"') as table, generic_plans > custom_plans as "isOnce"
    from pg_prepared_statements where statement ~ '^select .* from "(posts|comments)".* limit (21|4) ' order by 1`,
    [],
  );
  assert.deepEqual(planned, [
    { table: 'comments', isOnce: true },
    { table: 'posts', isOnce: true },
  ]);
});
