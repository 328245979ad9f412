import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestApp, type TestApp, testBoth, testOnce } from '../../../test/support/app.ts';
import { listBoards } from '../../identity/board/board.ts';
import { SANDBOX_BYTES, SandboxBudget } from '../../operations/boards/budget.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/lib/clock.ts';
import { SANDBOX_IDLE_MS, sweepSandboxes } from './sandbox.ts';

type Visit = { cookie?: string; address?: string; headers?: Record<string, string> };

/** Opens a sandbox as its page does; gives the cookie and what the page gets. */
async function open({ app, clock }: TestApp, visit: Visit = {}) {
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/sandbox/board',
    remoteAddress: visit.address ?? '192.0.2.1',
    headers: { ...(visit.cookie && { cookie: visit.cookie }), ...visit.headers },
  });
  clock.advance(1_000); // the app looks for keys it does not know once in a tenth of a second
  const setCookie = String(response.headers['set-cookie'] ?? '');
  return { response, setCookie, cookie: setCookie.split(';')[0] ?? '', ...response.json() };
}

/** Makes a request with the headers that the sandbox's page was given. */
async function ask(app: TestApp, sandbox: { headers: Record<string, string> }, query: string) {
  const { apikey = '', ...headers } = sandbox.headers;
  return app.ask(query, {}, { key: apikey, as: null, headers });
}

testBoth('a visitor gets a seeded board of their own, on which they may do everything', async (app) => {
  const sandbox = await open(app);
  assert.equal(sandbox.response.statusCode, 201);
  assert.match(sandbox.setCookie, /^earshot_sandbox=esk_[\w-]{43}; Path=\/api\/v1\/sandbox; HttpOnly; SameSite=Lax$/);
  const { board, post } = await ask(
    app,
    sandbox,
    `{ board { pid postCount } post(id: "${sandbox.postId}") { title } }`,
  );
  assert.match(board.pid, /^sandbox-/);
  assert.ok(board.postCount >= 10 && post.title);
  await ask(app, sandbox, 'mutation { createUser(ssotype: "SSO", userId: "1") { id } }');
  const { createPost } = await ask(app, sandbox, 'mutation { createPost(title: "Mine", comment: "Why") { id title } }');
  await ask(app, sandbox, `mutation { deletePost(postId: "${createPost.id}") { id } }`);
  assert.equal(
    sandbox.webhook.url,
    `http://board.test/api/v1/sandbox/inbox/${(await ask(app, sandbox, '{ board { id } }')).board.id}`,
  );
});

testBoth('a visitor invites people to the team of their board, and no mail is sent', async (app) => {
  const sandbox = await open(app);
  const invite = 'mutation { addTeamUser(emails: ["eve@example.com"], type: ADMIN) { team { email } } }';
  const { addTeamUser } = await ask(app, sandbox, invite);
  assert.ok(addTeamUser.team.some(({ email }: { email: string | null }) => email === 'eve@example.com'));
  assert.deepEqual(await app.db.read.selectFrom('mails').select('id').execute(), []);
});

testBoth('a visitor who comes back finds their board; another has one of their own', async (app) => {
  const one = await open(app);
  const again = await open(app, { cookie: `a=b; ${one.cookie}` });
  assert.deepEqual([again.response.statusCode, again.headers, again.setCookie], [200, one.headers, '']);
  const two = await open(app, { cookie: 'earshot_sandbox=esk_unknown' });
  await ask(app, one, 'mutation { createPost(title: "Secret", comment: "Mine") { id } }');
  const titles = async (of: typeof one) =>
    (await ask(app, of, '{ posts(limit: 100) { nodes { title } } }')).posts.nodes.map(
      (p: { title: string }) => p.title,
    );
  assert.ok((await titles(one)).includes('Secret'));
  assert.ok(!(await titles(two)).includes('Secret'));
  assert.ok(!(await app.ask('{ posts { nodes { title } } }')).posts.nodes.length);
  assert.equal((await ask(app, two, `{ post(id: "${one.postId}") { id } }`)).post, null);
});

testOnce('nothing that is sent with the request for a sandbox is read', async (app) => {
  const { app: server } = app;
  for (const type of ['application/json', 'application/json; charset=none', 'text/plain', 'multipart/form-data']) {
    const headers = { 'content-type': type };
    const payload = '{"a":'.repeat(200_000);
    const { statusCode } = await server.inject({ method: 'POST', url: '/api/v1/sandbox/board', headers, payload });
    assert.equal(statusCode, 201, type);
  }
});

testBoth('the board of the house is never a sandbox', async (app) => {
  await open(app);
  assert.deepEqual(
    (await listBoards(app.db.read)).map((board) => board.pid),
    ['acme'],
  );
});

testBoth('a sandbox is ended by its visitor, and after 60 minutes without use', async (app) => {
  const { app: server, db, clock } = app;
  const one = await open(app);
  const end = () => server.inject({ method: 'DELETE', url: '/api/v1/sandbox/board', headers: { cookie: one.cookie } });
  assert.deepEqual([(await end()).statusCode, (await end()).statusCode], [204, 404]);
  const two = await open(app);
  clock.advance(HOUR_MS - MINUTE_MS);
  await open(app, { cookie: two.cookie });
  clock.advance(MINUTE_MS);
  assert.equal(await sweepSandboxes(db, clock.now(), SANDBOX_IDLE_MS), 0);
  clock.advance(HOUR_MS);
  assert.equal(await sweepSandboxes(db, clock.now(), SANDBOX_IDLE_MS), 1);
  const { apikey } = two.headers;
  assert.equal((await app.gql('{ board { id } }', {}, { key: apikey })).status, 401);
  assert.equal((await open(app, { cookie: two.cookie })).response.statusCode, 201);
});

testBoth('a sandbox with more than 1,000 events is ended', async (app) => {
  const sandbox = await open(app);
  const { board } = await ask(app, sandbox, '{ board { id } }');
  await app.db.transaction((tx) =>
    tx.updateTable('boards').set({ event_seq: 1_001 }).where('id', '=', board.id).execute(),
  );
  assert.equal(await sweepSandboxes(app.db, app.clock.now(), DAY_MS), 1);
});

test('the 21st sandbox of an address and the 101st of all wait until one is unused for ten minutes', async (t) => {
  const app = await makeTestApp(t, 'sqlite');
  for (let n = 0; n < 100; n++) {
    const { response } = await open(app, { address: `192.0.2.${Math.floor(n / 20) + 1}` });
    assert.equal(response.statusCode, 201, String(n));
  }
  app.clock.advance(-100_000); // each of them took a second
  for (const address of ['192.0.2.1', '198.51.100.1']) {
    const { response, errors } = await open(app, { address });
    assert.equal(response.statusCode, 503);
    assert.ok(Number(response.headers['retry-after']) > 400, String(response.headers['retry-after']));
    assert.equal(errors[0].extensions.retryAfter, Number(response.headers['retry-after']));
  }
  app.clock.advance(11 * MINUTE_MS);
  assert.equal((await open(app, { address: '198.51.100.1' })).response.statusCode, 201);
  const { n } = await app.db.read
    .selectFrom('boards')
    .where('sandbox_visitor', 'is not', null)
    .select((e) => e.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  assert.equal(n, 100);
});

testBoth('a sandbox holds 4 MiB, whatever is written, and other boards are not affected', async (app) => {
  const sandbox = await open(app);
  const { board } = await ask(app, sandbox, '{ board { id } }');
  const budget = new SandboxBudget(app.db);
  const { apikey = '', ...headers } = sandbox.headers;
  const attributes = { text: 'x'.repeat(9_000) };
  const register =
    'mutation($id: String!, $a: JSON) { createUser(ssotype: "SSO", userId: $id, attributes: $a) { id } }';
  const write = async (n: number, a: object) =>
    (await app.gql(register, { id: `${n}`, a }, { key: apikey, as: null, headers })).errors[0];
  let refusal: Awaited<ReturnType<typeof write>>;
  for (let n = 0; !refusal && n < 600; n++) {
    app.clock.advance(60_000);
    refusal = await write(n, attributes);
  }
  assert.match(refusal?.message ?? '', /sandbox is full/);
  const held = await budget.measure(board.id);
  assert.ok(held > SANDBOX_BYTES / 2 && held <= SANDBOX_BYTES, String(held));
  assert.equal(await write(1_000, {}), undefined, 'what is small still fits');
  // What needs no acting user is not let through beside what does.
  const both = `mutation($a: JSON) { createUser(ssotype: "SSO", userId: "y", attributes: $a) { id } createTag(name: "T") { id } }`;
  const beside = await app.gql(both, { a: attributes }, { key: apikey, as: null, headers: {} });
  assert.match(beside.errors[0]?.message ?? '', /sandbox is full/);
  await app.makeUser('mia');
});

testBoth(
  'ten long comments fit into a sandbox with one request, which counts what a variable is used for',
  async (app) => {
    const sandbox = await open(app);
    const { apikey = '', ...headers } = sandbox.headers;
    const comment = (n: number, text: string) =>
      `c${n}: createComment(postId: "${sandbox.postId}", text: ${text}) { id }`;
    const each = (count: number, part: (n: number) => string) =>
      Array.from({ length: count }, (_, n) => part(n)).join(' ');
    const send = (query: string, variables: Record<string, string>) =>
      app.gql(query, variables, { key: apikey, as: null, headers });
    const ten = `mutation(${each(10, (n) => `$t${n}: String!`)}) { ${each(10, (n) => comment(n, `$t${n}`))} }`;
    const texts = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`t${n}`, `${n}${'x'.repeat(18_999)}`]));
    assert.deepEqual((await send(ten, texts)).errors, []);
    const often = `mutation($t: String!) { ${each(20, (n) => comment(n, '$t'))} }`;
    const [refusal] = (await send(often, { t: 'x'.repeat(19_000) })).errors;
    assert.match(refusal?.message ?? '', /sandbox is full/);
    const byDefault = often.replace('String!', `String! = "${'x'.repeat(19_000)}"`);
    assert.match((await send(byDefault, {})).errors[0]?.message ?? '', /sandbox is full/);
  },
);

test('an IPv6 network has as many sandboxes as one address', async (t) => {
  const app = await makeTestApp(t, 'sqlite');
  for (let n = 0; n < 20; n++) assert.equal((await open(app, { address: `2001:db8::${n}` })).response.statusCode, 201);
  assert.equal((await open(app, { address: '2001:db8::ffff' })).response.statusCode, 503);
  assert.equal((await open(app, { address: '2001:db8:0:1::1' })).response.statusCode, 201);
});

testOnce('pages of other origins can neither make nor end nor read a sandbox', async (app) => {
  const { cookie } = await open(app);
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
  ]) {
    for (const [method, url] of [
      ['POST', 'board'],
      ['DELETE', 'board'],
      ['GET', 'requests'],
    ] as const) {
      const response = await app.app.inject({ method, url: `/api/v1/sandbox/${url}`, headers: { cookie, ...headers } });
      assert.equal(response.statusCode, 403);
    }
  }
});

testOnce('the sandbox’s own page can, and so can programs, which send no origin', async (app) => {
  for (const headers of [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { host: 'board.test', origin: 'http://board.test' },
  ]) {
    assert.equal((await open(app, { headers })).response.statusCode, 201, JSON.stringify(headers));
  }
});

test('sandboxes can be switched off', async (t) => {
  const { app } = await makeTestApp(t, 'sqlite', { sandbox: false });
  const page = await app.inject('/api/v1/sandbox');
  assert.deepEqual([page.statusCode, /turned off/.test(page.payload)], [404, true]);
  assert.equal((await app.inject({ method: 'POST', url: '/api/v1/sandbox/board' })).statusCode, 404);
});
