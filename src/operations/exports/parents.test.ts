import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';

testBoth('an export names no comment that is not in it', async (app) => {
  const { ask } = app;
  const id = await app.makePost('Open');
  const add = `mutation($id: String!, $parentId: String) {
    createComment(postId: $id, text: "x", parentId: $parentId) { id }
  }`;
  const parents = [];
  for (let n = 0; n < 3; n++) parents.push((await ask(add, { id })).createComment.id);
  for (const parentId of parents) await ask(add, { id, parentId });
  const [held, deleted, there] = parents;
  const hold = 'mutation($id: String!) { changeCommentModerationStatus(id: $id, moderationStatus: PENDING) { id } }';
  await ask(hold, { id: held });
  await ask('mutation($id: String!) { deleteComment(id: $id) { id } }', { id: deleted });
  const named = async (as: string | null) => {
    const headers = { apikey: app.key, ...(as !== null && { ssotype: 'SSO', ssoid: as }) };
    const { payload } = await app.app.inject({ method: 'GET', url: '/api/jsonl?comments=true', headers });
    const rows = payload.trim().split('\n');
    return rows.flatMap((row) => JSON.parse(row).parentId ?? []);
  };
  assert.deepEqual(await named(null), [there]);
  assert.deepEqual(await named('ada'), [held, there]);
});
