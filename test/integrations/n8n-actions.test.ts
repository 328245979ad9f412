import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, specifiedRules, validate } from 'graphql';
import { BoardError } from '../../integrations/n8n/nodes/shared/asking.ts';
import { documents } from '../../integrations/n8n/nodes/shared/documents.ts';
import { keyOfItem } from '../../integrations/n8n/nodes/shared/once.ts';
import {
  type Item,
  makeRunning,
  operations,
  parseIdea,
  userRefOf,
} from '../../integrations/n8n/nodes/shared/operations.ts';
import { type TestApp, testOnce } from '../support/app.ts';
import { schema } from '../support/schema.ts';
import { connectTo } from './n8n-support.ts';

for (const [name, document] of Object.entries(documents)) {
  test(`the document ${name} of the n8n nodes is valid`, () => {
    const problems = validate(schema, parse(document), specifiedRules);
    assert.deepEqual(problems.map(String), []);
  });
}

/** Runs operations as the node does, each with an idempotency key of its own unless one is given. */
async function start(app: TestApp, user: string | null = 'ada') {
  const { ask } = await connectTo(app, user);
  let n = 0;
  const run = async (name: string, parameters: Item, once = `once-${n++}`): Promise<Item[]> => {
    const operation = operations[name];
    assert.ok(operation, name);
    return operation(makeRunning(ask), (parameter) => parameters[parameter], once);
  };
  const runOne = async (...args: Parameters<typeof run>): Promise<Item> => {
    const [item] = await run(...args);
    assert.ok(item);
    return item;
  };
  return { run, runOne };
}

async function refused(work: Promise<unknown>): Promise<BoardError> {
  const error = await work.then(
    () => assert.fail('It was not refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof BoardError, String(error));
  return error;
}

testOnce('an idea is created with names of tags and status, found, and changed', async (app) => {
  const { runOne } = await start(app);
  await app.api.createTag({ name: 'Mobile' });
  await app.api.createTag({ name: 'Design' });
  const idea = await runOne('idea.create', {
    title: 'Dark mode',
    text: 'My eyes hurt.',
    additionalFields: { tags: 'mobile', status: 'planned', externalId: '' },
  });
  assert.deepEqual([idea.content, (idea.status as Item).name], ['My eyes hurt.', 'Planned']);
  const found = await runOne('idea.get', { idea: { mode: 'url', value: idea.url } });
  assert.equal(found.id, idea.id);
  const tagged = await runOne('idea.changeTags', { idea: '#1', tags: ['Design'], tagMode: 'add' });
  assert.deepEqual(
    (tagged.tags as Item[]).map(({ name }) => name),
    ['Design', 'Mobile'],
  );
  const untagged = await runOne('idea.changeTags', { idea: '1', tags: ['Mobile'], tagMode: 'remove' });
  assert.deepEqual(
    (untagged.tags as Item[]).map(({ name }) => name),
    ['Design'],
  );
  const done = await runOne('idea.changeStatus', { idea: idea.id, status: 'COMPLETED', message: 'Here it is.' });
  assert.equal((done.status as Item).type, 'COMPLETED');
  const updated = await runOne('idea.update', { idea: idea.id, updateFields: { isPinned: true, text: 'Both.' } });
  assert.deepEqual([updated.isPinned, updated.content, updated.title], [true, 'Both.', 'Dark mode']);
  const answer = await runOne('comment.create', { idea: idea.id, text: 'Done!', type: 'OFFICIAL' });
  assert.equal(answer.type, 'OFFICIAL');
});

testOnce('ideas are listed page by page, by status, tag and search', async (app) => {
  const { run } = await start(app);
  for (let n = 0; n < 103; n++) await app.makePost(`Idea ${n}`);
  assert.equal((await run('idea.getAll', { returnAll: true, filters: {} })).length, 103);
  assert.equal((await run('idea.getAll', { limit: 101, filters: { sort: 'NEWEST' } })).length, 101);
  await run('idea.changeStatus', { idea: '7', status: 'Planned' });
  const planned = await run('idea.getAll', { limit: 5, filters: { statuses: ['planned'] } });
  assert.deepEqual(
    planned.map(({ number }) => number),
    [7],
  );
  await app.makePost('Dark mode for the dashboard');
  const similar = await run('idea.findSimilar', { title: 'A dashboard in dark mode', limit: 1 });
  assert.deepEqual([similar.length, similar[0]?.title], [1, 'Dark mode for the dashboard']);
});

testOnce('a customer is registered, and a vote and an idea are theirs', async (app) => {
  const { run, runOne } = await start(app);
  const fields = {
    name: 'Jane',
    email: 'jane@example.com',
    companyId: 'acme',
    companyName: 'Acme',
    attributes: '{"seats": 3}',
  };
  const jane = await runOne('user.upsert', { ssoType: 'SSO', ssoId: '42', additionalFields: fields });
  assert.equal(jane.email, 'jane@example.com');
  const idea = await runOne('idea.create', { title: 'Dark mode', additionalFields: { author: 'SSO:42' } });
  assert.equal((idea.author as Item).name, 'Jane');
  await app.makePost('Other');
  for (const voter of ['jane@example.com', 'SSO:42', jane.id, '']) await run('idea.addVote', { idea: '2', voter });
  assert.equal((await run('idea.get', { idea: '2' }))[0]?.upvoteCount, 2);
  const unknown = await refused(run('idea.addVote', { idea: '2', voter: 'no@example.com' }));
  assert.equal(unknown.code, 'NOT_FOUND');
});

testOnce('an item that is sent again is not done again', async (app) => {
  const { runOne } = await start(app);
  const once = keyOfItem(['1234', 'node', '0', 0], { title: 'Dark mode' });
  const first = await runOne('idea.create', { title: 'Dark mode' }, once);
  const again = await runOne('idea.create', { title: 'Dark mode' }, once);
  assert.equal(again.id, first.id);
  assert.notEqual(once, keyOfItem(['1234', 'node', '0', 0], { title: 'Light mode' }));
});

testOnce('errors say what is wrong and what to do', async (app) => {
  const { run } = await start(app);
  await app.makePost('Dark mode');
  const status = await refused(run('idea.changeStatus', { idea: '1', status: 'Soon' }));
  assert.match(`${status.message} ${status.help}`, /no status “Soon” .* The board has: .*Planned/);
  const tag = await refused(run('idea.changeTags', { idea: '1', tags: 'Mobile', tagMode: 'add' }));
  assert.match(tag.help, /no tag yet/);
  assert.match((await refused(run('idea.get', { idea: '99' }))).message, /no idea #99/);
  assert.match((await refused(run('idea.get', { idea: { mode: 'list', value: '' } }))).message, /No idea is chosen/);
  assert.equal((await refused(run('idea.create', { title: ' ' }))).field, 'title');
  const anonymous = await refused((await start(app, null)).run('idea.get', { idea: '1' }));
  assert.match(anonymous.help, /has no user/);
  const { ask } = await connectTo(app, 'ada', 'esk_unknown');
  assert.match((await refused(ask(documents.viewer))).help, /revoked/);
});

testOnce('an address that is not of Earshot is named as the cause', async (app) => {
  const played = await connectTo(app);
  played.connection.send = async () => ({ status: 404, headers: {}, body: '<html>Not found</html>' });
  assert.match((await refused(played.ask(documents.viewer))).help, /address in the credential/);
});

test('users and ideas are named in several ways', () => {
  assert.deepEqual(userRefOf('okta:a@example.com'), { ssotype: 'okta', userId: 'a@example.com' });
  assert.deepEqual(userRefOf('a@example.com'), { email: 'a@example.com' });
  assert.deepEqual(userRefOf(' '), undefined);
  assert.deepEqual(parseIdea('https://ideas.example.com/sub/b/acme/posts/12/dark-mode#c'), { number: 12 });
  assert.throws(() => parseIdea('dark mode'), BoardError);
});
