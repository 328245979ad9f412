import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { fill } from '../../platform/db/migrations/0024-changes.ts';
import { changeOf } from './changes.ts';

const CHANGE = `mutation($id: String!, $status: String!, $comment: String) {
  changePostStatus(postId: $id, statusType: CUSTOM, statusId: $status, comment: $comment) { id }
}`;
const RENAME = 'mutation($id: String!) { updatePost(id: $id, title: "Night “mode”") { node { id } } }';
const MERGE = 'mutation($id: String!, $other: String!) { mergePosts(sourceIds: [$other], targetId: $id) { id } }';
const VOTE = 'mutation($id: String!) { upvotePost(postId: $id) { id } }';

testBoth('a change keeps what it was about, also one that an earlier version put into words only', async (app) => {
  const [id, other] = [await app.makePost('Dark mode'), await app.makePost('Black theme')];
  const { listStatuses } = await app.ask('{ listStatuses { id name } }');
  const [open, planned, started] = listStatuses;
  await app.ask(CHANGE, { id, status: planned.id });
  await app.ask(CHANGE, { id, status: started.id, comment: 'Changed the status, at last.' });
  await app.ask(RENAME, { id });
  await app.ask(VOTE, { id: other });
  await app.ask(MERGE, { id, other });
  const named = ({ id, name }: { id: string; name: string }) => ({ id, name });
  const moved = { type: 'STATUS_CHANGE', from: named(open), to: named(planned), hasMessage: false };
  const renamed = { type: 'TITLE_CHANGE', from: 'Dark mode', to: 'Night “mode”' };
  assert.deepEqual(await readChanges(app, id), [
    moved,
    { type: 'STATUS_CHANGE', from: named(planned), to: named(started), hasMessage: true },
    renamed,
    { type: 'MERGE_TARGET', number: 2, votes: 1 },
  ]);
  assert.deepEqual(await readChanges(app, other), [{ type: 'MERGE_SOURCE', number: 1 }]);

  await app.db.transaction((tx) => tx.updateTable('comments').set({ details: null }).execute());
  await app.db.transaction(fill);
  assert.deepEqual(await readChanges(app, id), [
    moved,
    null,
    renamed,
    { type: 'MERGE_TARGET', number: 2, votes: null },
  ]);
  assert.deepEqual(await readChanges(app, other), [{ type: 'MERGE_SOURCE', number: 1 }]);
});

async function readChanges({ db }: Parameters<Parameters<typeof testBoth>[1]>[0], postId: string) {
  const rows = await db.read
    .selectFrom('comments')
    .select('details')
    .where('post_id', '=', postId)
    .where('is_first', '=', 0)
    .orderBy('id')
    .execute();
  return rows.map(changeOf);
}
