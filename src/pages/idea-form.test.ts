import assert from 'node:assert/strict';
import { makeField } from '../../test/support/fields.ts';
import { signUp, type TestWeb, testPages, testWeb } from '../../test/support/web.ts';

const SETTINGS = '/b/acme/settings/ideas';

/** Fields of each kind of control, all asked for: Size is required, Note is for the team. */
async function makeForm(web: TestWeb) {
  const options = [{ name: 'Small' }, { name: 'Large' }];
  const size = await makeField(web, 'Size', { type: 'SELECTION', options, description: 'Of your team' });
  const uses = await makeField(web, 'Uses', { type: 'SELECTION_MULTI', options });
  const [date, count] = [
    await makeField(web, 'Date', { type: 'DATE' }),
    await makeField(web, 'Count', { type: 'NUMBER' }),
  ];
  const [link, agreed] = [
    await makeField(web, 'Link', { type: 'URL' }),
    await makeField(web, 'Agreed', { type: 'CHECKBOX' }),
  ];
  const note = await makeField(web, 'Note', { visibility: 'TEAM' });
  for (const field of [uses, date, count, link, agreed, note]) {
    await web.api.updateField({ id: field.id, isOnForm: true });
  }
  await web.api.updateField({ id: size.id, isOnForm: true, isRequired: true });
  await makeField(web, 'Unasked', { isRequired: true });
  return { size, uses, date, count, link, agreed, note };
}

const valuesOf = async (web: TestWeb, title: string): Promise<Record<string, string[]>> => {
  const query = '{ posts { nodes { title content properties { field { label } values } } } }';
  const post = (await web.ask(query)).posts.nodes.find((each: { title: string }) => each.title === title);
  return Object.fromEntries(
    post.properties.map(({ field, values }: { field: { label: string }; values: string[] }) => [field.label, values]),
  );
};

testWeb('the form for ideas has the fields of the settings, and shows each error next to its field', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  const fields = await makeForm(web);
  const [small, large] = fields.size.options;
  const [first, second] = fields.uses.options;
  const vera = await signUp(web, 'Vera');
  const page = (await vera.get('/b/acme')).payload;
  for (const label of ['Size', 'Uses', 'Date', 'Count', 'Link', 'Agreed', 'Of your team'])
    assert.match(page, new RegExp(`>${label}<`));
  assert.doesNotMatch(page, />Note<|>Unasked</);
  assert.match((await owner.get('/b/acme')).payload, />Note</);
  const form = {
    title: 'Dark mode',
    [`field:${fields.size.id}`]: small?.id ?? '',
    [`field:${fields.uses.id}:${first?.id}`]: 'on',
    [`field:${fields.uses.id}:${second?.id}`]: 'on',
    [`field:${fields.date.id}`]: '2026-12-24',
    [`field:${fields.count.id}`]: '12',
    [`field:${fields.link.id}`]: 'https://a.example',
    [`field:${fields.agreed.id}`]: 'on',
    [`field:${fields.note.id}`]: 'Not for members',
  };
  const wrong: [change: Record<string, string>, words: RegExp][] = [
    [{ [`field:${fields.size.id}`]: '' }, /id="([^"]*)-error"[^>]*>.*The field &quot;Size&quot; needs a value/s],
    [{ [`field:${fields.size.id}`]: 'Huge' }, /accepts the id or name of one of its options/],
    [{ [`field:${fields.count.id}`]: 'many' }, /The field &quot;Count&quot; accepts a decimal number/],
    [{ [`field:${fields.link.id}`]: 'javascript:alert(1)' }, /accepts a URL/],
    [
      { [`field:${fields.link.id}`]: `https://a.example/${'x'.repeat(9_000)}` },
      />This must have 1 to [\d,]+ characters; it has/,
    ],
    [{ [`field:${fields.date.id}`]: 'soon' }, /accepts a date/],
  ];
  for (const [change, words] of wrong) {
    const refused = await vera.post('/b/acme?index', { ...form, ...change });
    assert.equal(refused.statusCode, 422, String(words));
    assert.match(refused.payload, words);
    assert.match(refused.payload, /value="Dark mode"/);
  }
  assert.equal((await vera.post('/b/acme?index', form)).statusCode, 302);
  assert.deepEqual(await valuesOf(web, 'Dark mode'), {
    Size: [small?.id],
    Uses: [first?.id, second?.id],
    Date: ['2026-12-24'],
    Count: ['12'],
    Link: ['https://a.example'],
    Agreed: ['true'],
  });
  await vera.post('/b/acme?index', { title: 'Bright mode', [`field:${fields.size.id}`]: large?.id ?? '' });
  assert.deepEqual(await valuesOf(web, 'Bright mode'), { Size: [large?.id] });
  await web.api.updateField({ id: fields.size.id, isOnForm: false });
  assert.doesNotMatch((await vera.get('/b/acme')).payload, />Size</);
});

testPages('an idea that an anonymous visitor began with fields is posted with them after signing in', async (web) => {
  const { size } = await makeForm(web);
  const vera = await signUp(web, 'Vera');
  const session = new Map(vera.cookies);
  vera.cookies.clear();
  assert.equal((await vera.post('/b/acme?index', { title: 'Dark mode' })).statusCode, 422);
  const form = { title: 'Dark mode', [`field:${size.id}`]: size.options[0]?.id ?? '' };
  assert.equal((await vera.post('/b/acme?index', form)).statusCode, 302);
  for (const [name, value] of session) vera.cookies.set(name, value);
  await vera.get('/b/acme/continue');
  assert.deepEqual(await valuesOf(web, 'Dark mode'), { Size: [size.options[0]?.id] });
});

testPages('a description begins with the template of the board, which alone does not count as one', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  const save = (postTemplate: string) => owner.post(SETTINGS, { intent: 'template', postTemplate });
  assert.equal((await save('x'.repeat(2_001))).statusCode, 422);
  assert.equal((await save('**What?**\n\n**Why <now>?**')).statusCode, 302);
  const vera = await signUp(web, 'Vera');
  assert.equal((await vera.get(SETTINGS)).statusCode, 403);
  assert.equal((await vera.post(SETTINGS, { intent: 'template', postTemplate: 'x' })).statusCode, 403);
  assert.match((await vera.get('/b/acme')).payload, /\*\*What\?\*\*\n\n\*\*Why &lt;now&gt;\?\*\*<\/textarea>/);
  await vera.post('/b/acme?index', { title: 'Empty', comment: '**What?**\r\n\r\n**Why <now>?**\r\n' });
  await vera.post('/b/acme?index', { title: 'Full', comment: '**What?**\r\nDark' });
  const posts = await web.api.posts({ sort: 'OLDEST' }, { nodes: { title: true, content: true } });
  assert.deepEqual(posts.nodes, [
    { title: 'Empty', content: null },
    { title: 'Full', content: '**What?**\nDark' },
  ]);
  await save('');
  assert.doesNotMatch((await vera.get('/b/acme')).payload, /\*\*What\?/);
});

testPages('the settings preview the form with the same controls as visitors get, to look at only', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  await makeForm(web);
  await owner.post(SETTINGS, { intent: 'template', postTemplate: 'What?' });
  const controlsOf = (html: string) =>
    [...html.matchAll(/<(?:input|textarea|select)[^>]* name="(?:title|comment|field:[^"]*)"[^>]*>/g)].map(([tag]) =>
      tag.replace(/ (?:id|aria-describedby)="[^"]*"/g, ''),
    );
  const visitors = (await (await signUp(web, 'Vera')).get('/b/acme')).payload;
  const preview =
    (await owner.get(SETTINGS)).payload.match(/<div class="new-idea" inert="">.*?<\/section>/s)?.[0] ?? '';
  assert.equal(controlsOf(preview).length, 9);
  assert.deepEqual(controlsOf(preview), controlsOf(visitors));
  assert.match(preview, />What\?<\/textarea>/);
  assert.match(preview, />Of your team</);
  assert.doesNotMatch(preview, /<form|>Note<|id="new-idea"/);
});
