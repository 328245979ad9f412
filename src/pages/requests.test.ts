import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { listPaths } from '../../test/support/page-paths.ts';
import { type RawAnswer, sendRaw } from '../../test/support/raw-request.ts';
import { signUp, type TestWeb, testPages, type WebVisitor } from '../../test/support/web.ts';
import type { Tx } from '../platform/db/db.ts';
import { FORM, TOO_LARGE } from './form-limits.ts';
import { MAX_ADDRESS } from './request.ts';

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=x';

/** Lets the app listen; gives what sends to it a request line, more lines of the head, and a body. */
async function listen({ app }: TestWeb) {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const host = `Host: 127.0.0.1:${port}`;
  const ask = (line: string, ...lines: string[]) =>
    sendRaw(port, [line, ...(lines.some((l) => /^host:/i.test(l)) ? [] : [host]), ...lines, 'Connection: close']);
  const post = (path: string, type: string | null, body: string): Promise<RawAnswer> => {
    const head = [`Origin: http://127.0.0.1:${port}`, `Content-Length: ${Buffer.byteLength(body)}`];
    if (type !== null) head.push(`Content-Type: ${type}`);
    return sendRaw(port, [`POST ${path} HTTP/1.1`, host, ...head, 'Connection: close'], body);
  };
  return { ask, post, port };
}

const SETTINGS = ['general', 'members', 'apis', 'apis/new', 'webhooks', 'webhooks/new', 'export', 'mail', 'account'];

testPages('HEAD is answered as GET is, without a body', async (web) => {
  const { ask } = await listen(web);
  await web.makePost('Dark mode');
  const pages = listPaths({ pid: 'acme', number: '1', slug: 'dark-mode', file: '1.xml' });
  const others = ['/b/acme.data', '/b/acme/similar?title=x', '/icon.svg', '/favicon.ico', '/b/acme/posts/2'];
  for (const path of [...pages, ...others, '/b/acme/posts/1/wrong', '/b/acme/sitemap/2.xml']) {
    const [get, head] = [await ask(`GET ${path} HTTP/1.1`), await ask(`HEAD ${path} HTTP/1.1`)];
    assert.equal(head.body, '', path);
    assert.ok(get.status < 500, path);
    for (const name of ['location', 'content-type', 'cache-control', 'x-frame-options', 'content-length']) {
      if (name !== 'content-length' || head.headers.has(name)) {
        assert.equal(head.headers.get(name), get.headers.get(name), `${path}: ${name}`);
      }
    }
    assert.equal(head.status, get.status, path);
  }
  assert.deepEqual(web.logged, []);
});

testPages('malformed requests are refused with a clear error, and never as an internal error', async (web) => {
  const { ask, post } = await listen(web);
  const wrong = {
    absolute: ask('GET http://x/ HTTP/1.1'),
    'absolute, ours': ask('GET http://board.test/sign-in HTTP/1.1'),
    star: ask('GET * HTTP/1.1'),
    'host with a name before it': ask('GET /sign-in HTTP/1.1', 'Host: x@y'),
    'host with a path': ask('GET /sign-in HTTP/1.1', 'Host: a/b'),
    'host with a query': ask('GET /sign-in HTTP/1.1', 'Host: a?b'),
    'host with a port that is none': ask('GET /sign-in HTTP/1.1', 'Host: a:99999'),
    'host with spaces': ask('GET /sign-in HTTP/1.1', 'Host: a b'),
    'an address that is none': ask('GET /sign-in HTTP/1.1', 'Host: 1.2.3.4.5.6'),
    'broken escapes': ask('GET /%ff%fe HTTP/1.1'),
    'no boundary': post('/sign-in', 'multipart/form-data', 'x'),
    'broken multipart': post('/sign-in', MULTIPART, 'hello'),
    'multipart without an end': post('/sign-in', MULTIPART, '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb'),
    'multipart without a name': post('/sign-in', MULTIPART, '--x\r\nContent-Type: text/plain\r\n\r\nb\r\n--x--\r\n'),
  };
  for (const [name, answer] of Object.entries(wrong)) assert.equal((await answer).status, 400, name);
  for (const type of ['text/plain', 'application/json', 'multipart/mixed; boundary=x', 'x', 'text/html,;=', null]) {
    assert.equal((await post('/sign-in', type, 'a=b')).status, 415, String(type));
  }
  assert.match((await wrong['host with a path']).body, /^The Host of the request is none\. Request id: [\w-]{36}$/);
  for (const path of ['/sign-in', '/b/acme']) {
    assert.equal((await ask(`GET ${path} HTTP/1.1`, 'Host:')).status, 200, path);
  }
  for (const path of ['//x', '//evil.example/b/acme', '//[', '/\\x']) {
    assert.equal((await ask(`GET ${path} HTTP/1.1`)).status, 404, path);
  }
  assert.deepEqual(web.logged, []);
});

testPages('pages answer GET, HEAD and POST, and list these methods', async (web) => {
  const { ask, post, port } = await listen(web);
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
    for (const path of ['/', '/b/acme', '/nowhere', '*']) {
      const answer = await ask(`${method} ${path} HTTP/1.1`);
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD, POST'], `${method} ${path}`);
    }
  }
  const withBody = [
    'PUT /b/acme HTTP/1.1',
    'Host: x',
    'Content-Type: text/plain',
    'Content-Length: 3',
    'Connection: close',
  ];
  assert.equal((await sendRaw(port, withBody, 'abc')).status, 405);
  const noAction = await post('/b/acme/roadmap', URLENCODED, 'a=b');
  assert.deepEqual([noAction.status, noAction.headers.get('allow')], [405, 'GET, HEAD']);
  const ofApi = await ask('PUT /api/v1/nothing HTTP/1.1');
  assert.match(String(ofApi.headers.get('content-type')), /^application\/json/);
  assert.deepEqual(web.logged, []);
});

testPages('a form may be empty, and its media type may have any case and parameters', async (web) => {
  const { post } = await listen(web);
  assert.equal((await post('/sign-out', null, '')).status, 302);
  for (const type of [URLENCODED, `${URLENCODED};charset=UTF-8`, URLENCODED.toUpperCase(), `${URLENCODED} ; x=y`]) {
    assert.equal((await post('/look', type, 'theme=dark&next=/b/acme')).headers.get('location'), '/b/acme', type);
  }
  const parts = (delimiter: string) =>
    `--${delimiter}\r\nContent-Disposition: form-data; name="next"\r\n\r\n/b/acme\r\n--${delimiter}--\r\n`;
  for (const type of [MULTIPART, 'Multipart/Form-Data; charset=utf-8; Boundary="x"', `${MULTIPART} `]) {
    assert.equal((await post('/look', type, parts('x'))).headers.get('location'), '/b/acme', type);
  }
});

testPages('a form has at most 1,000 fields and 1 MiB; more is refused before anything of it is read', async (web) => {
  const { post } = await listen(web);
  const fields = (count: number) => `next=/b/acme${'&a'.repeat(count - 1)}`;
  for (const count of [1, FORM.fields - 1, FORM.fields]) {
    assert.equal((await post('/look', URLENCODED, fields(count))).headers.get('location'), '/b/acme', String(count));
  }
  const large = (bytes: number) => `next=/b/acme&a=${'x'.repeat(bytes - 'next=/b/acme&a='.length)}`;
  assert.equal((await post('/look', URLENCODED, large(FORM.bytes))).status, 302);
  const refused = [
    await post('/look', URLENCODED, fields(FORM.fields + 1)),
    await post('/look', URLENCODED, '&'.repeat(FORM.bytes)),
    await post('/look', URLENCODED, large(FORM.bytes + 1)),
  ];
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.replace(/ Request id.*/, '')]),
    [
      [413, 'A form has at most 1,000 fields.'],
      [413, 'A form has at most 1,000 fields.'],
      [413, TOO_LARGE],
    ],
  );
});

testPages('a form with too large files is received up to 11 MiB, so that the error can be shown', async (web) => {
  const { post } = await listen(web);
  const form = (bytes: number) => {
    const part = (name: string) => `--x\r\nContent-Disposition: form-data; name="${name}"`;
    const [before, after] = [
      `${part('theme')}\r\n\r\ndark\r\n${part('file')}; filename="a.png"\r\n\r\n`,
      `\r\n${part('next')}\r\n\r\n/b/acme\r\n--x--\r\n`,
    ];
    return before + 'y'.repeat(bytes - before.length - after.length) + after;
  };
  for (const bytes of [FORM.bytes, FORM.bytes + 1, FORM.bytes + 100_000, 5_000_000, FORM.received]) {
    const { status, headers } = await post('/look', MULTIPART, form(bytes));
    assert.deepEqual([status, headers.get('location')], [302, '/b/acme'], String(bytes));
    assert.match(headers.get('set-cookie') ?? '', /theme=dark/, String(bytes));
  }
  const headers = { host: 'board.test', origin: 'http://board.test', 'content-type': MULTIPART };
  const request = { method: 'POST', url: '/look', headers, payload: form(FORM.received + 1) } as const;
  assert.equal((await web.app.inject(request)).statusCode, 413);
  for (const body of ['y'.repeat(FORM.bytes + 1), `--x\r\n${'y'.repeat(FORM.bytes)}`]) {
    const refused = await post('/look', MULTIPART, body);
    assert.deepEqual([refused.status, refused.body.replace(/ Request id.*/, '')], [413, TOO_LARGE]);
  }
  assert.deepEqual(web.logged, []);
});

testPages('a form with files has at most 100 parts, with heads of 4 KiB', async (web) => {
  const { post } = await listen(web);
  const part = (name: string, value: string, more = '') =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n${more}\r\n${value}\r\n`;
  const form = (count: number, more = '') =>
    `${part('next', '/b/acme', more)}${part('a', 'b').repeat(count - 1)}--x--\r\n`;
  const head = (bytes: number) => {
    const known = 'Content-Disposition: form-data; name="next"\r\nX: '.length;
    return `X: ${'y'.repeat(bytes - known)}\r\n`;
  };
  for (const body of [form(1), form(FORM.parts - 1), form(FORM.parts), form(1, head(FORM.headBytes))]) {
    assert.equal((await post('/look', MULTIPART, body)).headers.get('location'), '/b/acme');
  }
  assert.equal((await post('/look', MULTIPART, form(FORM.parts + 1))).status, 413);
  assert.equal((await post('/look', MULTIPART, '--x\r\n'.repeat(100_000))).status, 413);
  assert.equal((await post('/look', MULTIPART, form(1, head(FORM.headBytes + 1)))).status, 400);
  assert.deepEqual(web.logged, []);
});

testPages(
  'a form is parsed by the media type that was looked at, however many are sent and however they are quoted',
  async (web) => {
    const { post } = await listen(web);
    const fields = `next=/b/acme${'&a'.repeat(FORM.fields)}`;
    const parts = (boundary: string, count: number) =>
      `${`--${boundary}\r\nContent-Disposition: form-data; name="next"\r\n\r\n/b/acme\r\n`.repeat(count)}--${boundary}--`;
    const many = parts('x', FORM.parts + 1);
    const refused = {
      'a second type': post('/look', `multipart/form-data; boundary=zzz\r\nContent-Type: ${URLENCODED}`, fields),
      'two in one': post('/look', `multipart/form-data; boundary=zzz, ${URLENCODED}`, fields),
      'a second boundary': post('/look', `multipart/form-data; boundary=zzz\r\nContent-Type: ${MULTIPART}`, many),
      'one in quotes before it': post('/look', 'multipart/form-data; a="; boundary=zzz;"; boundary=x', many),
      'an escape': post('/look', 'multipart/form-data; boundary="\\x"', many),
      'no ASCII': post('/look', 'multipart/form-data; boundary="\u00e9"', many),
    };
    for (const [what, answer] of Object.entries(refused)) assert.equal((await answer).status, 400, what);
    const read = {
      quoted: post('/look', 'multipart/form-data; boundary="a, b"', parts('a, b', 1)),
      plain: post('/look', 'multipart/form-data; boundary=----a(b)/:=?', parts('----a(b)/:=?', 1)),
      'a second type that is worse': post('/look', `${MULTIPART}\r\nContent-Type: text/plain`, parts('x', 1)),
    };
    for (const [what, answer] of Object.entries(read)) {
      assert.equal((await answer).headers.get('location'), '/b/acme', what);
    }
    assert.deepEqual(web.logged, []);
  },
);

testPages('an address has at most 8,192 characters; what comes in other heads costs next to nothing', async (web) => {
  const { ask } = await listen(web);
  await web.makePost('Dark mode');
  const address = (length: number) => `/b/acme?q=${'a&'.repeat(length).slice(0, length - '/b/acme?q='.length)}`;
  const status = async (line: string, ...lines: string[]) => (await ask(line, ...lines)).status;
  for (const length of [20, MAX_ADDRESS - 1, MAX_ADDRESS]) {
    assert.equal(await status(`GET ${address(length)} HTTP/1.1`), 200, String(length));
  }
  const refused = await ask(`GET ${address(MAX_ADDRESS + 1)} HTTP/1.1`);
  assert.deepEqual(
    [refused.status, refused.body.split(' Request')[0]],
    [414, 'The address of a page has at most 8,192 characters.'],
  );
  assert.equal(await status(`GET ${address(20_000)} HTTP/1.1`), 431);
  const many = (text: string) => text.repeat(Math.floor(14_000 / text.length));
  for (const line of [
    `Cookie: ${many('a=b;')}`,
    `Cookie: earshot.session_token=a.b; ${many('theme=;')}`,
    `Cookie: ${many('earshot.session_token=a;')}`,
    `Cookie: ${many(';')}`,
    `Accept-Language: ${many('de;q=0.1,')}`,
    `Accept-Language: ${many(',')}`,
    `Accept-Encoding: ${many('gzip,')}`,
    `X-Forwarded-For: ${many('1.2.3.4,')}`,
  ]) {
    assert.equal(await status('GET /b/acme HTTP/1.1', line), 200, line.slice(0, 40));
  }
  assert.deepEqual(
    web.logged.filter((line) => !line.includes('TRUST_PROXY')),
    [],
  );
});

testPages('a step of the set-up is done when it was reached', async (web) => {
  const { db } = web;
  const owner = await web.makeMember('Olga', 'OWNER');
  const stepOf = async () =>
    (await db.read.selectFrom('boards').select('setup_step').executeTakeFirstOrThrow()).setup_step;
  const reach = (setup_step: number) => db.transaction((tx) => tx.updateTable('boards').set({ setup_step }).execute());
  const look = { color: '#112233' };
  for (const [reached, step, goesTo, then] of [
    [2, '3', '/b/acme/setup/2', 2],
    [3, '3', '/b/acme/setup/4', 4],
    [3, '3.0', '/b/acme/setup/4', 4],
    [3, '2.5', '/b/acme/setup/3', 3],
    [3, '1', '/b/acme/setup/3', 3],
    [3, '99', '/b/acme/setup/3', 3],
    [4, '3', '/b/acme/setup/4', 4],
    [0, '3', '/b/acme/setup/4', 0],
    [4, '4', '/b/acme/setup/5', 5],
    [0, '6', '/b/acme/settings', 0],
  ] as const) {
    await reach(reached);
    const answer = await owner.post(`/b/acme/setup/${step}`, look);
    assert.deepEqual([answer.headers.location, await stepOf()], [goesTo, then], `${step} of ${reached}`);
  }
});

testPages('the setup shows where the mail is that confirms the address of the owner', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  const set = (change: (tx: Tx) => Promise<unknown>) => web.db.transaction(change);
  await set((tx) => tx.updateTable('boards').set({ setup_step: 2 }).execute());
  const page = async () => (await owner.get('/b/acme/setup/2')).payload;
  assert.doesNotMatch(await page(), /olga@example\.com/);
  await set((tx) => tx.updateTable('accounts').set({ is_email_verified: 0 }).execute());
  assert.match(await page(), /the link that confirms olga@example\.com is stored as a file on the server/);
});

testPages('in a form, a plus is a space, and an escaped plus is not', async (web) => {
  const { post } = await listen(web);
  for (const path of ['a+b', 'a b', 'a%20b']) {
    assert.equal((await post('/look', URLENCODED, `next=/b/${path}`)).headers.get('location'), '/b/a%20b', path);
  }
  assert.equal((await post('/look', URLENCODED, 'next=/b/a%2Bb')).headers.get('location'), '/b/a+b');
});

testPages('a form with an unknown intent is refused, whichever page it is sent to', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  await web.makePost('Dark mode');
  const setup = ['/setup', '/setup/2', '/setup/2.5', '/setup/5', '/setup/-1', '/setup/1e300', '/setup/x'];
  const pages = ['', '/posts/1', '/moderation', ...setup, ...SETTINGS.map((page) => `/settings/${page}`)];
  for (const page of pages) {
    for (const intent of ['nothing', 'constructor', '__proto__', 'toString', '']) {
      const { statusCode } = await owner.post(`/b/acme${page}${page === '' ? '?index' : ''}`, { intent });
      assert.ok(statusCode < 500, `${page} ${intent}: ${statusCode}`);
    }
  }
});

testPages(
  'what a browser kept for a visitor is refused from another one, and from one who has signed out',
  async (web) => {
    await web.makePost('Dark mode');
    const [vera, otto] = [await signUp(web, 'Vera'), await signUp(web, 'Otto')];
    const idOf = async (name: string) =>
      (await web.db.read.selectFrom('accounts').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id;
    const vote = (visitor: WebVisitor, sender: string) =>
      visitor.post('/b/acme/votes/1', { vote: 'up' }, { origin: 'http://board.test', 'earshot-sender': sender });
    const votes = async () => (await web.ask('{ postByNumber(number: 1) { upvoteCount } }')).postByNumber.upvoteCount;
    const before = await votes();
    const its = await idOf('Vera');
    for (const other of [otto, web.makeVisitor()]) assert.equal((await vote(other, its)).statusCode, 412);
    assert.equal((await vote(vera, 'anyone')).statusCode, 412);
    assert.equal(await votes(), before);
    assert.ok((await vote(vera, its)).statusCode < 400);
    assert.equal(await votes(), before + 1);
  },
);
