import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testBoth } from '../../../test/support/app.ts';
import { statusNamed } from '../../../test/support/statuses.ts';
import { languages, translate } from '../../platform/catalogues.ts';
import { msg } from '../../platform/messages.ts';
import { statusNameIn } from './statuses.ts';

const CHANGE = `mutation($postId: String!, $type: StatusType!, $statusId: String, $comment: String) {
  changePostStatus(postId: $postId, statusType: $type, statusId: $statusId, comment: $comment) {
    status { name type } statusId dateCompleted commentCount
  }
}`;

testBoth('a new board has the built-in statuses and two of its own', async ({ ask }) => {
  const { listStatuses, board } = await ask(
    '{ listStatuses { name type position postVisibility } board { statuses { name } } }',
  );
  assert.deepEqual(
    listStatuses.map((s: { name: string; type: string; position: number }) => [s.position, s.name, s.type]),
    [
      [0, 'Open', 'UNASSIGNED'],
      [1, 'Planned', 'CUSTOM'],
      [2, 'In progress', 'CUSTOM'],
      [3, 'Completed', 'COMPLETED'],
      [4, 'Archived', 'ARCHIVED'],
      [5, 'Merged', 'MERGED'],
    ],
  );
  assert.equal(board.statuses.length, 6);
});

testBoth('a moderator moves a post through the statuses', async (app) => {
  await app.makeUser('mod', 'MODERATOR');
  const postId = await app.makePost('Post');
  const planned = await statusNamed(app, 'Planned');
  const move = async (variables: object) =>
    (await app.ask(CHANGE, { postId, ...variables }, { as: 'mod' })).changePostStatus;
  assert.equal((await move({ type: 'CUSTOM', statusId: planned })).status.name, 'Planned');
  assert.equal((await move({ type: 'COMPLETED' })).dateCompleted, new Date(app.clock.now()).toISOString());
  const reopened = await move({ type: 'UNASSIGNED', comment: 'Not yet.' });
  assert.deepEqual([reopened.status.type, reopened.dateCompleted, reopened.commentCount], ['UNASSIGNED', null, 0]);
  const post = await app.api.post(
    { id: postId },
    { comments: { $args: { types: ['STATUS_CHANGE'] }, nodes: { text: true, user: { ssoId: true } } } },
  );
  const user = { ssoId: 'mod' };
  assert.deepEqual(post?.comments.nodes, [
    { text: 'Changed the status from “Open” to “Planned”', user },
    { text: 'Changed the status from “Planned” to “Completed”', user },
    { text: 'Not yet.', user },
  ]);
});

testBoth('wrong changes of status get a clear error', async (app) => {
  await app.makeUser('bob');
  const postId = await app.makePost('Post');
  const planned = await statusNamed(app, 'Planned');
  const problem = async (variables: object, as = 'ada') =>
    (await app.gql(CHANGE, { postId, ...variables }, { as })).errors[0];
  assert.equal((await problem({ type: 'CUSTOM' }))?.extensions.field, 'statusId');
  assert.equal((await problem({ type: 'COMPLETED', statusId: planned }))?.extensions.field, 'statusId');
  assert.equal((await problem({ type: 'CUSTOM', statusId: 'nope' }))?.message, 'Status not found');
  assert.equal((await problem({ type: 'MERGED' }))?.extensions.field, 'statusType');
  assert.equal((await problem({ type: 'COMPLETED' }, 'bob'))?.extensions.code, 'FORBIDDEN');
});

testBoth('a status is found by id, and only on its own board', async (app) => {
  const id = await statusNamed(app, 'Planned');
  const query = 'query($id: String!) { status(id: $id) { name color posts { nodes { title } } } }';
  assert.equal((await app.ask(query, { id })).status.name, 'Planned');
  const key = await app.makeKey({}, await app.makeBoard());
  await app.makeUser('zoe', undefined, { key });
  assert.equal((await app.ask(query, { id }, { key, as: 'zoe' })).status, null);
});

testBoth('createPost starts in a status that a moderator names', async (app) => {
  await app.makeUser('bob');
  const id = await statusNamed(app, 'Planned');
  assert.equal(
    (await app.api.createPost({ title: 'T', statusId: id }, { status: { name: true } })).status.name,
    'Planned',
  );
  await assert.rejects(app.api.createPost({ title: 'T', statusId: 'nope' }), { message: 'Status not found' });
  await assert.rejects(app.api.as('bob').createPost({ title: 'T', statusId: id }), { code: 'FORBIDDEN' });
});

test('the names that statuses begin with are told apart in every language', () => {
  const keys = ['Open', 'Planned', 'InProgress', 'Completed', 'Archived', 'Merged'] as const;
  for (const key of keys) {
    const { parts } = msg(`status${key}`);
    for (const language of languages) {
      const name = translate(language, parts);
      assert.equal(statusNameIn('pl', name), translate('pl', parts), name);
      assert.equal(statusNameIn('pl', `${name}!`), `${name}!`);
    }
  }
});
