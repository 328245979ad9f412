import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';

testBoth('an export names no comment that is not in it', async (app) => {
  const { api } = app;
  const id = await app.makePost('Open');
  const parents = [];
  for (let n = 0; n < 3; n++) parents.push((await api.createComment({ postId: id, text: 'x' })).id);
  for (const parentId of parents) await api.createComment({ postId: id, text: 'x', parentId });
  const [held, deleted, there] = parents;
  await api.changeCommentModerationStatus({ id: held ?? '', moderationStatus: 'PENDING' });
  await api.deleteComment({ id: deleted ?? '' });
  const named = async (as: string | null) => {
    const headers = { apikey: app.key, ...(as !== null && { ssotype: 'SSO', ssoid: as }) };
    const { payload } = await app.app.inject({ method: 'GET', url: '/api/jsonl?comments=true', headers });
    const rows = payload.trim().split('\n');
    return rows.flatMap((row) => JSON.parse(row).parentId ?? []);
  };
  assert.deepEqual(await named(null), [there]);
  assert.deepEqual(await named('ada'), [held, there]);
});
