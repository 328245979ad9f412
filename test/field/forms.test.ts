import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setBoard } from '../../src/identity/board/board.ts';
import { engines } from '../support/store.ts';
import { makeTestWeb, type TestWeb } from '../support/web.ts';

const BASE_URL = 'https://ideas.example.test:8443';
const DOMAIN = 'feedback.customer.test';

/** What a proxy that ends TLS makes of a request to a host, as nginx 1.22 was seen to pass it on. */
const proxies: Record<string, (host: string) => Record<string, string>> = {
  'Host and scheme are right': (host) => ({ host, 'x-forwarded-proto': 'https' }),
  'no X-Forwarded-Proto': (host) => ({ host }),
  'http from an inner proxy': (host) => ({ host, 'x-forwarded-proto': 'http' }),
  'a list of a chain': (host) => ({ host, 'x-forwarded-proto': 'https, http' }),
  'the port is lost ($host)': (host) => ({ host: host.replace(/:\d+$/, ''), 'x-forwarded-proto': 'https' }),
  "the upstream's own Host": () => ({ host: '127.0.0.1:4000' }),
  'a host and scheme of X-Forwarded-*': () => ({
    host: 'app:4000',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'javascript',
  }),
};

/** How forms are sent: by the browser, or by the script of a page. */
const paths = ['/sign-in', '/sign-in.data'];

type Headers = Record<string, string>;

/** Asks for a mailed link with a form. @returns the status */
async function signIn({ app, db }: TestWeb, path: string, headers: Headers): Promise<number> {
  await db.transaction((tx) => tx.deleteFrom('throttles').execute());
  const payload = new URLSearchParams({ intent: 'link', email: 'nobody@example.com', next: '/b/acme' }).toString();
  const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
  return (await app.inject({ method: 'POST', url: path, payload, headers: form })).statusCode;
}

for (const engine of engines) {
  for (const trustProxy of [0, ['127.0.0.1']]) {
    test(`forms arrive through a proxy that ends TLS, TRUST_PROXY=${trustProxy} [${engine}]`, async (t) => {
      const web = await makeTestWeb(t, engine, { trustProxy, baseUrl: BASE_URL });
      await web.db.transaction((tx) => setBoard(tx, web.board.id, { domain: DOMAIN }));
      for (const [passed, pass] of Object.entries(proxies)) {
        for (const origin of [BASE_URL, `https://${DOMAIN}`, `https://${DOMAIN}:8443`]) {
          // Browsers before 2023 send only the second.
          const sent: Headers[] = [{ origin, 'sec-fetch-site': 'same-origin' }, { origin }];
          for (const browser of sent) {
            for (const path of paths) {
              const headers = { ...browser, ...pass(new URL(origin).host) };
              const status = await signIn(web, path, headers);
              assert.ok(status < 400, `${path}, ${passed}: ${JSON.stringify(headers)}: ${status}`);
            }
          }
        }
      }
    });

    test(`forms of other sites are refused behind it, TRUST_PROXY=${trustProxy} [${engine}]`, async (t) => {
      const web = await makeTestWeb(t, engine, { trustProxy, baseUrl: BASE_URL });
      await web.db.transaction((tx) => setBoard(tx, web.board.id, { domain: DOMAIN }));
      const foreign = [
        'https://evil.example',
        'http://ideas.example.test:8443',
        'https://ideas.example.test',
        'https://ideas.example.test:9443',
        'https://evil.ideas.example.test:8443',
        'https://ideas.example.test.evil.example:8443',
        'https://example.test:8443',
        `http://${DOMAIN}`,
        `https://www.${DOMAIN}`,
        `https://${DOMAIN}.evil.example`,
        'https://127.0.0.1',
        'http://localhost',
        'null',
        '',
        'file://',
        'chrome-extension://abcdefghijklmnop',
        'app://ideas.example.test:8443',
        'javascript:alert(1)',
      ];
      for (const pass of Object.values(proxies)) {
        for (const origin of foreign) {
          const sent: Headers[] = [
            { origin },
            { origin, 'sec-fetch-site': 'cross-site' },
            { origin, 'sec-fetch-site': 'same-site' },
          ];
          for (const browser of sent) {
            for (const path of paths) {
              const headers = { ...browser, ...pass('ideas.example.test:8443') };
              assert.equal(await signIn(web, path, headers), 403, `${path}: ${JSON.stringify(headers)}`);
            }
          }
        }
      }
      // The domain of a board is not that of the others: its admin may lead it anywhere.
      const other = await web.makeBoard({ name: 'Other' });
      await web.db.transaction((tx) => setBoard(tx, other.id, { domain: `other.${DOMAIN}` }));
      for (const host of ['ideas.example.test:8443', 'ideas.example.test', `other.${DOMAIN}`]) {
        for (const path of paths)
          assert.equal(await signIn(web, path, { host, origin: `https://${DOMAIN}` }), 403, host);
      }
      for (const site of ['cross-site', 'same-site', 'nonsense']) {
        const headers = { host: 'ideas.example.test:8443', origin: BASE_URL, 'sec-fetch-site': site };
        assert.equal(await signIn(web, '/sign-in', headers), 403, site);
      }
      await web.app.close(); // waits for what no test waited for
      assert.deepEqual(await web.db.read.selectFrom('mails').select('id').execute(), []);
    });
  }
}
