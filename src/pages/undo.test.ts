import assert from 'node:assert/strict';
import { makeField } from '../../test/support/fields.ts';
import { makeScene, startNotifying, statusId } from '../../test/support/notifying.ts';
import { signUp, testPages, testWeb, type WebVisitor } from '../../test/support/web.ts';
import { MINUTE_MS } from '../platform/lib/clock.ts';

const POST = '/b/acme/posts/1';

/** The operation that a toast offers to undo. */
async function offered(visitor: WebVisitor, { headers }: { headers: Record<string, unknown> }): Promise<string | null> {
  const { payload } = await visitor.get(String(headers.location));
  return /<form[^>]*action="\/b\/acme\/undo".*?value="([^"]+)" name="operation"/s.exec(payload)?.[1] ?? null;
}

testPages('the toast of what the team did undoes it, without scripts too', async (web) => {
  await web.makePost('Dark mode');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const operation = await offered(mo, await mo.post(POST, { intent: 'lock', to: 'on' }));
  assert.ok(operation);
  assert.equal((await web.api.postByNumber({ number: 1 }, { isLocked: true }))?.isLocked, true);
  const undone = await mo.post('/b/acme/undo', { operation, next: POST });
  assert.equal(undone.headers.location, `${POST}?done=saved`);
  assert.match((await mo.get(String(undone.headers.location))).payload, /Saved/);
  assert.equal((await web.api.postByNumber({ number: 1 }, { isLocked: true }))?.isLocked, false);
  const again = await mo.post('/b/acme/undo', { operation, next: POST });
  assert.equal(again.statusCode, 422);
  assert.match(again.payload, /This was already undone/);
});

testPages('members have nothing to undo, and cannot undo what the team did', async (web) => {
  await web.makePost('Dark mode');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const vera = await signUp(web, 'Vera');
  assert.equal(await offered(vera, await vera.post(POST, { intent: 'follow' })), null);
  const operation = (await offered(mo, await mo.post(POST, { intent: 'lock', to: 'on' }))) ?? '';
  assert.equal((await vera.post('/b/acme/undo', { operation, next: POST })).statusCode, 403);
  assert.equal((await web.api.postByNumber({ number: 1 }, { isLocked: true }))?.isLocked, true);
});

testWeb('the team sees what it did, with a button to undo it', async (web) => {
  await web.makePost('Dark mode');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const vera = await signUp(web, 'Vera');
  const status = (await web.api.listStatuses({ id: true }))[1];
  await mo.post(POST, { intent: 'status', status: status?.id ?? '' });
  const { payload } = await mo.get('/b/acme/activity');
  assert.match(payload, /Status changed.*Dark mode.*Open → Planned.*Mo/s);
  const [, operation = ''] = /value="([^"]+)" name="operation"/.exec(payload) ?? [];
  await mo.post('/b/acme/undo', { operation, next: '/b/acme/activity' });
  assert.match((await mo.get('/b/acme/activity')).payload, /Undone by(<!-- -->| )*Mo/);
  assert.equal((await web.api.postByNumber({ number: 1 }, { status: { name: true } }))?.status.name, 'Open');
  for (const path of ['activity', 'deleted', 'undo']) {
    assert.equal((await vera.get(`/b/acme/${path}`)).statusCode, 403, path);
  }
});

testWeb('undoing a status says whether those who were notified of it get a mail', async (web, t) => {
  await makeScene(web);
  const notifying = await startNotifying(t, web);
  const mo = await web.makeMember('Mo', 'MODERATOR');
  await notifying.deliverAfter();
  const change = async () => {
    const status = await statusId(web);
    return (await offered(mo, await mo.post(POST, { intent: 'status', status }))) ?? '';
  };
  const statusNow = async () => (await web.api.postByNumber({ number: 1 }, { status: { name: true } }))?.status.name;
  const early = await mo.post('/b/acme/undo', { operation: await change(), next: POST });
  assert.match((await mo.get(String(early.headers.location))).payload, /Undone, no one gets an email/);
  assert.deepEqual(await notifying.recipients(5 * MINUTE_MS), []);

  const operation = await change();
  assert.equal((await notifying.recipients(5 * MINUTE_MS)).length > 0, true);
  const asked = await mo.post('/b/acme/undo', { operation, next: POST });
  assert.match(asked.payload, /Users already got an email about this change.*name="sure"/s);
  assert.equal(await statusNow(), 'Planned', 'nothing is undone yet');
  const late = await mo.post('/b/acme/undo', { operation, next: POST, sure: 'on' });
  assert.match((await mo.get(String(late.headers.location))).payload, /Undone, users get an email/);
  assert.equal(await statusNow(), 'Open');
  assert.equal((await notifying.recipients(5 * MINUTE_MS)).length > 0, true);
});

testPages('a field that cannot come back is explained in the language of the reader', async (web) => {
  const { id } = await makeField(web, 'Plan');
  await web.api.deleteField({ id });
  await makeField(web, 'PLAN');
  const ada = await web.makeMember('Ada', 'ADMIN');
  await web.db.transaction((tx) => tx.updateTable('users').set({ locale: 'de' }).where('name', '=', 'Ada').execute());
  const { operations } = await web.ask('{ operations(limit: 2) { nodes { id } } }');
  const refused = await ada.post('/b/acme/undo', { operation: operations.nodes[1].id, next: '/b/acme/activity' });
  assert.equal(refused.statusCode, 422);
  assert.match(refused.payload, /Es gibt schon ein Feld „PLAN“/);
});

testWeb('the log names a status to moderators only if they see its ideas', async (web) => {
  const id = await web.makePost('Dark mode');
  const hidden = await web.api.createStatus({ name: 'Takeover talks', color: '#fff' });
  await web.ask('mutation($id: String!) { updateStatus(id: $id, postVisibility: HIDDEN) { id } }', hidden);
  await web.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: hidden.id });
  await web.api.changePostStatus({ postId: id, statusType: 'UNASSIGNED' });
  const [mo, ada] = [await web.makeMember('Mo', 'MODERATOR'), await web.makeMember('Ada', 'ADMIN')];
  const statuses = await web.api.listStatuses({ id: true });
  await web.api.updateStatus({ id: hidden.id, name: 'Takeover agreed' });
  await web.api.updateStatus({ id: statuses[0]?.id ?? '', color: '#abcdef' });
  const seen = (await ada.get('/b/acme/activity')).payload;
  assert.match(seen, /Takeover agreed → Open/);
  assert.match(seen, /Statuses changed.{0,60}Takeover talks → Takeover agreed/s);
  await web.api.deleteStatus({ id: hidden.id });
  assert.match((await ada.get('/b/acme/activity')).payload, /Statuses changed.{0,60}Takeover agreed/s);
  const { payload } = await mo.get('/b/acme/activity');
  assert.match(payload, /Statuses changed.{0,60}Open/s);
  assert.match(payload, /– → Open/);
  assert.doesNotMatch(payload, /Takeover/);
});

testWeb('deleted ideas and comments are listed and restored', async (web) => {
  const id = await web.makePost('Dark mode');
  const other = await web.makePost('Night theme');
  const commentId = (await web.api.createComment({ postId: id, text: 'My eyes' })).id;
  await web.api.deleteComment({ id: commentId });
  await web.api.deletePost({ postId: other });
  const mo = await web.makeMember('Mo', 'MODERATOR');
  assert.match((await mo.get('/b/acme/deleted')).payload, /Night theme/);
  assert.match((await mo.get('/b/acme/activity')).payload, /Idea deleted.{0,40}Night theme/s);
  assert.match((await mo.get('/b/acme/deleted?show=comments')).payload, /Dark mode.*My eyes/s);
  await mo.post('/b/acme/deleted', { intent: `idea:${other}`, id: other });
  await mo.post('/b/acme/deleted', { intent: `comment:${commentId}`, id: commentId });
  assert.doesNotMatch((await mo.get('/b/acme/deleted')).payload, /Night theme/);
  const posts = await web.api.posts({ sort: 'OLDEST' }, { nodes: { title: true, commentCount: true } });
  assert.deepEqual(posts.nodes, [
    { title: 'Dark mode', commentCount: 1 },
    { title: 'Night theme', commentCount: 0 },
  ]);
});
