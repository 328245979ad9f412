import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { CREATE_FIELD, DELETE_FIELD, makeField, put, UPDATE_FIELD } from '../../../test/support/fields.ts';

const ID = '019ab000-0000-7000-8000-000000000001';

async function labelsOf({ ask }: TestApp, as: string | null = 'ada'): Promise<string[]> {
  const { listFields, board } = await ask('{ listFields { label } board { fields { label } } }', {}, { as });
  assert.deepEqual(board.fields, listFields);
  return listFields.map(({ label }: { label: string }) => label);
}

testBoth('a field is kept as it was made, and found by its id', async (app) => {
  const given = {
    id: ID,
    label: ' Plan ',
    description: 'What they pay',
    type: 'SELECTION',
    isRequired: true,
    allowUrlPrefill: true,
    locations: ['FORM', 'FORM', 'SIDEBAR'],
    options: [{ id: 'p1', name: 'Free' }, null, { name: 'Pro', color: '#fff' }],
    visibility: 'TEAM',
  };
  const node = await makeField(app, 'Plan', { ...given, boardId: app.board.pid });
  assert.equal(node.options[1]?.id.length, 36);
  assert.deepEqual(node, {
    ...given,
    label: 'Plan',
    locations: ['FORM', 'SIDEBAR'],
    options: [
      { id: 'p1', name: 'Free', color: null },
      { id: node.options[1]?.id ?? '', name: 'Pro', color: '#fff' },
    ],
  });
  const plain = await makeField(app, 'Customer');
  assert.deepEqual({ ...plain, id: '' }, {
    id: '',
    label: 'Customer',
    description: null,
    type: 'TEXT',
    isRequired: false,
    allowUrlPrefill: false,
    locations: [],
    visibility: 'PUBLIC',
    options: [],
  } as object);
  assert.deepEqual(await labelsOf(app), ['Plan', 'Customer']);
  const query = 'query($id: String!) { field(id: $id) { label } }';
  assert.equal((await app.ask(query, { id: ID })).field.label, 'Plan');
  for (const id of ['x', '', 'a\u0000b', app.board.id]) assert.equal((await app.ask(query, { id })).field, null);
});

testBoth('every limit of a field is tested at, below and above it', async (app) => {
  let n = 0;
  const problem = async (variables: object) => {
    const given = { boardId: app.board.id, label: `Field ${n++}`, type: 'TEXT', ...variables };
    const { errors } = await app.gql(CREATE_FIELD, given);
    return errors[0] && [errors[0].extensions.code, errors[0].extensions.field ?? errors[0].message];
  };
  const options = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `Option ${i}` }));
  const selection = (given: object[]) => problem({ type: 'SELECTION', options: given });
  assert.equal(await problem({ label: '👍'.repeat(100) }), undefined);
  assert.deepEqual(await problem({ label: 'x'.repeat(101) }), ['BAD_REQUEST', 'label']);
  assert.deepEqual(await problem({ label: ' ' }), ['BAD_REQUEST', 'label']);
  assert.deepEqual(await problem({ label: '👍'.repeat(100) }), [
    'CONFLICT',
    `There is already a field "${'👍'.repeat(100)}"`,
  ]);
  assert.equal(await problem({ description: 'x'.repeat(1_000) }), undefined);
  assert.deepEqual(await problem({ description: 'x'.repeat(1_001) }), ['BAD_REQUEST', 'description']);
  assert.equal(
    await problem({ locations: Array.from({ length: 20 }, (_, i) => `${i}`.padStart(100, 'x')) }),
    undefined,
  );
  assert.deepEqual(await problem({ locations: Array.from({ length: 21 }, (_, i) => `${i}`) }), [
    'BAD_REQUEST',
    'locations',
  ]);
  for (const location of ['', 'x'.repeat(101)]) {
    assert.deepEqual(await problem({ locations: [location] }), ['BAD_REQUEST', 'locations']);
  }
  assert.equal(await selection(options(100)), undefined);
  assert.deepEqual(await selection(options(101)), ['BAD_REQUEST', 'options']);
  assert.deepEqual(await selection([]), ['BAD_REQUEST', 'options']);
  assert.equal(await selection([{ id: 'x'.repeat(100), name: 'x'.repeat(100) }]), undefined);
  assert.deepEqual(await selection([{ name: 'x'.repeat(101) }]), ['BAD_REQUEST', 'options']);
  assert.deepEqual(await selection([{ name: '' }]), ['BAD_REQUEST', 'options']);
  assert.deepEqual(await selection([{ id: '', name: 'x' }]), ['BAD_REQUEST', 'options']);
  assert.deepEqual(await selection([{ name: 'x', color: 'red' }]), ['BAD_REQUEST', 'color']);
  assert.deepEqual(await selection([{ name: 'x' }, { name: 'X' }]), ['CONFLICT', 'Two options have the same name']);
  const twins = [
    { id: 'a', name: 'x' },
    { id: 'a', name: 'y' },
  ];
  assert.deepEqual(await selection(twins), ['CONFLICT', 'Two options have the same id']);
  assert.deepEqual(await problem({ options: options(1) }), ['BAD_REQUEST', 'options']);
  assert.equal(await problem({ id: ID }), undefined);
  assert.deepEqual(await problem({ id: ID }), ['CONFLICT', 'There is already a field with this id']);
  assert.deepEqual(await problem({ id: 'mine' }), ['BAD_REQUEST', 'id']);
  assert.deepEqual(await problem({ boardId: 'other' }), ['NOT_FOUND', 'Board not found']);
});

testBoth('a board has at most 50 fields, and no two with one label, also when many come at once', async (app) => {
  for (let n = 0; n < 45; n++) await makeField(app, `Field ${n}`);
  const labels = Array.from({ length: 16 }, (_, n) => (n % 2 ? `More ${n >> 1}` : `MORE ${n >> 1}`));
  const calls = labels.map((label) => app.gql(CREATE_FIELD, { boardId: app.board.id, label, type: 'TEXT' }));
  const codes = (await Promise.all(calls)).map(({ errors }) => errors[0]?.extensions.code ?? 'made');
  assert.equal(codes.filter((code) => code === 'made').length, 5);
  assert.equal((await labelsOf(app)).length, 50);
  const { errors } = await app.gql(CREATE_FIELD, { boardId: app.board.id, label: 'Further', type: 'TEXT' });
  assert.equal(errors[0]?.message, 'A board has at most 50 fields');
});

testBoth('updateField changes what is given, and deleteField takes the field away', async (app) => {
  const field = await makeField(app, 'Customer', { description: 'Who', locations: ['FORM'] });
  const { id } = field;
  const change = async (variables: object) => (await app.ask(UPDATE_FIELD, { id, ...variables })).updateField.node;
  assert.deepEqual(await change({}), field);
  assert.deepEqual(await change({ label: null, locations: null, type: null, isRequired: null }), field);
  const changes = { label: 'CUSTOMER', locations: [], isRequired: true, allowUrlPrefill: true, visibility: 'TEAM' };
  assert.deepEqual(await change(changes), { ...field, ...changes });
  assert.equal((await change({ description: null })).description, null);
  await makeField(app, 'Other');
  const problem = async (variables: object) => (await app.gql(UPDATE_FIELD, { id, ...variables })).errors[0];
  assert.equal((await problem({ label: 'other' }))?.message, 'There is already a field "Other"');
  assert.equal((await problem({ options: [{ name: 'x' }] }))?.extensions.field, 'options');
  assert.deepEqual(await app.api.deleteField({ id }, { id: true, label: true }), { id, label: 'CUSTOMER' });
  for (const query of [UPDATE_FIELD, DELETE_FIELD]) {
    for (const unknown of [id, 'x', '', 'a\u0000b']) {
      assert.equal((await app.gql(query, { id: unknown })).errors[0]?.message, 'Field not found');
    }
  }
  assert.deepEqual(await labelsOf(app), ['Other']);
});

testBoth(
  'rearrangeFields puts those that are named in order, and undo brings the order and a deleted field back',
  async (app) => {
    const ids: Record<string, string> = {};
    for (const label of ['A', 'B', 'C', 'D']) ids[label] = (await makeField(app, label)).id;
    const rearrange = (labels: string) =>
      app.ask('mutation($ids: [String!]!) { rearrangeFields(ids: $ids) }', {
        ids: [...labels].map((label) => ids[label] ?? label),
      });
    for (const [labels, order] of [
      ['DCBA', 'DCBA'],
      ['AB', 'DCAB'],
      ['', 'DCAB'],
      ['BD', 'BCAD'],
    ] as const) {
      assert.deepEqual(await rearrange(labels), { rearrangeFields: true });
      assert.equal((await labelsOf(app)).join(''), order);
    }
    const refused = await app.gql('mutation($ids: [String!]!) { rearrangeFields(ids: $ids) }', { ids: [ids.A, ids.A] });
    assert.equal(refused.errors[0]?.extensions.code, 'BAD_REQUEST');
    const unknown = await app.gql('mutation { rearrangeFields(ids: ["x"]) }');
    assert.equal(unknown.errors[0]?.message, 'Field not found');
    await makeField(app, 'E');
    await app.ask(DELETE_FIELD, { id: ids.C });
    assert.equal((await labelsOf(app)).join(''), 'BADE');
    const undoLast = async () => {
      const { operations } = await app.ask('{ operations(limit: 10) { nodes { id isUndoable changes { thing } } } }');
      const [last] = operations.nodes.filter((one: { isUndoable: boolean }) => one.isUndoable);
      await app.ask('mutation($id: String!) { undo(operationId: $id) { dateUndone } }', { id: last.id });
      return last.changes.map(({ thing }: { thing: string }) => thing);
    };
    assert.deepEqual(await undoLast(), ['FIELD']);
    assert.equal((await labelsOf(app)).join(''), 'BCADE');
    await rearrange('DB');
    assert.equal((await labelsOf(app)).join(''), 'DCABE');
    assert.deepEqual(await undoLast(), ['FIELD_ORDER']);
    assert.equal((await labelsOf(app)).join(''), 'BCADE');
  },
);

testBoth('options keep their ids, and are renamed on all posts and removed from them', async (app) => {
  const { id, options } = await makeField(app, 'Plan', {
    type: 'SELECTION_MULTI',
    options: [{ name: 'Free' }, { id: 'a', name: 'Pro' }, { id: 'A', name: 'Max' }],
  });
  const [free] = options;
  const post = await app.api.createPost(
    { title: 'Dark mode', properties: [put({ id }, 'free', 'a', 'A')] },
    { id: true, properties: { parent: true, values: true } },
  );
  assert.deepEqual(post.properties, [put({ id }, free?.id ?? '', 'a', 'A')]);
  const change = async (given: object[]) =>
    (await app.ask(UPDATE_FIELD, { id, options: given })).updateField.node.options;
  const read = () => app.api.post({ id: post.id }, { properties: { values: true } });
  // Named by its id, by its name, and a new one in between; the one that is missing goes.
  const after = await change([{ id: 'A', name: 'Maximum', color: '#000' }, { name: 'New' }, { name: 'FREE' }]);
  assert.deepEqual(after, [
    { id: 'A', name: 'Maximum', color: '#000' },
    { id: after[1].id, name: 'New', color: null },
    { id: free?.id ?? '', name: 'FREE', color: null },
  ]);
  assert.deepEqual((await read())?.properties, [{ values: [free?.id, 'A'] }]);
  await change([{ name: 'New' }]);
  assert.deepEqual((await read())?.properties, []);
  await assert.rejects(app.api.updatePost({ id: post.id, properties: [put({ id }, 'a')] }), {
    field: 'properties',
  });
});

testBoth('a field with values takes only a type that takes them all', async (app) => {
  const values = { TEXT: 'x', NUMBER: '1', DATE: '2026-11-21', URL: 'https://x.test/', CHECKBOX: 'true' };
  const wider = { TEXT: 'TEXT_LONG', NUMBER: 'TEXT', DATE: 'TEXT', URL: 'TEXT_LONG', CHECKBOX: 'TEXT' };
  for (const [type, value] of Object.entries(values)) {
    const field = await makeField(app, type, { type });
    const { id } = await app.api.createPost({ title: 'Dark mode', properties: [put(field, value)] });
    const { errors } = await app.gql(UPDATE_FIELD, { id: field.id, type: type === 'NUMBER' ? 'DATE' : 'NUMBER' });
    assert.equal(errors[0]?.extensions.code, 'CONFLICT', type);
    await app.ask(UPDATE_FIELD, { id: field.id, type: wider[type as keyof typeof wider] });
    const post = await app.api.post({ id }, { properties: { values: true } });
    assert.deepEqual(post?.properties, [{ values: [value] }], type);
  }
  const unused = await makeField(app, 'Unused', { type: 'SELECTION', options: [{ name: 'x' }] });
  const { node } = (await app.ask(UPDATE_FIELD, { id: unused.id, type: 'NUMBER' })).updateField;
  assert.deepEqual([node.type, node.options], ['NUMBER', []]);
  const { errors } = await app.gql(UPDATE_FIELD, { id: unused.id, type: 'SELECTION' });
  assert.equal(errors[0]?.extensions.field, 'options');
});

testBoth('fields for the team are hidden from members and from anonymous requests', async (app) => {
  for (const [name, role] of [['bob'], ['mod', 'MODERATOR']] as const) await app.makeUser(name, role);
  await makeField(app, 'Customer');
  const secret = await makeField(app, 'Revenue', { visibility: 'TEAM' });
  const query = 'query($id: String!) { field(id: $id) { label } }';
  for (const as of ['ada', 'mod']) {
    assert.deepEqual(await labelsOf(app, as), ['Customer', 'Revenue']);
    assert.equal((await app.ask(query, { id: secret.id }, { as })).field.label, 'Revenue');
  }
  for (const as of ['bob', null]) assert.deepEqual(await labelsOf(app, as), ['Customer']);
  assert.equal((await app.ask(query, { id: secret.id }, { as: 'bob' })).field, null);
});
