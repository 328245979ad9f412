import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { fill } from '../../platform/db/migrations/0024-changes.ts';
import { changeOf } from './changes.ts';

const RENAMED = 'Night “mode”';

testBoth('a title that members never saw is not shown when they see the idea', async (app) => {
  const { api } = app;
  await app.makeUser('mia');
  const read = async (id: string) => {
    const post = await api.as('mia').post({ id }, { title: true, comments: { nodes: { type: true } } });
    return [post?.title, post?.comments.nodes.map(({ type }) => type)];
  };
  const held = await app.makePost('Secret name');
  await api.changePostModerationStatus({ id: held, moderationStatus: 'PENDING' });
  await api.updatePost({ id: held, title: RENAMED });
  await api.changePostModerationStatus({ id: held, moderationStatus: 'APPROVED' });
  assert.deepEqual(await read(held), [RENAMED, ['BASIC']]);

  const status = await api.createStatus({ name: 'Drafts', color: '#888888' }, { id: true });
  await api.updateStatus({ id: status.id, postVisibility: 'TEAM' });
  const hidden = await app.makePost('Secret name');
  await api.changePostStatus({ postId: hidden, statusType: 'CUSTOM', statusId: status.id });
  await api.updatePost({ id: hidden, title: RENAMED });
  await api.updateStatus({ id: status.id, postVisibility: 'PUBLIC' });
  assert.deepEqual(await read(hidden), [RENAMED, ['BASIC', 'STATUS_CHANGE']]);
});

testBoth('a change keeps what it was about, also one that an earlier version put into words only', async (app) => {
  const [id, other] = [await app.makePost('Dark mode'), await app.makePost('Black theme')];
  const statuses = await app.api.listStatuses({ id: true, name: true });
  const [open, planned, started] = statuses;
  await app.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: planned?.id });
  await app.api.changePostStatus({
    postId: id,
    statusType: 'CUSTOM',
    statusId: started?.id,
    comment: 'Changed the status, at last.',
  });
  await app.api.updatePost({ id, title: 'Night “mode”' });
  await app.api.upvotePost({ postId: other });
  await app.api.mergePosts({ sourceIds: [other], targetId: id });
  const moved = { type: 'STATUS_CHANGE', from: open, to: planned, hasMessage: false };
  const renamed = { type: 'TITLE_CHANGE', from: 'Dark mode', to: 'Night “mode”' };
  assert.deepEqual(await readChanges(app, id), [
    moved,
    { type: 'STATUS_CHANGE', from: planned, to: started, hasMessage: true },
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
