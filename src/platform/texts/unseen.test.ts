import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { readMail, signUp, testWeb } from '../../../test/support/web.ts';

/** Texts of which nothing is seen, whatever draws them. */
const unseen = [
  ...['\u200b', '\u2060\u2063', '\u3164', '\u115f\u1160', '\uffa0', '\u00ad', '\u034f', '\u2800', '\ufeff'],
  ...['\ufe0f\ufe0e', '\u{e0061}\u{e007f}', '\u{e0100}', '\u200e \u200f', '\u180e', '\u200d'.repeat(50)],
];
/** What turns the direction of the characters after it. */
const turns = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];
/** Texts with parts that are not seen, which writing needs. */
const seen = [
  '👩‍👩‍👧',
  '❤️',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  'می‌خواهم',
  'עברית',
  '葛󠄀',
  '1',
  '\u0301',
];

/** Where a text must be, each with the field that errors name; those on a line lose what turns it. */
const lines: [field: string, query: string][] = [
  ['title', 'mutation($x: String!) { done: createPost(title: $x) { text: title } }'],
  ['name', 'mutation($x: String!) { done: createUser(ssotype: "SSO", userId: "jo", name: $x) { text: name } }'],
  ['name', 'mutation($x: String!) { done: createTag(name: $x) { text: name } }'],
  ['name', 'mutation($x: String!) { done: createStatus(name: $x, color: "#000000") { node { text: name } } }'],
  [
    'label',
    'mutation($x: String!) { done: createField(boardId: "acme", label: $x, type: TEXT) { node { text: label } } }',
  ],
];
const texts: [field: string, query: string][] = [
  ['comment', 'mutation($x: String!) { done: createPost(title: "A", comment: $x) { text: content } }'],
  ['text', 'mutation($x: String!, $p: String!) { done: createComment(postId: $p, text: $x) { text } }'],
];

type Done = { text?: string; node?: { text: string } };

async function run(app: TestApp, query: string, x: string, p: string) {
  const { data, errors } = await app.gql(query, { x, ...(query.includes('$p') && { p }) });
  const done: Done | null = data?.done ?? null;
  return { text: done?.text ?? done?.node?.text, code: errors?.[0]?.extensions, message: errors?.[0]?.message ?? '' };
}

testBoth('required titles, names, labels and texts need visible characters', async (app) => {
  const post = await app.makePost('Dark mode');
  for (const [field, query] of [...lines, ...texts]) {
    for (const text of unseen) {
      const { code, message } = await run(app, query, text, post);
      const where = `${query} ${JSON.stringify(text)}`;
      assert.deepEqual([code?.code, code?.field], ['BAD_REQUEST', field], where);
      assert.match(message, text.trim() === '' ? /it is empty/ : /only invisible characters/, where);
    }
    for (const text of seen) assert.equal((await run(app, query, text, post)).text, text, query);
  }
});

testBoth('titles, names and labels lose what turns the direction of a line; texts keep it', async (app) => {
  const post = await app.makePost('Dark mode');
  for (const [field, query] of lines) {
    const { text } = await run(app, query, `${turns.join('')}gnp${turns.join('')}.exe\u202e`, post);
    assert.equal(text, 'gnp.exe', query);
    const { code, message } = await run(app, query, turns.join(''), post);
    assert.deepEqual([code?.code, code?.field], ['BAD_REQUEST', field]);
    assert.match(message, /it is empty/);
  }
  for (const [, query] of texts) {
    const text = `a${turns.join('b')}`;
    assert.equal((await run(app, query, text, post)).text, text, query);
  }
});

testWeb('forms refuse titles and names without visible characters', async (web) => {
  const vera = await signUp(web, 'Vera');
  for (const text of ['\u3164', '\u2060\u200b', '\u{e0061}\ufe0f']) {
    for (const [path, form] of [
      ['/b/acme?index', { title: text, comment: '' }],
      ['/b/acme?index', { title: 'Idea', comment: text }],
      ['/b/acme/settings/profile', { intent: 'profile', name: text }],
    ] as const) {
      const refused = await vera.post(path, form);
      assert.equal(refused.statusCode, 422);
      assert.match(refused.payload, /only invisible characters/, JSON.stringify(form));
    }
  }
  const visitor = web.makeVisitor();
  await visitor.post('/sign-in', { intent: 'link', email: 'wilma@example.com' });
  const { path } = await readMail(web, 'wilma@example.com');
  assert.match((await visitor.post(path, { name: '\u3164', password: '' })).payload, /invisible characters/);
  assert.equal((await visitor.post(path, { name: 'Wil\u202ema', password: '' })).statusCode, 302);
  const account = await web.db.read.selectFrom('accounts').select('name').where('email', '=', 'wilma@example.com');
  assert.equal((await account.executeTakeFirstOrThrow()).name, 'Wilma');
});
