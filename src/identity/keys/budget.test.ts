import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { connectAgent } from '../../../test/support/mcp.ts';
import { mutationNames } from '../../../test/support/schema.ts';
import type { AppError } from '../../platform/errors.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { costOf, findSpent, NO_BUDGET, readBudget, storeBudget, takeFromBudget } from './budget.ts';
import { listKeys } from './keys.ts';

/** The code of what a document fails with; null if it succeeds. */
async function failure(
  app: TestApp,
  key: string,
  query: string,
  variables: Record<string, unknown> = {},
  headers = {},
) {
  const { errors } = await app.gql(query, variables, { key, headers });
  return errors[0]?.extensions?.code ?? null;
}

testBoth('a budget counts changes and votes, in whatever way they come', async (app, t) => {
  const post = await app.makePost('Dark mode');
  const other = await app.makePost('Exports');
  const key = await app.makeKey({ budget: { ...NO_BUDGET, operations: 5, votes: 2 } });
  const up = `mutation { upvotePost(postId: "${post}") { id } }`;
  assert.equal(await failure(app, key, up, {}, { 'dry-run': 'true' }), null, 'a dry run costs nothing');
  assert.equal(await failure(app, key, '{ board { name } }'), null, 'reading costs nothing');
  assert.equal(await failure(app, key, up), null);
  // Several in one document, in fragments and by aliases, are several.
  const many = `mutation { a: downvotePost(postId: "${post}") { id } ...More }
    fragment More on Mutation { b: upvotePost(postId: "${other}") { id } }`;
  assert.equal(await failure(app, key, many), 'RATE_LIMIT_EXCEEDED');
  assert.equal(
    await failure(app, key, `mutation { downvotePost(postId: "${post}") { id } }`),
    null,
    'nothing was taken',
  );
  const agent = await connectAgent(t, app, { key });
  assert.match(
    await agent.fail('vote', { post, vote: 'up' }),
    /RATE_LIMIT_EXCEEDED: The budget .* 2 votes in 24 hours: 0 left, more from 2026-11-22T/,
  );
  await agent.call('vote', { post, vote: 'none' });
  await agent.call('update_post', { post, title: 'Dark theme' });
  await agent.call('comment', { post, text: 'Hello' });
  assert.match(await agent.fail('comment', { post, text: 'Again' }), /5 changes in 24 hours: 0 left, more from/);
  await agent.call('get_post', { post });
  const upload = await app.app.inject({
    method: 'POST',
    url: '/api/v1/files',
    headers: { apikey: key, ssotype: 'SSO', ssoid: 'ada' },
  });
  assert.equal(upload.statusCode, 429);
  app.clock.advance(DAY_MS + 1);
  assert.equal(await failure(app, key, up), null, 'the next day has a budget of its own');
});

testBoth('what needs no acting user is paid for as well, whatever is asked for beside it', async (app) => {
  const create = (n: number) => `u${n}: createUser(ssoType: "SSO", ssoId: "u${n}") { id }`;
  const users = async () => (await app.db.read.selectFrom('users').select('id').execute()).length;
  const before = await users();
  const key = await app.makeKey({ budget: { ...NO_BUDGET, operations: 3 } });
  for (const query of [
    `mutation { ${create(1)} ${create(2)} x: createTag(name: "x") { id } y: createTag(name: "y") { id } }`,
    `mutation { ...F } fragment F on Mutation { ${create(1)} ${create(2)} ${create(3)} ${create(4)} }`,
  ]) {
    const { errors } = await app.gql(query, {}, { key, as: null });
    assert.equal(errors[0]?.extensions.code, 'RATE_LIMIT_EXCEEDED', query);
  }
  assert.equal(await users(), before);
  const { errors } = await app.gql(`mutation { ${create(1)} x: createTag(name: "x") { id } }`, {}, { key, as: null });
  assert.equal(errors.length, 1, 'only what needs an acting user fails');
  assert.equal(await users(), before + 1);
});

testBoth('a key that is limited to some tags uses no others, and manages none', async (app, t) => {
  const tag = async (name: string) =>
    (await app.gql('mutation($name: String!) { createTag(name: $name) { id } }', { name })).data?.createTag
      .id as string;
  const [bug, ux] = [await tag('bug'), await tag('ux')];
  const key = await app.makeKey({ budget: { ...NO_BUDGET, tags: [bug] } });
  const id = await app.makePost('Dark mode');
  const SET = 'mutation($id: String!, $tagIds: [String!]) { updatePost(id: $id, tagIds: $tagIds) { node { id } } }';
  assert.equal(await failure(app, key, SET, { id, tagIds: [ux] }), 'FORBIDDEN');
  assert.equal(await failure(app, key, SET, { id, tagIds: [bug] }), null);
  assert.equal((await app.gql(SET, { id, tagIds: [bug, ux] })).errors.length, 0);
  assert.equal(await failure(app, key, SET, { id, tagIds: [ux] }), null, 'what is not changed is not asked for');
  assert.equal(await failure(app, key, SET, { id, tagIds: [] }), 'FORBIDDEN', 'nor may it take another one away');
  for (const query of [
    `mutation { createPost(title: "X", tagIds: ["${ux}"]) { id } }`,
    'mutation { createTag(name: "mine") { id } }',
    `mutation { updateTag(id: "${ux}", name: "mine") { id } }`,
    `mutation { deleteTag(id: "${ux}") { id } }`,
    `mutation { undo(operationId: "${await deletedTag(app)}") { __typename } }`,
  ]) {
    assert.equal(await failure(app, key, query), 'FORBIDDEN', query);
  }
  const agent = await connectAgent(t, app, { key });
  assert.match(
    await agent.fail('update_post', { post: id, tags: ['bug'] }),
    /FORBIDDEN: .* does not allow the tag "ux"/,
  );
  assert.match(await agent.fail('create_post', { title: 'X', tags: ['ux'], dryRun: true }), /FORBIDDEN/);
});

/** The operation that has deleted a tag. */
async function deletedTag({ api }: TestApp): Promise<string> {
  await api.deleteTag(await api.createTag({ name: 'gone' }));
  return (await api.operations({ limit: 1 }, { nodes: { id: true } })).nodes[0]?.id ?? '';
}

testBoth('of many at the same time, as many as the budget allows are let through', async (app) => {
  await app.makeKey({ name: 'Agent', budget: { ...NO_BUDGET, operations: 20 } });
  const row = (await listKeys(app.db.read, app.board.id)).find(({ name }) => name === 'Agent');
  const key = { id: row?.id ?? '', budget: readBudget(row?.budget ?? null) };
  const tried = Array.from({ length: 60 }, () => takeFromBudget(app, key, { operations: 1, votes: 0 }));
  const results = await Promise.allSettled(tried);
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 20);
  assert.deepEqual(await findSpent(app, key), { operations: 20, votes: 0 });
});

testBoth('a budget is stored only if it limits something, and with whole numbers', async () => {
  assert.equal(storeBudget(NO_BUDGET), null);
  const budget = { operations: 0, votes: 3, tags: null };
  assert.deepEqual(readBudget(storeBudget(budget)), budget);
  for (const operations of [-1, 1.5, Number.NaN, 2_000_000]) {
    assert.throws(
      () => storeBudget({ ...NO_BUDGET, operations }),
      (error: AppError) => error.code === 'BAD_REQUEST',
    );
  }
});

test('every mutation that casts a vote costs one', () => {
  const named = mutationNames.filter((name) => /vote/i.test(name)).sort();
  assert.deepEqual(
    named.map((name) => [name, costOf([name]).votes]),
    [
      ['downvotePost', 1],
      ['removeVote', 0],
      ['upvotePost', 1],
    ],
    'say in budget.ts whether a new one casts a vote',
  );
});
