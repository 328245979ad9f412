import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSso } from '../../test/support/sso.ts';
import { signUp, type TestWeb, testPages } from '../../test/support/web.ts';
import { isChoice } from './embeddable.ts';

const JAR = 'earshot-jar';
const SITE = 'https://app.example.com';

const setOrigins = (web: TestWeb, widget_origins: string) =>
  web.db.transaction((tx) => tx.updateTable('boards').set({ widget_origins }).where('pid', '=', 'acme').execute());

/** The cookies that a response puts into the jar, as the frame sends them. */
const jarOf = (header: unknown) =>
  (JSON.parse(String(header)) as string[]).map((cookie) => cookie.split(';', 1)[0]).join('; ');

testPages('only pages of the widget can be framed, by the origins of their board', async (web) => {
  await setOrigins(web, `${SITE} http://localhost:3000`);
  const visitor = web.makeVisitor();
  const policyOf = async (path: string) => {
    const { headers } = await visitor.get(path);
    return [
      /frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy']))?.[1],
      headers['x-frame-options'],
    ];
  };
  const open = [`'self' ${SITE} http://localhost:3000`, undefined];
  assert.deepEqual(await policyOf('/embed/b/acme'), open);
  assert.deepEqual(await policyOf('/embed/b/acme/changelog?theme=dark'), open);
  assert.deepEqual(await policyOf('/embed/sign-in?next=%2Fb%2Facme'), open);
  assert.deepEqual(await policyOf('/embed/sign-in?next=%2Fb%2F%61cme'), open);
  for (const path of [
    'b/unknown',
    'sign-in?n%65xt=/b/unknown&next=/b/acme',
    'sign-in?next=/b/acme/../other',
    'sign-in?x&next=/c/b/acme',
  ]) {
    assert.deepEqual(await policyOf(`/embed/${path}`), ["'self'", undefined], path);
  }
  assert.deepEqual(await policyOf('/embed/sign-in?n%65xt=/b/acme&next=/b/unknown'), open);
  for (const path of ['/', '/b/acme', '/sign-in', '/b/acme/embed', '/b/acme?next=/embed/b/acme', '//embed/b/acme']) {
    assert.deepEqual(await policyOf(path), ["'none'", 'DENY'], path);
  }
  const short = await visitor.get('/embed/acme?theme=dark');
  assert.deepEqual([short.statusCode, short.headers.location], [302, '/embed/b/acme?theme=dark']);
  const settings = await visitor.get('/embed/b/acme/settings/general?x=1');
  assert.deepEqual(
    [settings.statusCode, settings.headers.location],
    [302, '/embed/b/acme/elsewhere?to=%2Fb%2Facme%2Fsettings%2Fgeneral%3Fx%3D1'],
  );
  assert.equal((await visitor.get('/embed/robots.txt')).statusCode, 404);
  const { payload } = await visitor.get('/embed/b/acme?theme=dark&language=de');
  assert.match(payload, /<html lang="de" dir="ltr" data-theme="dark"/);
  assert.match(payload, /href="\/embed\/b\/acme"/);
});

test('the address of a frame puts a look and a language into its jar, and nothing else', () => {
  assert.deepEqual(['light', 'pt-BR', 'x'.repeat(20)].filter(isChoice), ['light', 'pt-BR', 'x'.repeat(20)]);
  for (const value of ['', 'x'.repeat(21), 'light; earshot.session=x', 'light=x', 'a\nb', 'ä']) {
    assert.equal(isChoice(value), false, value);
  }
});

testPages('a frame has the session of its jar and never the one of the browser', async (web) => {
  const { sign } = await openSso(web);
  const other = await web.makeBoard({ name: 'Other' });
  const vera = await signUp(web, 'Vera');
  const begin = (pid: string, token: string, headers?: Record<string, string>) =>
    vera.post(`/embed/b/${pid}/embed`, { token }, headers && { origin: 'http://board.test', ...headers });
  const begun = await begin('acme', sign({ id: 7, name: 'Noah' }));
  assert.deepEqual([begun.statusCode, begun.json(), begun.headers['set-cookie']], [200, { refusal: null }, undefined]);
  const jar = jarOf(begun.headers[JAR]);
  const isNoah = async (path: string, headers: Record<string, string> = { [JAR]: jar }) =>
    (await vera.get(path, headers)).payload.includes('Noah');

  assert.deepEqual([await isNoah('/embed/b/acme'), await isNoah('/embed/b/acme', {})], [true, false]);
  assert.deepEqual(
    [(await vera.get('/embed/b/acme')).payload.includes('Vera'), await isNoah('/b/acme')],
    [false, false],
  );
  assert.equal(
    (await web.makeVisitor().get('/b/acme', { [JAR]: jar })).payload.includes('Noah'),
    false,
    'shared pages',
  );
  assert.equal(await isNoah(`/embed/b/${other.pid}`), false);
  const asOther = jar.replace(/sso\.[\w-]{36}/, `sso.${other.id}`);
  assert.equal(await isNoah(`/embed/b/${other.pid}`, { [JAR]: asOther }), false, 'a session of another board');
  for (const broken of ['', ';;;', '='.repeat(4_000), `${jar}x`, 'earshot.sso.x=y']) {
    assert.equal(await isNoah('/embed/b/acme', { [JAR]: broken }), false, broken.slice(0, 20));
  }

  const refusal = async (pid: string, token: string) => (await begin(pid, token)).json().refusal;
  assert.match(await refusal('acme', sign({ id: 7 }, 'another secret')), /signature is wrong/);
  assert.match(await refusal(other.pid, sign({ id: 7 })), /not turned on/);
  assert.match(await refusal('acme', 'x'.repeat(100_000)), /more than 8,000 characters/);
  const answerOf = async (pid: string) => {
    const { statusCode, payload } = await begin(pid, sign({ id: 7 }, 'another secret'));
    return [statusCode, payload];
  };
  await web.db.transaction((tx) =>
    tx.updateTable('boards').set({ access: 'MEMBERS' }).where('id', '=', other.id).execute(),
  );
  assert.deepEqual(await answerOf('unknown'), await answerOf(other.pid), 'a private board answers as none at all');
  assert.equal((await answerOf('unknown'))[0], 200);
  assert.equal((await begin('acme', sign({ id: 8 }), { 'sec-fetch-site': 'cross-site' })).statusCode, 403);
  assert.equal((await vera.post('/b/acme/embed', { token: sign({ id: 8 }) })).statusCode, 404);
  assert.equal((await begin('acme', sign({ id: 9 }), { [JAR]: jar })).statusCode, 200);
  assert.equal(await isNoah('/embed/b/acme'), false, 'a new session ends the one before');
});

testPages('addresses that only take forms answer GET with 405, to every visitor', async (web) => {
  const visitor = web.makeVisitor();
  for (const path of ['/b/acme/embed', '/embed/b/acme/embed', '/embed/b/unknown/embed', '/b/acme/uploads']) {
    const { statusCode, headers } = await visitor.get(path);
    assert.deepEqual([statusCode, headers.allow], [405, 'POST'], path);
  }
});

testPages('the widget learns nothing of a private board that it would not learn of an unknown one', async (web) => {
  const config = async (pid: string) => {
    const { headers, payload } = await web.makeVisitor().get(`/b/${pid}/widget-config.js?language=de`);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['cache-control'], 'public, max-age=60');
    return payload;
  };
  assert.match(await config('acme'), /"pid":"acme".*Feedback: Acme/);
  assert.match((await web.makeVisitor().get('/widget-config.js')).payload, /"pid":"acme"/);
  await web.db.transaction((tx) => tx.updateTable('boards').set({ access: 'MEMBERS' }).execute());
  assert.equal((await config('acme')).replaceAll('acme', ''), (await config('unknown')).replaceAll('unknown', ''));
  assert.match((await web.makeVisitor().get('/widget-config.js')).payload, /"pid":null/);
});

testPages('owners name the websites of the widget, at most twenty and nothing but origins', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  const page = '/b/acme/settings/widget';
  const save = (widgetOrigins: string) => owner.post(page, { intent: 'save', widgetOrigins });
  const saved = async () =>
    (await web.db.read.selectFrom('boards').select('widget_origins').executeTakeFirstOrThrow()).widget_origins;
  const many = (count: number) => Array.from({ length: count }, (_, n) => `https://${n}.example.com`).join('\n');
  const accepted: [typed: string, origins: string][] = [
    ['https://App.Example.com/, http://localhost:3000', `${SITE} http://localhost:3000`],
    [`${SITE}:443 ${SITE}`, SITE],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    [many(20), many(20).replaceAll('\n', ' ')],
    ['', ''],
  ];
  for (const [typed, origins] of accepted) {
    assert.equal((await save(typed)).statusCode, 302, typed);
    assert.equal(await saved(), origins);
  }
  const name = Array.from({ length: 4 }, () => 'x'.repeat(63)).join('.');
  const refused = [many(21), '*', 'https://*.example.com', 'app.example.com', `${SITE}/path`, `${SITE}?x`, `${SITE};x`];
  for (const typed of [...refused, 'data:text/html', 'https://a:b@example.com', "'self'", `https://${name}.example`]) {
    const { statusCode, payload } = await save(typed);
    // A semicolon separates two entries, of which the second is no website.
    assert.deepEqual([statusCode, payload.includes('aria-invalid="true"')], [422, true], typed.slice(0, 40));
  }
  assert.equal(await saved(), '');
  assert.equal((await save(`https://${name.slice(0, 252 - 8)}.example`)).statusCode, 302);
  assert.equal((await web.makeVisitor().post(page, { intent: 'save', widgetOrigins: SITE })).statusCode, 401);
});
