import assert from 'node:assert/strict';
import { makeField, put } from '../../test/support/fields.ts';
import { type TestWeb, testPages, testWeb } from '../../test/support/web.ts';

const PAGE = '/b/acme/settings/ideas';

const FIELDS = `{ listFields { id label description type isRequired isOnForm visibility options { id name color } } }`;

const listFields = async ({ ask }: TestWeb) => (await ask(FIELDS)).listFields;
const labelsOf = async (web: TestWeb): Promise<string[]> =>
  (await listFields(web)).map(({ label }: { label: string }) => label);

testWeb(
  'fields are made, changed, put in order and deleted on their page, and the last change is undone',
  async (web) => {
    const ada = await web.makeMember('Ada', 'ADMIN');
    const send = (form: Record<string, string>) => ada.post(PAGE, form);
    const area = {
      label: ' Area ',
      type: 'SELECTION',
      options: 'Web\r\n\r\n App ',
      description: 'Where',
      asks: 'required',
    };
    assert.equal((await send({ intent: 'add', ...area })).statusCode, 302);
    const [made] = await listFields(web);
    const [first, second] = made.options;
    assert.deepEqual([first.name, second.name], ['Web', 'App']);
    assert.deepEqual(
      { ...made, id: '', options: [] },
      {
        id: '',
        label: 'Area',
        description: 'Where',
        type: 'SELECTION',
        isRequired: true,
        isOnForm: true,
        visibility: 'PUBLIC',
        options: [],
      },
    );
    await send({ intent: 'add', label: 'Customer', type: 'TEXT', options: 'left out', asks: 'no', private: 'on' });
    await send({ intent: 'add', label: 'Due', type: 'DATE', asks: 'optional' });
    const [, customer, due] = await listFields(web);
    assert.deepEqual([customer.isOnForm, customer.visibility, customer.options], [false, 'TEAM', []]);

    await send({ intent: `up:${due.id}` });
    assert.deepEqual(await labelsOf(web), ['Area', 'Due', 'Customer']);
    await send({ intent: `down:${made.id}` });
    assert.deepEqual(await labelsOf(web), ['Due', 'Area', 'Customer']);
    await send({ intent: `put:${customer.id}`, before: due.id });
    assert.deepEqual(await labelsOf(web), ['Customer', 'Due', 'Area']);
    await send({ intent: `up:${customer.id}` });
    assert.deepEqual(await labelsOf(web), ['Customer', 'Due', 'Area'], 'the first one stays');

    const properties = [put(made, second.id), put(customer, 'Acme')];
    const { id: post } = await web.api.createPost({ title: 'Dark mode', properties });
    const page = (await ada.get(PAGE)).payload;
    assert.match(page, /One of several options · Required · Everyone · 1 idea/);
    assert.match(page, /One line of text · Only the team · 1 idea/);
    assert.match(page, /1 idea loses its value in this field\./);
    const edit = { intent: `edit:${made.id}`, label: 'Part', type: 'SELECTION', description: '', asks: 'optional' };
    const names = { [`option:${first.id}`]: 'Website', [`option:${second.id}`]: 'App' };
    await send({ ...edit, ...names, options: 'API', move: `up:${second.id}` });
    const changed = (await listFields(web))[2];
    assert.deepEqual([changed.label, changed.description, changed.isRequired], ['Part', null, false]);
    assert.deepEqual(
      changed.options.map(({ name }: { name: string }) => name),
      ['App', 'Website', 'API'],
    );
    await web.api.updateField({ id: made.id, options: [...changed.options, { name: 'Elsewhere' }] });
    const removed = await send({ ...edit, ...names, [`remove:${second.id}`]: 'on' });
    assert.deepEqual(
      (await listFields(web))[2].options.map(({ name }: { name: string }) => name),
      ['Website', 'API', 'Elsewhere'],
      'an option that the form does not know of stays',
    );
    const valuesOf = async () =>
      (await web.ask('query($id: String!) { post(id: $id) { properties { field { label } values } } }', { id: post }))
        .post.properties;
    assert.deepEqual(await valuesOf(), [{ field: { label: 'Customer' }, values: ['Acme'] }]);
    const [, operation] = /operation=([^&#]+)/.exec(String(removed.headers.location)) ?? [];
    await ada.post('/b/acme/undo', { operation: operation ?? '' });
    assert.equal((await valuesOf()).length, 2, 'undo brings the option back, and its idea');

    await send({ intent: `delete:${made.id}` });
    assert.equal((await labelsOf(web)).length, 3, 'deleting needs a second thought');
    await send({ intent: `delete:${made.id}`, sure: 'on' });
    assert.deepEqual(await labelsOf(web), ['Customer', 'Due']);
  },
);

testPages('a field that cannot be is refused next to its control, and only admins come here', async (web) => {
  const ada = await web.makeMember('Ada', 'ADMIN');
  const { id } = await makeField(web, 'Area', { type: 'SELECTION', options: [{ name: 'Web' }] });
  const refusals: [form: Record<string, string>, words: RegExp][] = [
    [{ intent: 'add', label: 'AREA', type: 'TEXT' }, /There is already a field &quot;Area&quot;/],
    [{ intent: 'add', label: 'Size', type: 'SELECTION', options: ' \n' }, /A field has 1 to 100 options; there are 0/],
    [{ intent: 'add', label: 'Size', type: 'SELECTION', options: 'S\ns' }, /Two options have the same name/],
    [{ intent: `edit:${id}`, label: '', type: 'SELECTION' }, /<details class="status-edit" open=""/],
    [{ intent: 'edit:unknown', label: 'X', type: 'TEXT' }, /This field no longer exists/],
  ];
  for (const [form, words] of refusals) {
    const refused = await ada.post(PAGE, form);
    assert.equal(refused.statusCode, 422, JSON.stringify(form));
    assert.match(refused.payload, words);
  }
  for (const form of [{ intent: 'else' }, { intent: 'add', label: 'X', type: '__proto__' }])
    assert.equal((await ada.post(PAGE, form)).statusCode, 400);
  const mo = await web.makeMember('Mo', 'MODERATOR');
  assert.equal((await mo.get(PAGE)).statusCode, 403);
  assert.equal((await mo.post(PAGE, { intent: 'add', label: 'X', type: 'TEXT' })).statusCode, 403);
  assert.deepEqual(await labelsOf(web), ['Area']);
});

testPages(
  'a board without fields is offered examples, each added by a button in the language of the page',
  async (web) => {
    const ada = await web.makeMember('Ada', 'ADMIN');
    const { payload } = await ada.get(PAGE);
    assert.match(payload, /There are no fields yet/);
    assert.match(payload, /Website, App, API · Everyone/);
    for (const n of [0, 1, 2]) assert.equal((await ada.post(PAGE, { intent: `example:${n}` })).statusCode, 302);
    assert.equal((await ada.post(PAGE, { intent: 'example:3' })).statusCode, 400);
    assert.deepEqual(await labelsOf(web), ['Product area', 'Effort', 'Customer']);
    assert.doesNotMatch((await ada.get(PAGE)).payload, /There are no fields yet/);
  },
);
