import assert from 'node:assert/strict';
import { makeEntry, publishNew } from '../../test/support/changelog.ts';
import { PNG } from '../../test/support/files.ts';
import { makeScene, startNotifying } from '../../test/support/notifying.ts';
import { signUp, type TestWeb, testPages, testWeb, type WebVisitor } from '../../test/support/web.ts';
import { HOUR_MS } from '../platform/lib/clock.ts';

const HOME = '/b/acme/changelog';

const read = async ({ ask }: TestWeb, number: number) =>
  (
    await ask(
      `query($number: Int) { changelogEntry(number: $number) {
        title text labels state dateScheduled posts { nodes { title } } files { name } reactions { reaction count }
      } }`,
      { number },
    )
  ).changelogEntry;

/** What the fields of a form in a page are now. */
async function fieldsOf(visitor: WebVisitor, path: string): Promise<string> {
  return (await visitor.get(path)).payload;
}

testWeb(
  'the team writes, previews, schedules, publishes, withdraws and deletes an entry without scripts',
  async (web) => {
    await web.makePost('Dark mode');
    await web.makePost('Dark charts');
    const mona = await web.makeMember('Mona', 'MODERATOR');
    const vera = await signUp(web, 'Vera');
    assert.equal((await vera.get(`${HOME}/new`)).statusCode, 403);
    assert.equal((await vera.post(`${HOME}/new`, { title: 'Mine' })).statusCode, 403);
    assert.doesNotMatch((await vera.get('/b/acme')).payload, /href="\/b\/acme\/changelog"/);
    assert.match((await mona.get('/b/acme')).payload, /href="\/b\/acme\/changelog"/);
    const page = await fieldsOf(mona, `${HOME}/new`);
    const formId = /name="formId" value="([\w-]{36})"/.exec(page)?.[1] ?? '';
    const typed = { formId, title: 'Dark mode, charts included', text: 'It **follows** your system.' };
    const preview = await mona.post(`${HOME}/new`, { ...typed, intent: 'preview' });
    assert.match(preview.payload, /It <strong>follows<\/strong> your system\..*Dark mode, charts included/s);
    const found = await mona.post(`${HOME}/new`, { ...typed, intent: 'enter', find: 'dark' });
    const ids = [...found.payload.matchAll(/name="post:([\w-]{36})"/g)].map(([, id]) => id);
    assert.equal(ids.length, 2, 'Return in the field of the search looks for ideas');
    assert.match(
      found.payload,
      /#1 Dark mode.*value="Dark mode, charts included"|value="Dark mode, charts included".*#1 Dark mode/s,
    );
    const numbered = await mona.post(`${HOME}/new`, { ...typed, intent: 'find', find: '#2' });
    assert.match(numbered.payload, /<input[^>]*checked=""[^>]*name="post:|name="post:[^>]*checked=""/);
    const nothing = await mona.post(`${HOME}/new`, { ...typed, intent: 'find', find: 'zebra' });
    assert.match(nothing.payload, /No ideas match\./);
    const form = {
      ...typed,
      find: 'dark',
      found: 'dark',
      'label:NEW': 'on',
      [`post:${ids[0]}`]: 'on',
      [`post:${ids[1]}`]: 'on',
      intent: 'save',
    };
    const saved = await mona.post(`${HOME}/new`, form);
    assert.match(String(saved.headers.location), /\/1\/dark-mode-charts-included\?done=saved&operation=/);
    const again = await mona.post(`${HOME}/new`, form);
    assert.match(String(again.headers.location), /\/1\/dark-mode-charts-included\?done=saved$/, 'sent twice');
    const entry = await read(web, 1);
    assert.deepEqual([entry.state, entry.labels, entry.posts.nodes.length], ['DRAFT', ['NEW'], 2]);
    for (const path of [`${HOME}/1`, `${HOME}/1/x`]) assert.equal((await vera.get(path)).statusCode, 404);
    assert.match((await mona.get(HOME)).payload, /Not published.*Dark mode, charts included/s);
    assert.doesNotMatch((await vera.get(HOME)).payload, /Dark mode, charts/);
    const past = await mona.post(`${HOME}/1?edit`, { ...form, intent: 'schedule', at: '2020-01-01T00:00' });
    assert.equal(past.statusCode, 422);
    assert.match(past.payload, /at must be in the future/);
    const noTime = await mona.post(`${HOME}/1?edit`, { ...form, intent: 'schedule', at: 'soon' });
    assert.match(noTime.payload, /at must be a day and a time/);
    const later = await mona.post(`${HOME}/1?edit`, { ...form, intent: 'schedule', at: '2027-03-01T08:30' });
    assert.match(String(later.headers.location), /done=scheduled/);
    assert.equal((await read(web, 1)).dateScheduled, '2027-03-01T08:30:00.000Z');
    assert.match(await fieldsOf(mona, `${HOME}/1?edit`), /value="2027-03-01T08:30"/);
    const { location } = (await mona.post(`${HOME}/1`, { intent: 'publish' })).headers;
    assert.match(String(location), /\/changelog\/1\?done=published&operation=/);
    const shown = (await web.makeVisitor().get(HOME)).payload;
    assert.match(shown, /<strong>follows<\/strong>.*You asked for it.*Dark charts/s);
    assert.match(
      (await vera.get('/b/acme/posts/1')).payload,
      /Shipped on Nov 21, 2026 in.*Dark mode, charts included/s,
    );
    assert.match((await vera.get('/b/acme')).payload, /href="\/b\/acme\/changelog"/);
    await mona.post(`${HOME}/1`, { intent: 'unpublish' });
    assert.equal((await read(web, 1)).state, 'DRAFT');
    assert.match((await mona.get(`${HOME}/1`)).payload, /Delete permanently/);
    assert.equal((await vera.post(`${HOME}/1`, { intent: 'delete' })).statusCode, 404);
    const deleted = await mona.post(`${HOME}/1`, { intent: 'delete' });
    assert.match(String(deleted.headers.location), /\/changelog\?done=gone&operation=/);
    assert.equal(await read(web, 1), null);
  },
);

testWeb('publishing sets the linked ideas to completed, and both can be stopped or undone', async (web, t) => {
  const { id } = await makeScene(web);
  const notifying = await startNotifying(t, web);
  const other = await web.makePost('Night theme', { as: 'fan' });
  const mona = await web.makeMember('Mona', 'MODERATOR');
  await notifying.deliverAfter();
  const form = { title: 'Dark mode is here', intent: 'publish', [`post:${id}`]: 'on', [`post:${other}`]: 'on' };
  const asked = await mona.post(`${HOME}/new`, form);
  assert.match(
    String(asked.headers.location),
    /done=saved/,
    'it is not published before the team has seen what that does',
  );
  const { payload } = await mona.get(String(asked.headers.location));
  assert.match(
    payload,
    /name="complete" checked="".*Set 2 ideas to Completed.*4 followers of these ideas get an email/s,
  );
  const statuses = async () =>
    (await web.api.posts({}, { nodes: { status: { type: true } } })).nodes.map(({ status }) => status.type);

  const publish = async (fields = {}) =>
    String((await mona.post(`${HOME}/1`, { intent: 'publish', ...fields })).headers.location);
  const published = await publish({ complete: 'on' });
  assert.deepEqual(await statuses(), ['COMPLETED', 'COMPLETED']);
  assert.match((await mona.get(published)).payload, /You have a minute to stop the emails about “Dark mode is here”/);
  const operation = new URL(published, 'http://board.test').searchParams.get('operation') ?? '';
  await mona.post('/b/acme/undo', { operation, next: HOME });
  assert.deepEqual([await statuses(), (await read(web, 1)).state], [['UNASSIGNED', 'UNASSIGNED'], 'DRAFT']);
  assert.deepEqual(await notifying.recipients(), [], 'undone in time, no one is notified');

  await publish();
  assert.match(String((await mona.post(`${HOME}/1`, { intent: 'stop-mails' })).headers.location), /mailsStopped/);
  assert.deepEqual([await notifying.recipients(), (await read(web, 1)).state], [[], 'PUBLISHED']);
  assert.match(String((await mona.post(`${HOME}/1`, { intent: 'stop-mails' })).headers.location), /mailsTooLate/);
  assert.deepEqual(await statuses(), ['UNASSIGNED', 'UNASSIGNED'], 'the box was not checked');
  await mona.post(`${HOME}/1`, { intent: 'unpublish' });
  await publish({ complete: 'on' });
  assert.deepEqual(await notifying.recipients(), ['author', 'fan', 'talker', 'up'], 'each once');
});

testPages('what was typed stays when an entry is refused, and files are kept with the form', async (web) => {
  const mona = await web.makeMember('Mona', 'MODERATOR');
  const parts = (fields: Record<string, string>) => [
    ...Object.entries(fields).map(([field, bytes]) => ({ field, bytes })),
    { field: 'file', filename: 'dark.png', bytes: PNG, type: 'image/png' },
  ];
  const refused = await mona.postForm(`${HOME}/new`, parts({ title: '', text: 'Kept.', intent: 'save' }));
  assert.equal(refused.statusCode, 422);
  assert.match(refused.payload, /Kept\./);
  const preview = await mona.postForm(`${HOME}/new`, parts({ title: 'Dark', text: 'Kept.', intent: 'preview' }));
  const [, fileId = ''] = /name="file-name:([\w-]{36})" value="dark\.png"/.exec(preview.payload) ?? [];
  const kept = { [`file:${fileId}`]: 'on', [`file-name:${fileId}`]: 'dark.png' };
  await mona.post(`${HOME}/new`, { title: 'Dark', text: 'Kept.', intent: 'publish', ...kept });
  assert.deepEqual((await read(web, 1)).files, [{ name: 'dark.png' }]);
  const shown = (await web.makeVisitor().get(HOME)).payload;
  const [, src = ''] = /<img src="(\/files\/[^"]+)" alt="dark\.png"/.exec(shown) ?? [];
  assert.equal((await web.makeVisitor().get(src)).statusCode, 200);
  await mona.post(`${HOME}/1?edit`, { title: 'Dark', text: 'Kept.', intent: 'save' });
  assert.deepEqual((await read(web, 1)).files, []);
});

testWeb('visitors react to an entry once they have signed in, and see what they voted for', async (web) => {
  const post = await web.makePost('Dark mode');
  const id = await publishNew(web, { postIds: [post] });
  const [vera, anonymous] = [await signUp(web, 'Vera'), web.makeVisitor()];
  const react = { intent: 'react:PARTY', next: `${HOME}#entry-1` };
  const asked = await anonymous.post(`${HOME}/1`, react);
  assert.equal(asked.headers.location, `/sign-in?next=${encodeURIComponent(`${HOME}/1/dark-mode`)}`);
  const done = await vera.post(`${HOME}/1`, react);
  assert.equal(done.headers.location, `${HOME}#entry-1`);
  await web.api.addChangelogReaction({ id, reaction: 'PARTY' });
  const count = async () => (await read(web, 1)).reactions[2].count;
  assert.equal(await count(), 2);
  const page = (await vera.get(HOME)).payload;
  assert.match(page, /value="unreact:PARTY"[^>]*aria-pressed="true"[^>]*aria-label="Party, 2"/);
  assert.doesNotMatch(page, /You voted for this/);
  await vera.post('/b/acme/votes/1', { vote: 'up', next: HOME });
  assert.match((await vera.get(HOME)).payload, /You voted for this/);
  assert.doesNotMatch((await anonymous.get(HOME)).payload, /You voted for this/);
  await vera.post(`${HOME}/1`, { intent: 'unreact:PARTY' });
  assert.equal(await count(), 1);
  for (const intent of ['react:ANGER', 'react:constructor', 'nothing', '']) {
    assert.equal((await vera.post(`${HOME}/1`, { intent })).statusCode, 400, intent);
  }
  assert.equal((await vera.post(`${HOME}/9`, react)).statusCode, 404);
});

testPages('the changelog has pages, a long text is folded, and HEAD equals GET', async (web) => {
  for (let n = 1; n <= 12; n++) {
    await publishNew(web, { title: `Release ${n}`, text: n === 12 ? 'word '.repeat(1_000) : '' });
    web.clock.advance(1_000);
  }
  const visitor = web.makeVisitor();
  const first = (await visitor.get(HOME)).payload;
  assert.match(first, /Release 12.*Read more.*Release 3(?!\d)/s);
  assert.doesNotMatch(first, /Release 2(?!\d)/);
  const [, next = ''] = /href="(\/b\/acme\/changelog\?after=[^"]+)"/.exec(first) ?? [];
  const second = (await visitor.get(next)).payload;
  assert.match(second, /Release 2(?!\d).*Release 1(?!\d)/s);
  assert.equal((await visitor.get(`${HOME}?after=broken`)).statusCode, 200);
  assert.doesNotMatch((await visitor.get(`${HOME}/12`)).payload, /Read more/);
  for (const path of [HOME, `${HOME}/1`, `${HOME}/99`, `${HOME}/new`]) {
    const [get, head] = [await visitor.get(path), await visitor.head(path)];
    assert.deepEqual([head.statusCode, head.payload], [get.statusCode, ''], path);
    assert.equal(head.headers['content-type'], get.headers['content-type']);
  }
});

testPages('addresses of the changelog on a host of its own lead to the board', async (web) => {
  await publishNew(web, { title: 'Dark mode' });
  const set = { domain: 'ideas.example.com' };
  await web.db.transaction((tx) => tx.updateTable('boards').set(set).execute());
  for (const url of ['/changelog', '/changelog.atom', '/changelog/1/dark-mode', '/posts/1/x?comments=newest']) {
    const { statusCode, headers } = await web.app.inject({ url, headers: { host: 'ideas.example.com' } });
    assert.deepEqual([statusCode, headers.location], [301, `/b/acme${url}`]);
  }
});

testPages('a scheduled entry shows the team when it will be published', async (web) => {
  const mona = await web.makeMember('Mona', 'MODERATOR');
  const at = new Date(web.clock.now() + HOUR_MS).toISOString();
  await web.api.publishChangelogEntry({ id: await makeEntry(web), at });
  for (const path of [HOME, `${HOME}/1`]) {
    assert.match((await mona.get(path)).payload, /Will be published on Nov 21, 2026, 10:30 AM UTC/);
  }
});
