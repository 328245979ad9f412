import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { recount } from '../../../test/crash/recount.ts';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { publishNew } from '../../../test/support/changelog.ts';
import { makeField } from '../../../test/support/fields.ts';
import { startNotifying, statusId } from '../../../test/support/notifying.ts';
import { MAX_UNDONE } from '../../identity/activity/activity.ts';
import { skipLocked } from '../../platform/db/prepare.ts';
import { DAY_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { lockMerging } from '../lifecycle/merging.ts';

/** The operation that a call is. */
async function operate({ api }: TestApp, call: Promise<unknown>): Promise<string> {
  await call;
  const { nodes } = await api.operations({ limit: 1 }, { nodes: { id: true } });
  return nodes[0]?.id ?? '';
}

const TOO_MUCH = { code: 'CONFLICT', message: 'This changed more than 500 things and cannot be undone' };

const undo = ({ api }: TestApp, operationId: string) => api.undo({ operationId });

testBoth('an operation is undone once, by the team, for 30 days', async (app) => {
  await app.makeUser('mia');
  await app.makeUser('mod', 'MODERATOR');
  const id = await app.makePost('Dark mode', { as: 'mia' });
  const operation = await operate(app, app.api.deletePost({ postId: id }));
  await assert.rejects(app.api.as('mia').undo({ operationId: operation }), {
    code: 'FORBIDDEN',
    message: /^Only the team can undo operations/,
  });
  await assert.rejects(undo(app, 'x'), { code: 'NOT_FOUND' });
  const undone = await app.api
    .as('mod')
    .undo(
      { operationId: operation },
      { isUndoable: true, undoneBy: { name: true }, changes: { thing: true, before: true, after: true } },
    );
  assert.deepEqual(undone, {
    isUndoable: false,
    undoneBy: { name: 'mod' },
    changes: [{ thing: 'POST', before: { isDeleted: false }, after: { isDeleted: true } }],
  });
  assert.equal((await app.api.posts({}, { totalCount: true })).totalCount, 1);
  await assert.rejects(undo(app, operation), { code: 'CONFLICT', message: 'This was already undone' });
  const later = await operate(app, app.api.deletePost({ postId: id }));
  app.clock.advance(30 * DAY_MS);
  await assert.rejects(undo(app, later), { code: 'NOT_FOUND', message: /^Operation not found/ });
  assert.deepEqual(await recount(app.db.read), []);
});

testBoth('when others have made changes since, the error names them and nothing is undone', async (app) => {
  const id = await app.makePost('Dark mode');
  const change = `mutation($id: String!) {
    updatePost(id: $id, title: "Night mode", isLocked: true, isPinned: true) { node { id } }
    changePostStatus(postId: $id, statusType: COMPLETED) { id }
  }`;
  const operation = await operate(app, app.ask(change, { id }));
  await app.api.updatePost({ id, isPinned: false, title: 'Dusk' });
  const message = 'Nothing was undone, because this has changed since then: title (#1), pin (#1)';
  await assert.rejects(undo(app, operation), { code: 'CONFLICT', message });
  const post = await app.api.post({ id }, { title: true, isLocked: true, status: { type: true } });
  assert.deepEqual(post, { title: 'Dusk', isLocked: true, status: { type: 'COMPLETED' } });
});

testBoth('an operation on something that only a newer version knows is not in the log, and not undone', async (app) => {
  const id = await app.makePost('Dark mode');
  const known = await operate(app, app.api.deletePost({ postId: id }));
  const unknown = await operate(app, app.api.restorePost({ id }));
  await app.db.transaction((tx) =>
    tx
      .updateTable('operations')
      .set({ thing: 'OF_A_NEWER_VERSION' as 'POST' })
      .where('operation_id', '=', unknown)
      .execute(),
  );
  assert.deepEqual((await app.api.operations({}, { nodes: { id: true } })).nodes, [{ id: known }]);
  await assert.rejects(undo(app, unknown), { code: 'NOT_FOUND', message: /^Operation not found/ });
});

testBoth('undoing waits for a merge before it locks posts, as another merge does', async (app) => {
  const [id, target] = [await app.makePost('Dark mode'), await app.makePost('Night mode')];
  const operation = await operate(app, app.api.mergePosts({ sourceIds: [id], targetId: target }));
  let undoing: Promise<unknown> | null = null;
  await app.db.transaction(async (tx) => {
    await lockMerging(tx, app.board.id);
    undoing = undo(app, operation);
    await delay(300);
    const post = tx.selectFrom('posts').select('id').where('board_id', '=', app.board.id).where('id', '=', id);
    assert.equal((await skipLocked(tx, post).execute()).length, 1);
  });
  await undoing;
});

testBoth('undoing is an operation, which can be undone', async (app) => {
  const id = await app.makePost('Dark mode');
  const locking = await operate(app, app.api.updatePost({ id, isLocked: true }));
  const undoing = await operate(app, undo(app, locking));
  assert.equal((await app.api.post({ id }, { isLocked: true }))?.isLocked, false);
  await undo(app, undoing);
  assert.equal((await app.api.post({ id }, { isLocked: true }))?.isLocked, true);
});

testBoth(
  'a status that is undone before its mails are written is not mailed; one that is set again is',
  async (app, t) => {
    const { clock } = app;
    const notifying = await startNotifying(t, app);
    await app.api.createUser({ ssoType: 'SSO', ssoId: 'mia', name: 'mia', email: 'mia@example.com' });
    const id = await app.makePost('Dark mode', { as: 'mia' });
    const move = () => operate(app, app.api.changePostStatus({ postId: id, statusType: 'COMPLETED' }));
    const soon = await move();
    await notifying.deliver();
    clock.advance(10 * SECOND_MS);
    await undo(app, soon);
    assert.deepEqual(await notifying.recipients(), []);
    const late = await move();
    assert.deepEqual(await notifying.recipients(), ['mia']);
    await undo(app, late);
    assert.deepEqual(await notifying.recipients(), ['mia']);
    assert.deepEqual(await recount(app.db.read), []);
  },
);

testBoth('when something was removed permanently, the error names it and nothing is undone', async (app) => {
  await app.makeUser('mod', 'MODERATOR');
  const id = await publishNew(app, { title: 'Dark mode' });
  await app.api.as('mod').addChangelogReaction({ id, reaction: 'HEART' });
  const operation = await operate(app, app.api.deleteChangelogEntry({ id }));
  const message = 'This cannot be undone, because it removed reactions permanently';
  await assert.rejects(undo(app, operation), { code: 'CONFLICT', message });
  const { operations } = await app.ask('{ operations(limit: 1) { nodes { isUndoable changes { before after } } } }');
  const [change] = operations.nodes[0].changes;
  assert.equal(operations.nodes[0].isUndoable, false);
  assert.deepEqual(change.before, { exists: true, title: 'Dark mode', lost: null });
  assert.deepEqual(change.after, { exists: false, title: null, lost: 'reactions' });
});

testBoth('a field does not come back with values of more posts than one step changes', async (app) => {
  const { id } = await makeField(app, 'Plan');
  const some = Array.from({ length: 20 }, (_, n) => {
    return `p${n}: createPost(title: "P", properties: [{ parent: $id, values: ["x"] }]) { id }`;
  });
  for (let n = 0; n < MAX_UNDONE; n += 20) await app.ask(`mutation($id: String!) { ${some.join(' ')} }`, { id });
  const operation = await operate(app, app.api.deleteField({ id }));
  await assert.rejects(undo(app, operation), TOO_MUCH);
});

testBoth(
  'the log of a deleted status with many posts has as many of them as could be undone, and the status',
  async (app) => {
    const status = await statusId(app);
    const some = Array.from({ length: 20 }, (_, n) => `p${n}: createPost(title: "P", statusId: $status) { id }`);
    const create = `mutation($status: String!) { ${some.join(' ')} }`;
    for (let n = 0; n < MAX_UNDONE + 120; n += 20) await app.ask(create, { status });
    const operation = await operate(app, app.api.deleteStatus({ id: status }));
    const { operations } = await app.ask('{ operations(limit: 1) { nodes { id isUndoable changes { thing } } } }');
    const [{ id, isUndoable, changes }] = operations.nodes;
    assert.deepEqual([id, isUndoable, changes.at(-1)], [operation, false, { thing: 'STATUS' }]);
    assert.ok(changes.length > MAX_UNDONE && changes.length <= MAX_UNDONE + 51, `${changes.length} changes`);
    await assert.rejects(undo(app, operation), TOO_MUCH);
    assert.deepEqual(await recount(app.db.read), []);
  },
);

testBoth('a tag comes back on all of its posts with one statement', async (app) => {
  const tag = await app.api.createTag({ name: 'Bug' });
  const some = Array.from({ length: 20 }, (_, n) => `p${n}: createPost(title: "P", tagIds: [$tag]) { id }`);
  const { p0 } = await app.ask(`mutation($tag: String!) { ${some.join(' ')} }`, { tag: tag.id });
  await app.api.deletePost({ postId: p0.id });
  const operation = await operate(app, app.api.deleteTag({ id: tag.id }));
  app.takeStatements();
  await undo(app, operation);
  assert.equal(app.takeStatements().filter((statement) => /insert into "post_tags"/.test(statement)).length, 1);
  const board = await app.api.board({ tags: { name: true, postCount: true } });
  assert.deepEqual(board.tags, [{ name: 'Bug', postCount: 19 }]);
  assert.deepEqual(await recount(app.db.read), []);
});
