import assert from 'node:assert/strict';
import { makeField, put, type SeenField } from '../../test/support/fields.ts';
import { signUp, type TestWeb, testWeb, type WebVisitor } from '../../test/support/web.ts';

const POST = '/b/acme/posts/1';

type Fields = Record<string, string>;

/**
 * A form of a page as it begins: its hidden fields, which a browser sends with what is typed.
 * @param has its intent, or the name of one of these fields
 */
async function openForm(visitor: WebVisitor, path: string, has: string): Promise<Fields> {
  const { payload } = await visitor.get(path);
  const marks = [`value="${has}" name="intent"`, `name="intent" value="${has}"`, `name="${has}"`];
  const form = payload.split('<form').find((part) => marks.some((mark) => part.includes(mark)));
  assert.ok(form, `${path} has the form ${has}`);
  const inputs = form.split('</form>')[0]?.match(/<input[^>]*type="hidden"[^>]*>/g) ?? [];
  const attribute = (input: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1] ?? '';
  return Object.fromEntries(inputs.map((input) => [attribute(input, 'name'), attribute(input, 'value')]));
}

async function makeTeam(web: TestWeb) {
  const id = await web.makePost('Dark mode');
  await web.api.updatePost({ id, comment: 'My eyes hurt.\n\nAt night.' });
  const [mo, ann] = [await web.makeMember('Mo', 'MODERATOR'), await web.makeMember('Ann', 'MODERATOR')];
  const state = async () =>
    (
      await web.ask(`{ post: postByNumber(number: 1) { title status { name } expected isPinned isLocked
        comments(types: [BASIC]) { nodes { text } } tags { name } assignments { nodes { user { name } } } } }`)
    ).post;
  return { id, mo, ann, state };
}

/** Two users open the same form; the first sends it, and so does the second. @returns the second answer, and its form */
async function both(one: WebVisitor, other: WebVisitor, path: string, intent: string, first: Fields, second: Fields) {
  const [its, form] = [await openForm(one, path, intent), await openForm(other, path, intent)];
  assert.equal((await one.post(path, { ...its, ...first })).statusCode, 302);
  return { form, answer: await other.post(path, { ...form, ...second }) };
}

testWeb('two edits of one text: the second sees the first, and replaces it only when sent again', async (web) => {
  const { mo, ann, state } = await makeTeam(web);
  const text = 'My eyes hurt.\r\n\r\nAt night.';
  const path = `${POST}?edit=post`;
  const { form, answer } = await both(
    mo,
    ann,
    path,
    'edit',
    { title: 'Night mode', comment: text },
    { title: 'Dim mode', comment: text },
  );
  assert.equal(answer.statusCode, 409);
  assert.match(answer.payload, /Someone else saved a change.*Night mode.*value="Dim mode"/s);
  assert.equal((await state()).title, 'Night mode');
  const [, version] =
    /name="was:title" value="([^"]+)"/.exec(answer.payload) ??
    /value="([^"]+)" name="was:title"/.exec(answer.payload) ??
    [];
  assert.ok(version && version !== form['was:title']);
  const again = await ann.post(POST, { ...form, 'was:title': version, title: 'Dim mode', comment: text });
  assert.equal(again.statusCode, 302);
  assert.equal((await state()).title, 'Dim mode');
});

testWeb('edits of different parts are both kept, and so are equal ones', async (web) => {
  const { mo, ann, state } = await makeTeam(web);
  const path = `${POST}?edit=post`;
  const text = 'My eyes hurt.\r\n\r\nAt night.';
  const parts = await both(
    mo,
    ann,
    path,
    'edit',
    { title: 'Night mode', comment: text },
    { title: 'Dark mode', comment: 'At noon.' },
  );
  assert.equal(parts.answer.statusCode, 302);
  const equal = await both(
    mo,
    ann,
    path,
    'edit',
    { title: 'Dim', comment: 'At noon.' },
    { title: 'Dim', comment: 'At noon.' },
  );
  assert.equal(equal.answer.statusCode, 302);
  const { title, comments } = await state();
  assert.deepEqual([title, comments.nodes[0].text], ['Dim', 'At noon.']);
});

testWeb('statuses, expected times and assignments are not overwritten unseen', async (web) => {
  const { mo, ann, state } = await makeTeam(web);
  const { statuses } = await web.ask('{ statuses: listStatuses { id name } }');
  const idOf = (name: string) => statuses.find((status: { name: string }) => status.name === name).id;
  const status = await both(
    mo,
    ann,
    POST,
    'status',
    { status: idOf('Planned') },
    { status: idOf('Archived'), comment: 'No.' },
  );
  assert.equal(status.answer.statusCode, 409);
  assert.match(status.answer.payload, /Someone else saved a change.*<dd[^>]*>Planned<\/dd>.*No\./s);
  const time = /<option value="(\d{4}-Q\d)"/.exec(status.answer.payload)?.[1] ?? '';
  const apart = await both(
    mo,
    ann,
    POST,
    'status',
    { status: idOf('In progress') },
    { status: idOf('Planned'), expected: time },
  );
  assert.equal(apart.answer.statusCode, 302);
  assert.deepEqual([(await state()).status.name, (await state()).expected], ['In progress', time]);

  const team = await web.ask('{ users { id name } }');
  const person = (name: string) => team.users.find((user: { name: string }) => user.name === name).id;
  const assigned = await both(mo, ann, POST, 'assign', { assignee: person('Mo') }, { assignee: person('Ann') });
  assert.equal(assigned.answer.statusCode, 409);
  assert.match(assigned.answer.payload, /<dd[^>]*>Mo<\/dd>/);
  assert.deepEqual((await state()).assignments.nodes, [{ user: { name: 'Mo' } }]);
});

testWeb('a message without another status is not lost, and the form says why it was not posted', async (web) => {
  const { mo, state } = await makeTeam(web);
  const form = await openForm(mo, POST, 'status');
  const status = (await web.ask('{ listStatuses { id } }')).listStatuses[0].id;
  const answer = await mo.post(POST, { ...form, status, expected: '2027-01', comment: 'We look at it.' });
  assert.equal(answer.statusCode, 409);
  assert.match(answer.payload, /The status is still the same.*We look at it\./s);
  assert.equal((await state()).expected, null);
});

testWeb('tags of both stay, and a switch is set, not turned over', async (web) => {
  const { mo, ann, state } = await makeTeam(web);
  const [look, night, old] = [
    await web.api.createTag({ name: 'Look' }),
    await web.api.createTag({ name: 'Night' }),
    await web.api.createTag({ name: 'Old' }),
  ];
  await mo.post(POST, { intent: 'tags', [`tag:${old.id}`]: 'on' });
  const tags = await both(
    mo,
    ann,
    POST,
    'tags',
    { [`tag:${look.id}`]: 'on' },
    { [`tag:${old.id}`]: 'on', [`tag:${night.id}`]: 'on' },
  );
  assert.equal(tags.answer.statusCode, 302);
  assert.deepEqual((await state()).tags.map(({ name }: { name: string }) => name).sort(), ['Look', 'Night']);
  for (const intent of ['pin', 'lock']) {
    assert.equal((await both(mo, ann, POST, intent, {}, {})).answer.statusCode, 302);
  }
  const { isPinned, isLocked } = await state();
  assert.deepEqual([isPinned, isLocked], [true, true]);
});

testWeb('fields of an idea are filled in by the team and its author, and not overwritten unseen', async (web) => {
  const { id, mo, ann } = await makeTeam(web);
  const area = await makeField(web, 'Area', { type: 'SELECTION_MULTI', options: [{ name: 'Web' }, { name: 'App' }] });
  const size = await makeField(web, 'Size', { type: 'NUMBER', isRequired: true });
  const paid = await makeField(web, 'Paid', { type: 'CHECKBOX', visibility: 'TEAM' });
  const [site, app] = area.options.map(({ id }) => `field:${area.id}:${id}`);
  const namesOf = (given: string[]) => given.map((value) => area.options.find(({ id }) => id === value)?.name ?? value);
  const values = async () => {
    const { post } = await web.ask('{ post: postByNumber(number: 1) { properties { field { label } values } } }');
    return Object.fromEntries(
      post.properties.map((one: { field: SeenField; values: string[] }) => [one.field.label, namesOf(one.values)]),
    );
  };
  const page = (await mo.get(POST)).payload;
  for (const words of ['Fill in fields', 'Area', 'Size', 'Paid']) assert.ok(page.includes(words), words);
  const none = await mo.post(POST, { ...(await openForm(mo, POST, 'fields')), [site ?? '']: 'on' });
  assert.equal(none.statusCode, 422);
  assert.match(none.payload, /The field &quot;Size&quot; needs a value/);

  const { form, answer } = await both(
    mo,
    ann,
    POST,
    'fields',
    { [`field:${size.id}`]: '2', [site ?? '']: 'on', [`field:${paid.id}`]: 'on' },
    { [`field:${size.id}`]: '3', [app ?? '']: 'on' },
  );
  assert.equal(answer.statusCode, 409);
  assert.match(answer.payload, /Someone else saved a change.*Area.*Web.*Size.*2/s);
  assert.deepEqual(await values(), { Area: ['Web'], Size: ['2'], Paid: ['true'] });
  const versions = Object.fromEntries(
    Object.keys(form)
      .filter((name) => name.startsWith('was:'))
      .map((name) => {
        const [, version = ''] = new RegExp(`name="${name}" value="([^"]+)"`).exec(answer.payload) ?? [];
        return [name, version];
      }),
  );
  const again = await ann.post(POST, {
    ...form,
    ...versions,
    [`field:${size.id}`]: '3',
    [app ?? '']: 'on',
    [`field:${paid.id}`]: 'on',
  });
  assert.equal(again.statusCode, 302);
  assert.deepEqual(await values(), { Area: ['App'], Size: ['3'], Paid: ['true'] });

  const opened = await openForm(mo, POST, 'fields');
  const since = await makeField(web, 'Since', { isRequired: true });
  await web.api.updatePost({ id, properties: [put(since, 'then')] });
  await mo.post(POST, { ...opened, [`field:${size.id}`]: '4', [app ?? '']: 'on', [`field:${paid.id}`]: 'on' });
  assert.deepEqual(await values(), { Area: ['App'], Size: ['4'], Paid: ['true'], Since: ['then'] });
  await web.api.deleteField({ id: since.id });

  const vera = await signUp(web, 'Vera');
  await vera.post('/b/acme?index', {
    intent: 'post',
    title: 'Her own',
    formId: crypto.randomUUID(),
    [`field:${size.id}`]: '1',
  });
  const own = (await vera.get('/b/acme/posts/2')).headers.location ?? '/b/acme/posts/2';
  const theirs = (await vera.get(own)).payload;
  assert.ok(theirs.includes('Fill in fields') && !theirs.includes('Paid'), 'fields of the team are not for authors');
  assert.ok(!(await vera.get(POST)).payload.includes('Fill in fields'));
  const forged = await vera.post(POST, { ...form, [`field:${size.id}`]: '9' });
  assert.equal(forged.statusCode, 403);
});

testWeb('a comment that others have just edited is not overwritten, nor a deleted one brought back', async (web) => {
  const { mo, ann, state } = await makeTeam(web);
  await mo.post(POST, { intent: 'comment', text: 'First words' });
  const id = /id="comment-([^"]+)"/.exec((await mo.get(POST)).payload)?.[1] ?? '';
  const path = `${POST}?edit=${id}`;
  const { answer } = await both(mo, ann, path, `edit-comment:${id}`, { text: 'Second words' }, { text: 'Other words' });
  assert.equal(answer.statusCode, 409);
  assert.match(answer.payload, /Someone else saved a change.*Second words.*Other words/s);
  const form = await openForm(ann, path, `edit-comment:${id}`);
  await mo.post(POST, { intent: 'delete-comment', id });
  const late = await ann.post(POST, { ...form, text: 'Late words' });
  assert.notEqual(late.statusCode, 302);
  assert.deepEqual((await state()).comments.nodes.length, 1);
});

testWeb('changes of one entry of the changelog are kept, or seen before they are replaced', async (web) => {
  const { mo, ann } = await makeTeam(web);
  await web.api.createChangelogEntry({ title: 'Dark mode', text: 'It is here.' });
  const path = '/b/acme/changelog/1?edit';
  const open = (visitor: WebVisitor) => openForm(visitor, path, 'was:title');
  const [its, form, late] = [await open(mo), await open(ann), await open(ann)];
  const save = { intent: 'save' };
  assert.equal((await mo.post(path, { ...its, ...save, title: 'Night mode', text: 'It is here.' })).statusCode, 302);
  const other = await ann.post(path, { ...form, ...save, title: 'Dark mode', text: 'It is there.' });
  assert.equal(other.statusCode, 302);
  const rows = await web.db.read.selectFrom('changelog_entries').select(['title', 'text']).execute();
  assert.deepEqual(rows, [{ title: 'Night mode', text: 'It is there.' }]);
  const same = await ann.post(path, { ...late, ...save, title: 'Dim mode', text: 'It is here.' });
  assert.equal(same.statusCode, 409);
  assert.match(same.payload, /Someone else saved a change.*<dd[^>]*>Night mode<\/dd>.*value="Dim mode"/s);
});

testWeb('a conflict shows nothing to those who could not make the change', async (web) => {
  const { mo } = await makeTeam(web);
  const team = await web.ask('{ users { id name } }');
  const id = team.users.find(({ name }: { name: string }) => name === 'Ann').id;
  await mo.post(POST, { ...(await openForm(mo, POST, 'assign')), assignee: id });
  const vera = await signUp(web, 'Vera');
  await vera.post('/b/acme/votes/1', { vote: 'up', next: '/b/acme' });
  for (const [intent, field] of [
    ['assign', 'assignee'],
    ['status', 'status'],
    ['edit', 'title'],
  ]) {
    const answer = await vera.post(POST, {
      intent: intent ?? '',
      [`was:${field}`]: 'anything',
      [field ?? '']: 'other',
    });
    assert.equal(answer.statusCode, 403, String(intent));
    assert.doesNotMatch(answer.payload, /Ann/);
  }
});
