import assert from 'node:assert/strict';
import type { PostPropertyInput } from '../../../sdk/src/schema.ts';
import { recount } from '../../../test/crash/recount.ts';
import { errorOf } from '../../../test/support/api.ts';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { ADD_POST, DELETE_FIELD, makeField, put, SET_PROPERTIES, UPDATE_FIELD } from '../../../test/support/fields.ts';
import { purgePosts } from '../lifecycle/purge.ts';

const READ = `query($id: String!) { post(id: $id) {
  properties { id parent type values field { label options { name } } }
} }`;

async function valuesOf({ ask }: TestApp, id: string, as = 'ada'): Promise<string[][]> {
  const { post } = await ask(READ, { id }, { as });
  return post.properties.map(({ values }: { values: string[] }) => values);
}

const rowsOf = ({ db }: TestApp) => db.read.selectFrom('post_properties').selectAll().execute();

testBoth('a post has what it was given, in the order of the fields', async (app) => {
  const plan = await makeField(app, 'Plan', { type: 'SELECTION', options: [{ name: 'Free' }, { name: 'Pro' }] });
  const seats = await makeField(app, 'Seats', { type: 'NUMBER' });
  await makeField(app, 'Unused');
  const properties = [put(seats, '007'), null, put(plan, 'pro', null)];
  const createPost = await app.api.createPost({ title: 'Dark mode', properties });
  const { post } = await app.ask(READ, { id: createPost.id });
  const option = plan.options[1]?.id;
  const field = { label: 'Plan', options: [{ name: 'Free' }, { name: 'Pro' }] };
  assert.deepEqual(post.properties, [
    { id: `${createPost.id}:${plan.id}`, parent: plan.id, type: 'SELECTION', values: [option], field },
    {
      id: `${createPost.id}:${seats.id}`,
      parent: seats.id,
      type: 'NUMBER',
      values: ['7'],
      field: { label: 'Seats', options: [] },
    },
  ]);
});

testBoth('updatePost changes the named fields, and clears those without values', async (app) => {
  const [one, two] = [await makeField(app, 'One'), await makeField(app, 'Two')];
  const { id, dateUpdated } = (
    await app.ask(ADD_POST.replace('{ id', '{ id dateUpdated'), {
      properties: [put(one, 'a'), put(two, 'b')],
    })
  ).createPost;
  app.clock.advance(1_000);
  const set = (...properties: PostPropertyInput[]) =>
    app.api.updatePost({ id, properties }, { properties: { parent: true, values: true } });
  assert.deepEqual((await set(put(one, 'A'))).properties, [put(one, 'A'), put(two, 'b')]);
  assert.deepEqual((await set(put(two))).properties, [put(one, 'A')]);
  assert.deepEqual((await set(put(one, '', null), put(two, 'c'))).properties, [put(two, 'c')]);
  assert.deepEqual((await set()).properties, [put(two, 'c')]);
  const post = await app.api.post({ id }, { dateUpdated: true });
  assert.ok(post && post.dateUpdated > dateUpdated);
  const problem = (...properties: PostPropertyInput[]) => errorOf(app.api.updatePost({ id, properties }));
  assert.equal((await problem(put(one, 'a'), put(one, 'b')))?.field, 'properties');
  assert.equal((await problem(put(two, 'x'), put({ id: 'nothing' }, 'a')))?.message, 'Field not found');
  assert.equal((await problem(put(two, 'x'.repeat(501))))?.field, 'properties');
  assert.deepEqual(await valuesOf(app, id), [['c']]);
});

testBoth(
  'authors and moderators change the public fields of a post; only the team changes fields for the team',
  async (app) => {
    for (const [name, role] of [['bob'], ['eve'], ['mod', 'MODERATOR']] as const) await app.makeUser(name, role);
    const open = await makeField(app, 'Open');
    const secret = await makeField(app, 'Secret', { visibility: 'TEAM' });
    const { id } = await app.api.as('bob').createPost({ title: 'Dark mode', properties: [put(open, 'a')] });
    const set = async (field: { id: string }, value: string, as: string) => {
      const { errors } = await app.gql(SET_PROPERTIES, { id, properties: [put(field, value)] }, { as });
      return errors[0] && (errors[0].extensions.code === 'FORBIDDEN' ? 'FORBIDDEN' : errors[0].message);
    };
    assert.equal(await set(open, 'b', 'bob'), undefined);
    assert.equal(await set(open, 'x', 'eve'), 'FORBIDDEN');
    assert.equal(await set(secret, 'x', 'bob'), 'Field not found');
    assert.equal(await set(secret, 'deal', 'mod'), undefined);
    assert.deepEqual(await valuesOf(app, id, 'bob'), [['b']]);
    assert.deepEqual(await valuesOf(app, id, 'mod'), [['b'], ['deal']]);
    await assert.rejects(app.api.as('bob').createPost({ title: 'Dark mode', properties: [put(secret, 'x')] }), {
      message: 'Field not found',
    });
    const events = await app.api.events({ limit: 100 }, { nodes: { data: true } });
    assert.ok(!JSON.stringify(events).includes('deal'));
    await app.ask(UPDATE_FIELD, { id: open.id, visibility: 'TEAM' });
    assert.deepEqual(await valuesOf(app, id, 'bob'), []);
  },
);

testBoth('a new post needs a value in required fields that its writer sees', async (app) => {
  await app.makeUser('bob');
  const plan = await makeField(app, 'Plan', { isRequired: true });
  await makeField(app, 'Secret', { isRequired: true, visibility: 'TEAM' });
  const problem = async (variables: object, as = 'bob') =>
    (await app.gql(ADD_POST, { ...variables }, { as })).errors[0]?.message;
  assert.equal(await problem({}), 'The field "Plan" needs a value');
  assert.equal(await problem({ properties: [put(plan, ' ')] }), 'The field "Plan" needs a value');
  assert.equal(await problem({ properties: [put(plan, 'a')] }), undefined);
  assert.equal(await problem({ properties: [put(plan, 'a')] }, 'ada'), 'The field "Secret" needs a value');
  assert.equal(await problem({ date: '2020-01-01T00:00:00Z' }, 'ada'), undefined);
  const { id } = await app.api.as('bob').createPost({ title: 'Dark mode', properties: [put(plan, 'a')] });
  await assert.rejects(app.api.as('bob').updatePost({ id, properties: [put(plan)] }), {
    message: 'The field "Plan" needs a value',
  });
  await app.api.as('bob').updatePost({ id, title: 'New' });
});

testBoth('a post with a known externalId comes back as it is, whatever fields it lacks', async (app) => {
  const query = 'mutation { createPost(title: "T", externalId: "x-1") { id } }';
  const first = await app.ask(query);
  await makeField(app, 'Plan', { isRequired: true });
  assert.deepEqual(await app.ask(query), first);
});

testBoth('deleteField removes the values of all posts, deleted ones too, without an event', async (app) => {
  const [one, two] = [await makeField(app, 'One'), await makeField(app, 'Two')];
  const properties = [put(one, 'a'), put(two, 'b')];
  const kept = (await app.api.createPost({ title: 'Dark mode', properties })).id;
  const gone = (await app.api.createPost({ title: 'Dark mode', properties })).id;
  await app.api.deletePost({ postId: gone });
  const events = '{ events { nodes { type } } }';
  const before = await app.ask(events);
  await app.api.deleteField({ id: one.id });
  assert.deepEqual(await app.ask(events), before);
  assert.deepEqual((await app.api.restorePost({ id: gone }, { properties: { values: true } })).properties, [
    { values: ['b'] },
  ]);
  assert.deepEqual(await valuesOf(app, kept), [['b']]);
  assert.equal((await rowsOf(app)).length, 2);
});

testBoth('a merged post keeps what it has, and the target what it had', async (app) => {
  const field = await makeField(app, 'Plan');
  const source = (await app.api.createPost({ title: 'Dark mode', properties: [put(field, 'a')] })).id;
  const target = (await app.api.createPost({ title: 'Dark mode', properties: [put(field, 'b')] })).id;
  await app.api.mergePosts({ sourceIds: [source], targetId: target });
  assert.deepEqual([await valuesOf(app, source), await valuesOf(app, target)], [[['a']], [['b']]]);
  await app.api.unmergePost({ id: source });
  assert.deepEqual([await valuesOf(app, source), await valuesOf(app, target)], [[['a']], [['b']]]);
  assert.deepEqual(await recount(app.db.read), []);
});

testBoth('a post that is gone permanently leaves nothing in fields', async (app) => {
  const field = await makeField(app, 'Plan');
  const { id } = await app.api.createPost({ title: 'Dark mode', properties: [put(field, 'a')] });
  await app.api.deletePost({ postId: id });
  app.clock.advance(31 * 86_400_000);
  await purgePosts({ db: app.db, clock: app.clock, baseUrl: 'http://board.test' });
  assert.deepEqual(await rowsOf(app), []);
});

testBoth('values that are written while their field changes are never left without it', async (app) => {
  const options = [
    { id: 'a', name: 'A' },
    { id: 'b', name: 'B' },
  ];
  const fields = [];
  for (const label of ['One', 'Two']) fields.push(await makeField(app, label, { type: 'SELECTION', options }));
  const [one = { id: '' }, two = { id: '' }] = fields;
  const id = await app.makePost('Post');
  const write = (field: { id: string }) => [
    app.gql(ADD_POST, { properties: [put(field, 'a')] }),
    app.gql(SET_PROPERTIES, { id, properties: [put(field, 'a')] }),
  ];
  const answers = await Promise.all([
    ...write(one),
    ...write(two),
    app.gql(DELETE_FIELD, { id: one.id }),
    app.gql(UPDATE_FIELD, { id: two.id, options: options.slice(1) }),
    ...write(one),
    ...write(two),
  ]);
  const codes = new Set(answers.flatMap(({ errors }) => errors[0]?.extensions.code ?? []));
  assert.deepEqual(
    [...codes].filter((code) => !['NOT_FOUND', 'BAD_REQUEST', 'CONFLICT'].includes(code)),
    [],
  );
  assert.deepEqual(await rowsOf(app), []);
});
