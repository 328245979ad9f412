import assert from 'node:assert/strict';
import { testCommandLine } from '../support/command-line.ts';
import { makeForm, sendForm, upload } from '../support/files.ts';
import { watchNormalizing } from '../support/normalizing.ts';
import { PASSWORD, signUp, testPages, type WebVisitor } from '../support/web.ts';

/** Marks of which each is sorted behind many others: far too many for any field, and not too many to be looked at. */
const hostile = [
  '\u0301\u0334\u0345\u0316'.repeat(5_000),
  '\u0301\u0334\u0345\u0316'.repeat(300),
  `a${'\uff9e\u0334'.repeat(10_000)}`,
  '\u0f73\u0344'.repeat(20_000),
];

type Form = Record<string, string>;

testPages('whatever is sent in the forms of the pages, at most 30 marks in a row are sorted', async (web, t) => {
  const [olga, vera] = [await web.makeMember('Olga', 'OWNER'), await signUp(web, 'Vera')];
  const post = await web.makePost('Dark mode');
  await vera.post('/b/acme/posts/1', { intent: 'comment', text: 'Please.' });
  const { comments } = await web.ask('query($id: String!) { comments(postId: $id) { nodes { id } } }', { id: post });
  const { id: userId } = await web.db.read.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const longestRun = watchNormalizing(t);
  const send = async (who: WebVisitor, path: string, form: Form, expected = [422, 302]) => {
    const { statusCode } = await who.post(path, form);
    assert.ok(expected.includes(statusCode), `${path} ${JSON.stringify(form).slice(0, 80)}: ${statusCode}`);
  };
  for (const text of hostile) {
    // Wrong passwords are limited by the hour.
    web.clock.advance(3_600_000);
    await send(web.makeVisitor(), '/sign-in', { intent: 'link', email: `${text}@example.com` });
    await send(web.makeVisitor(), '/sign-in', { intent: 'password', email: text, password: PASSWORD });
    await send(web.makeVisitor(), '/sign-in', { intent: 'password', email: 'vera@example.com', password: text });
    await send(web.makeVisitor(), '/reset-password', { email: text }, [200, 422, 302]);
    await send(vera, '/b/acme?index', { title: text, comment: '' });
    await send(vera, '/b/acme?index', { title: 'Idea', comment: text });
    await send(vera, '/b/acme/posts/1', { intent: 'comment', text });
    await send(vera, '/b/acme/posts/1', { intent: 'edit-comment', id: comments.nodes.at(-1).id, text });
    for (const form of accountForms(text)) await send(vera, '/b/acme/settings/account', form);
    for (const form of profileForms(text)) await send(vera, '/b/acme/settings/profile', form);
    await send(vera, '/b/acme/settings/data', { intent: 'delete', confirm: text, currentPassword: text });
    await send(olga, '/b/acme/settings/general', { intent: 'basics', name: text, description: text });
    await send(olga, '/b/acme/settings/general', { intent: 'address', pid: text, domain: text });
    await send(olga, '/b/acme/settings/members', { intent: 'invite', email: text, role: 'ADMIN' });
    for (const form of [{ title: text }, { title: 'Entry', text }, { title: 'Entry', find: text }, { at: text }]) {
      await send(olga, '/b/acme/changelog/new', { intent: 'save', ...form }, [422, 302, 200]);
    }
    await send(olga, `/b/acme/people/${userId}`, { intent: 'note', text });
    await send(olga, '/b/acme/settings/apis/new', { name: text, read: 'on' }, [422, 302, 200]);
  }
  assert.ok(longestRun() <= 30);
});

function profileForms(text: string): Form[] {
  return [
    { intent: 'profile', name: text },
    { intent: 'profile', name: 'Vera', locale: text },
    { intent: 'profile', name: 'Vera', timeZone: text },
  ];
}

function accountForms(text: string): Form[] {
  return [
    { intent: 'email', email: text, currentPassword: text },
    { intent: 'email', email: 'vera@other.example', currentPassword: text },
    { intent: 'password', currentPassword: text, password: PASSWORD },
    { intent: 'password', currentPassword: PASSWORD, password: text },
    { intent: 'factor', currentPassword: text },
    { intent: 'factor-end', currentPassword: text },
    { intent: 'factor-code', code: text },
    { intent: 'passkey-begin', currentPassword: text },
    { intent: 'passkey', passkey: text },
    { intent: 'passkey-end', id: text, currentPassword: text },
  ];
}

testPages('whatever stands in addresses and headers, at most 30 marks in a row are sorted', async (web, t) => {
  await web.makePost('Dark mode');
  const olga = await web.makeMember('Olga', 'OWNER');
  const longestRun = watchNormalizing(t);
  const text = encodeURIComponent('\u0301\u0334'.repeat(600));
  const paths = ['?q=', '?status=', '?tag=', '?after=', '/similar?title=', '/posts/', '/posts/1/', '/posts/1?edit='];
  for (const path of [
    ...paths.map((end) => `/b/acme${end}${text}`),
    `/b/${text}`,
    `/sign-up/${text}`,
    `/join/${text}`,
  ]) {
    const { statusCode } = await web.makeVisitor().get(path);
    assert.ok(statusCode < 500, `${path.slice(0, 40)}: ${statusCode}`);
  }
  assert.equal((await olga.get(`/b/acme/settings/search?find=${text}`)).statusCode, 200);
  assert.equal((await olga.get(`/b/acme/people?q=${text}`)).statusCode, 200);
  const header = Buffer.from(`a${'\u0301\u0334'.repeat(2_000)}`).toString('latin1');
  for (const name of ['ssoid', 'ssotype', 'userid']) {
    const headers = { ssotype: 'SSO', [name]: header };
    const { errors } = await web.gql('{ viewer { user { id } } posts { hasMore } }', {}, { as: null, headers });
    assert.equal(errors[0]?.extensions.code, name === 'ssotype' ? 'BAD_REQUEST' : 'NOT_FOUND', name);
    const visitor = await web.makeVisitor().get('/b/acme', { 'user-agent': header, 'accept-language': header });
    assert.equal(visitor.statusCode, 200);
  }
  assert.ok(longestRun() <= 30);
});

testPages('whatever a file is called, at most 30 marks in a row are sorted', async (web, t) => {
  const longestRun = watchNormalizing(t);
  const filename = `${'\u0301\u0334'.repeat(1_500)}.txt`;
  const { name } = await upload(web, { filename, bytes: 'Hello' });
  assert.equal([...name].length, 200);
  assert.match(name, /^[\u0301\u0334\u034f]+\.txt$/);
  assert.ok((await sendForm(web, makeForm([{ filename: `${filename}`.repeat(10), bytes: 'Hello' }]))).statusCode < 500);
  assert.ok(longestRun() <= 30);
});

testCommandLine('whatever is typed on the command line, at most 30 marks in a row are sorted', async ({ run }, t) => {
  assert.equal((await run('board', 'create', '--name', 'Acme')).status, 0);
  const longestRun = watchNormalizing(t);
  for (const text of hostile) {
    const refused = [
      ['board', 'create', '--name', text],
      ['board', 'update', '--description', text],
      ['board', 'show', '--board', text],
      ['owner', 'invite', '--email', `${text}@example.com`],
      ['user', 'role', '--ssotype', 'SSO', '--user-id', text, '--role', 'admin'],
      ['key', 'create', '--name', text],
      ['key', 'create', '--name', 'x', '--as', `SSO:${text}`],
      ['key', 'revoke', text],
      ['webhook', 'create', '--url', `https://${text}.example`],
      ['webhook', 'show', text],
    ];
    for (const args of refused) assert.equal((await run(...args)).status, 1, args.slice(0, 3).join(' ').slice(0, 40));
  }
  assert.ok(longestRun() <= 30);
});
