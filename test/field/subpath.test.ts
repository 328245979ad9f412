import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import jsonwebtoken from 'jsonwebtoken';
import { setBoard } from '../../src/identity/board/board.ts';
import { makeSetupLink } from '../../src/identity/team/inviting.ts';
import type { Engine } from '../../src/platform/db/db.ts';
import { VERSION } from '../../src/platform/version.ts';
import { fillBoard } from '../contracts/filled-board.ts';
import { makeTestApp } from '../support/app.ts';
import { crawl } from '../support/crawl.ts';
import { PNG, upload } from '../support/files.ts';
import { startOpenId } from '../support/openid.ts';
import { textOfMail } from '../support/sender.ts';
import { assertLinksResolve, makeSiteFolder, readPages, readSite, writeSite } from '../support/site.ts';
import { engines } from '../support/store.ts';
import { makeWalker, openBelow, type SubpathSite, type Walker, type Way } from '../support/subpath.ts';
import { until } from '../support/until.ts';

const PATH = '/our/feedback';

function testBelow(name: string, work: (site: SubpathSite, t: TestContext, way: Way, engine: Engine) => Promise<void>) {
  for (const engine of engines) {
    for (const way of ['keeps', 'strips'] as const) {
      const title = `${name}, behind a proxy that ${way} the path [${engine}]`;
      test(title, async (t) => {
        const site = await openBelow(t, engine, way, PATH);
        await work(site, t, way, engine);
        assert.deepEqual(site.wrong, []);
      });
    }
  }
}

/** Sends a form as a page does. @returns where it leads, as the browser reads it */
async function send(walker: Walker, address: string, form: Record<string, string>): Promise<string> {
  const { origin } = new URL(address);
  const headers = { origin, 'sec-fetch-site': 'same-origin' };
  const response = await walker.fetch(address, { method: 'POST', headers, body: new URLSearchParams(form) });
  assert.ok(response.status < 400, `${address}: ${response.status} ${await response.text()}`);
  return new URL(response.headers.get('location') ?? '', address).href;
}

async function becomeOwner({ url, db, clock, board }: SubpathSite): Promise<Walker> {
  const walker = makeWalker();
  const link = await makeSetupLink({ db, clock, baseUrl: url, board });
  assert.ok(link.startsWith(`${url}/join/`));
  const place = await send(walker, link, {
    name: 'Olga',
    email: 'olga@example.com',
    password: 'correct horse battery',
  });
  assert.equal(place, `${url}/b/acme/settings`);
  return walker;
}

testBelow('everything that pages and files name is below the path', async (site) => {
  const { url, db, board } = site;
  await fillBoard(site);
  const logo = new URL((await upload(site, { bytes: PNG, filename: 'logo.png' })).url).pathname.slice(PATH.length);
  await db.transaction((tx) => setBoard(tx, board.id, { logo_url: logo, favicon_url: logo, brand_color: '#336699' }));
  const start = `${url}/b/acme`;
  const outside = await crawl(makeWalker(), start, PATH);
  assert.deepEqual(outside.wrong, []);
  const inside = await crawl(await becomeOwner(site), start, PATH, outside);
  assert.deepEqual(inside.wrong, []);
  const { answers } = inside;
  const places = [
    '/b/acme',
    '/b/acme/roadmap',
    '/b/acme/changelog',
    '/b/acme/settings/webhooks',
    '/b/acme/triage/unanswered',
  ];
  for (const place of [...places, '/b/acme/settings/general', '/b/acme/activity', '/b/acme/people', '/embed/b/acme'])
    assert.equal(answers.get(PATH + place), 'text/html', place);
  for (const [place, type] of Object.entries({
    '/b/acme/posts.atom': 'application/atom+xml',
    '/apple-touch-icon.png': 'image/png',
  }))
    assert.equal(outside.answers.get(PATH + place), type, place);
  const types = Map.groupBy([...outside.answers, ...answers], ([, type]) => type);
  assert.ok((types.get('text/javascript')?.length ?? 0) > 50);
  for (const type of ['text/css', 'font/woff2', 'image/png', 'text/html']) assert.ok(types.has(type), type);
});

testBelow('mails, feeds, files, the API and its tools name addresses below the path', async (site) => {
  const { url, key } = site;
  const walker = makeWalker();
  const { origin } = new URL(url);
  const next = '/b/acme/posts/1';
  const sent = await send(walker, `${url}/sign-in`, { intent: 'link', email: 'nora@example.com', next });
  assert.equal(sent, `${url}/sign-in?next=${encodeURIComponent(next)}`);
  const links = await readLinks(site, 'nora@example.com');
  assert.ok(links.length > 0);
  for (const link of links) assert.ok(link === url || link.startsWith(`${url}/`), link);
  const signUp = links.find((link) => link.includes('/sign-up/')) ?? '';
  const onward = await send(walker, signUp, { name: 'Nora', password: '' });
  assert.equal(onward, sent);
  const { headers } = await walker.fetch(onward);
  assert.equal(headers.get('location'), `${PATH}${next}`);
  assert.deepEqual([...new Set([...walker.cookies.values()].map(({ path }) => path))], [PATH]);

  const answer = await fetch(`${url}/api/v1/graphql`, {
    method: 'POST',
    headers: { apikey: key, ssotype: 'SSO', ssoid: 'ada', 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'mutation { createPost(title: "Dark mode", comment: "Please") { url board { url } } }',
    }),
  });
  const { data } = (await answer.json()) as { data: { createPost: { url: string; board: { url: string } } } };
  assert.deepEqual(data.createPost, { url: `${url}/b/acme/posts/1/dark-mode`, board: { url: `${url}/b/acme` } });
  const file = await upload(site, { bytes: PNG, filename: 'a.png' });
  assert.ok(file.url.startsWith(`${url}/files/`));
  assert.equal((await fetch(file.url)).headers.get('content-type'), 'image/png');

  const read = async (path: string) => (await fetch(`${url}${path}`)).text();
  assert.equal(JSON.parse(await read('/api/v1/openapi.json')).servers[0].url, PATH);
  assert.match(await read('/api/v1/nothing'), new RegExp(`nothing: the GraphQL API is at POST ${PATH}/api/v1/graphql`));
  assert.match(await read('/robots.txt'), new RegExp(`Disallow: ${PATH}/sign-in\n[^]*Sitemap: ${url}/sitemap.xml`));
  assert.match(await read('/b/acme/posts.atom'), new RegExp(`href="${url}/b/acme/posts/1/dark-mode"`));
  assert.deepEqual(await (await fetch(`${url}/healthz`)).json(), { status: 'ok', version: VERSION });
  const place = await fetch(`${url}/embed/acme`, { redirect: 'manual' });
  assert.equal(new URL(place.headers.get('location') ?? '', url).href, `${url}/embed/b/acme`);

  const made = await walker.fetch(`${url}/api/v1/sandbox/board`, { method: 'POST', headers: { origin } });
  const sandbox = (await made.json()) as { headers: Record<string, string>; webhook: { url: string } };
  assert.ok(sandbox.webhook.url.startsWith(`${url}/api/v1/sandbox/inbox/`));
  const received = await walker.fetch(`${url}/api/v1/sandbox/requests`);
  const { requests } = (await received.json()) as { requests: { url: string }[] };
  assert.ok(requests[0]?.url.startsWith(sandbox.webhook.url)); // the verification
});

/** The addresses in the newest mail to an address. */
async function readLinks({ db }: SubpathSite, recipient: string): Promise<string[]> {
  const query = db.read.selectFrom('mails').selectAll().where('recipient', '=', recipient);
  let mail = await query.executeTakeFirst();
  await until('a mail', async () => {
    mail = await query.orderBy('id', 'desc').limit(1).executeTakeFirst();
    return mail !== undefined;
  });
  assert.ok(mail);
  return [...textOfMail(mail).matchAll(/https?:\/\/[^\s<>]+/g)].map(([link]) => link);
}

for (const engine of engines) {
  for (const way of ['keeps', 'strips'] as const) {
    test(`providers and single sign-on lead back below the path that a proxy ${way} [${engine}]`, async (t) => {
      let openid: Awaited<ReturnType<typeof startOpenId>> | undefined;
      const site = await openBelow(t, engine, way, PATH, async (url) => {
        openid = await startOpenId(t, `${url}/sign-in/with/callback/oidc`);
        return { signInProviders: { providers: [openid.provider], domains: [] } };
      });
      const { url } = site;
      const walker = makeWalker();
      const follow = async (address: string) =>
        new URL((await walker.fetch(address)).headers.get('location') ?? '', address).href;
      const next = encodeURIComponent('/b/acme/roadmap');
      const ada = { email: 'ada@example.com', email_verified: true, name: 'Ada' };
      const back = (await openid?.signIn(await follow(`${url}/sign-in/with/oidc?next=${next}`), 'a1', ada)) ?? '';
      assert.ok(back.startsWith(`${url}/sign-in/with/callback/oidc?`));
      assert.equal(await follow(back), `${url}/sign-in?next=${next}`);
      assert.equal(await follow(`${url}/sign-in?next=${next}`), `${url}/b/acme/roadmap`);
      assert.deepEqual([...new Set([...walker.cookies.values()].map(({ path }) => path))], [PATH]);

      const owner = await becomeOwner(site);
      const settings = { algorithm: 'HS256', loginUrl: 'https://login.example.test/in' };
      await send(owner, `${url}/b/acme/settings/sso`, { intent: 'save', ...settings });
      const rotated = await owner.fetch(`${url}/b/acme/settings/sso`, {
        method: 'POST',
        headers: { origin: new URL(url).origin },
        body: new URLSearchParams({ intent: 'rotate' }),
      });
      const secret = /<code class="secret"[^>]*>([\w-]{43})</.exec(await rotated.text())?.[1] ?? '';
      const door = await (await fetch(`${url}/b/acme/sso?next=${next}`)).text();
      assert.ok(door.includes(`returnUrl=${encodeURIComponent(`${url}/b/acme/roadmap`)}`), door.slice(0, 3_000));
      const token = jsonwebtoken.sign({ exp: site.clock.now() / 1_000 + 300, id: '7', name: 'Nora' }, secret, {
        noTimestamp: true,
      });
      for (const returnUrl of [`${url}/b/acme/roadmap`, `${PATH}/b/acme/roadmap`, '/b/acme/roadmap']) {
        const came = await makeWalker().fetch(`${url}/b/acme/sso/${token}?returnUrl=${encodeURIComponent(returnUrl)}`);
        assert.equal(came.headers.get('location'), `${PATH}/b/acme/roadmap`, returnUrl);
        assert.match(came.headers.getSetCookie().join(), new RegExp(`earshot\\.sso\\.[^;]+; Path=${PATH};`));
      }
      assert.deepEqual(site.wrong, []);
    });
  }

  test(`a custom domain has the path, too [${engine}]`, async (t) => {
    const site = await openBelow(t, engine, 'keeps', PATH);
    await site.db.transaction((tx) => setBoard(tx, site.board.id, { domain: 'ideas.customer.test' }));
    await site.makePost('Dark mode');
    site.clock.advance(5_000); // keys know their board for a while
    const { headers, payload } = await site.app.inject({
      url: `${PATH}/b/acme/posts/1/dark-mode`,
      headers: { host: 'ideas.customer.test' },
    });
    assert.match(
      payload,
      new RegExp(`<link rel="canonical" href="https://ideas.customer.test${PATH}/b/acme/posts/1/dark-mode"`),
    );
    assert.match(String(headers.link), new RegExp(`<${PATH}/assets/`));
    const posts = await site.api.posts({}, { nodes: { url: true } });
    assert.deepEqual(posts.nodes, [{ url: `https://ideas.customer.test${PATH}/posts/1/dark-mode` }]);
    const short = await site.app.inject({ url: `${PATH}/posts/1/dark-mode`, headers: { host: 'ideas.customer.test' } });
    assert.equal(short.headers.location, `${PATH}/b/acme/posts/1/dark-mode`);
  });

  test(`a board below a path is exported as a site, whose only addresses of the server are whole ones [${engine}]`, async (t) => {
    const baseUrl = `https://example.test${PATH}`;
    const app = await makeTestApp(t, engine, { web: true, isStatic: true, baseUrl });
    await fillBoard(app);
    const logo = new URL((await upload(app, { bytes: PNG, filename: 'logo.png' })).url).pathname.slice(PATH.length);
    await app.db.transaction((tx) => setBoard(tx, app.board.id, { logo_url: logo }));
    const folder = makeSiteFolder(t);
    await writeSite(app, { folder }, baseUrl);
    assert.ok(assertLinksResolve(folder) > 100);
    const pages = readPages(folder);
    const links = pages.flatMap(([, html]) => [...html.matchAll(/(?:href|src)="(https:\/\/example\.test[^"]*)"/g)]);
    assert.ok(links.length > 0);
    for (const [, link = ''] of links) assert.ok(`${link}/`.startsWith(`${baseUrl}/`), link);
    assert.match(String(readSite(folder).get('posts/1/index.json')), /"path": "files\/[\w-]+\.\w+"/);
  });
}
