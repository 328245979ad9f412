import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { recount } from '../../../test/crash/recount.ts';
import { type GqlOptions, type TestApp, testBoth } from '../../../test/support/app.ts';
import { DELETE_ENTRY, publishNew } from '../../../test/support/changelog.ts';
import { DELETE_FIELD, makeField } from '../../../test/support/fields.ts';
import { startNotifying, statusId } from '../../../test/support/notifying.ts';
import { MAX_UNDONE } from '../../identity/activity/activity.ts';
import { skipLocked } from '../../platform/db/prepare.ts';
import { DAY_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { lockMerging } from '../lifecycle/merging.ts';

const UNDO = `mutation($id: String!) {
  undo(operationId: $id) { id isUndoable dateUndone undoneBy { name } changes { thing before after } }
}`;

/** Does something, and gives the operation that the response names. */
async function operate(app: TestApp, query: string, variables = {}, options: GqlOptions = {}): Promise<string> {
  const { errors, headers } = await app.gql(query, variables, options);
  assert.deepEqual(errors, []);
  return String(headers['earshot-operation-id']);
}

async function undo(app: TestApp, id: string, options: GqlOptions = {}) {
  const { errors, data } = await app.gql(UNDO, { id }, options);
  return errors[0] ? `${errors[0].extensions.code}: ${errors[0].message}` : data.undo;
}

const DELETE = 'mutation($id: String!) { deletePost(postId: $id) { id } }';
const RESTORE = 'mutation($id: String!) { restorePost(id: $id) { id } }';

testBoth('an operation is undone once, by the team, for 30 days', async (app) => {
  await app.makeUser('mia');
  await app.makeUser('mod', 'MODERATOR');
  const id = await app.makePost('Dark mode', { as: 'mia' });
  const operation = await operate(app, DELETE, { id });
  assert.match(await undo(app, operation, { as: 'mia' }), /^FORBIDDEN: Only the team can undo operations/);
  assert.match(await undo(app, 'x'), /^NOT_FOUND/);
  const undone = await undo(app, operation, { as: 'mod' });
  assert.deepEqual(undone.changes, [{ thing: 'POST', before: { isDeleted: false }, after: { isDeleted: true } }]);
  assert.deepEqual([undone.isUndoable, undone.undoneBy.name], [false, 'mod']);
  assert.equal((await app.api.posts({}, { totalCount: true })).totalCount, 1);
  assert.equal(await undo(app, operation), 'CONFLICT: This was already undone');
  const later = await operate(app, DELETE, { id });
  app.clock.advance(30 * DAY_MS);
  assert.match(await undo(app, later), /^NOT_FOUND: Operation not found/);
  assert.deepEqual(await recount(app.db.read), []);
});

testBoth('what others have changed since is named, and nothing is undone then', async (app) => {
  const id = await app.makePost('Dark mode');
  const change = `mutation($id: String!) {
    updatePost(id: $id, title: "Night mode", isLocked: true, isPinned: true) { node { id } }
    changePostStatus(postId: $id, statusType: COMPLETED) { id }
  }`;
  const operation = await operate(app, change, { id });
  await app.api.updatePost({ id, isPinned: false, title: 'Dusk' });
  assert.equal(
    await undo(app, operation),
    'CONFLICT: Nothing was undone, because this has changed since then: title (#1), pin (#1)',
  );
  const post = await app.api.post({ id }, { title: true, isLocked: true, status: { type: true } });
  assert.deepEqual(post, { title: 'Dusk', isLocked: true, status: { type: 'COMPLETED' } });
});

testBoth(
  'an operation on a thing that only a newer version knows is left out of the log, and not undone',
  async (app) => {
    const id = await app.makePost('Dark mode');
    const [known, unknown] = [await operate(app, DELETE, { id }), await operate(app, RESTORE, { id })];
    await app.db.transaction((tx) =>
      tx
        .updateTable('operations')
        .set({ thing: 'SEGMENT' as 'POST' })
        .where('operation_id', '=', unknown)
        .execute(),
    );
    const { operations } = await app.ask('{ operations { nodes { id } } }');
    assert.deepEqual(operations.nodes, [{ id: known }]);
    assert.match(await undo(app, unknown), /^NOT_FOUND: Operation not found/);
  },
);

testBoth('undoing waits for a merge before it locks posts, as another merge does', async (app) => {
  const [id, target] = [await app.makePost('Dark mode'), await app.makePost('Night mode')];
  const merge = 'mutation($id: String!, $target: String!) { mergePosts(sourceIds: [$id], targetId: $target) { id } }';
  const operation = await operate(app, merge, { id, target });
  let undoing: Promise<unknown> | null = null;
  await app.db.transaction(async (tx) => {
    await lockMerging(tx, app.board.id);
    undoing = undo(app, operation);
    await delay(300);
    const post = tx.selectFrom('posts').select('id').where('board_id', '=', app.board.id).where('id', '=', id);
    assert.equal((await skipLocked(tx, post).execute()).length, 1);
  });
  assert.equal(typeof (await undoing), 'object');
});

testBoth('undoing is an operation, which can be undone', async (app) => {
  const id = await app.makePost('Dark mode');
  const lock = 'mutation($id: String!) { updatePost(id: $id, isLocked: true) { node { id } } }';
  const undoing = await operate(app, UNDO, { id: await operate(app, lock, { id }) });
  assert.equal((await app.api.post({ id }, { isLocked: true }))?.isLocked, false);
  await undo(app, undoing);
  assert.equal((await app.api.post({ id }, { isLocked: true }))?.isLocked, true);
});

testBoth(
  'a status that is undone before its mails are written is mailed to no one, and later to everyone',
  async (app, t) => {
    const { clock } = app;
    const notifying = await startNotifying(t, app);
    await app.api.createUser({ ssoType: 'SSO', ssoId: 'mia', name: 'mia', email: 'mia@example.com' });
    const id = await app.makePost('Dark mode', { as: 'mia' });
    const move = 'mutation($id: String!) { changePostStatus(postId: $id, statusType: COMPLETED) { id } }';
    const soon = await operate(app, move, { id });
    await notifying.deliver();
    clock.advance(10 * SECOND_MS);
    await undo(app, soon);
    assert.deepEqual(await notifying.recipients(), []);
    const late = await operate(app, move, { id });
    assert.deepEqual(await notifying.recipients(), ['mia']);
    await undo(app, late);
    assert.deepEqual(await notifying.recipients(), ['mia']);
    assert.deepEqual(await recount(app.db.read), []);
  },
);

testBoth('what is gone permanently is said, and nothing is undone then', async (app) => {
  await app.makeUser('mod', 'MODERATOR');
  const id = await publishNew(app, { title: 'Dark mode' });
  await app.api.as('mod').addChangelogReaction({ id, reaction: 'HEART' });
  const operation = await operate(app, DELETE_ENTRY, { id });
  assert.equal(await undo(app, operation), 'CONFLICT: This cannot be undone, because it removed reactions permanently');
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
  const operation = await operate(app, DELETE_FIELD, { id });
  assert.equal(await undo(app, operation), 'CONFLICT: This changed more than 500 things and cannot be undone');
});

testBoth('of a status with many posts, the log has those that could be undone, and the status', async (app) => {
  const status = await statusId(app);
  const some = Array.from({ length: 20 }, (_, n) => `p${n}: createPost(title: "P", statusId: $status) { id }`);
  const create = `mutation($status: String!) { ${some.join(' ')} }`;
  for (let n = 0; n < MAX_UNDONE + 120; n += 20) await app.ask(create, { status });
  const operation = await operate(app, 'mutation($id: String!) { deleteStatus(id: $id) { id } }', { id: status });
  const { operations } = await app.ask('{ operations(limit: 1) { nodes { id isUndoable changes { thing } } } }');
  const [{ id, isUndoable, changes }] = operations.nodes;
  assert.deepEqual([id, isUndoable, changes.at(-1)], [operation, false, { thing: 'STATUS' }]);
  assert.ok(changes.length > MAX_UNDONE && changes.length <= MAX_UNDONE + 51, `${changes.length} changes`);
  assert.equal(await undo(app, operation), 'CONFLICT: This changed more than 500 things and cannot be undone');
  assert.deepEqual(await recount(app.db.read), []);
});

testBoth('a tag comes back on all of its posts with one statement', async (app) => {
  const tag = await app.api.createTag({ name: 'Bug' });
  const some = Array.from({ length: 20 }, (_, n) => `p${n}: createPost(title: "P", tagIds: [$tag]) { id }`);
  const { p0 } = await app.ask(`mutation($tag: String!) { ${some.join(' ')} }`, { tag: tag.id });
  await app.api.deletePost({ postId: p0.id });
  const operation = await operate(app, 'mutation($id: String!) { deleteTag(id: $id) { id } }', { id: tag.id });
  app.takeStatements();
  await undo(app, operation);
  assert.equal(app.takeStatements().filter((statement) => /insert into "post_tags"/.test(statement)).length, 1);
  const board = await app.api.board({ tags: { name: true, postCount: true } });
  assert.deepEqual(board.tags, [{ name: 'Bug', postCount: 19 }]);
  assert.deepEqual(await recount(app.db.read), []);
});
