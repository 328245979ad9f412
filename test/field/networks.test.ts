import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '../support/store.ts';
import { openBehind, send } from './behind.ts';
import { type WayName, ways } from './ways.ts';

/** Clients on networks of their own, which can be told apart only by what the proxy says of them. */
const [HERE, ELSEWHERE] = ['127.1.2.3', '127.1.2.4'];

/** The ways that tell a client's address. */
const tellingWays = (Object.keys(ways) as WayName[]).filter(
  (way) => way !== 'nginx with proxy_pass alone' && way !== 'Caddy behind Caddy',
);

for (const engine of engines) {
  test(`wrong sign-ins of one network are limited, whatever port each has [${engine}]`, async (t) => {
    const { db, proxy, baseUrl } = await openBehind(t, engine);
    const signIn = async (localAddress: string, n: number) => {
      // Most are wrong codes: each password takes a tenth of a second.
      const password = { intent: 'password', email: `nobody-${n}@example.com`, password: 'a wrong password' };
      const form: Record<string, string> = n % 10 === 0 ? password : { intent: 'code', code: '123456' };
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: baseUrl };
      const body = new URLSearchParams(form).toString();
      return (await send(proxy, '/sign-in', { localAddress, headers, body }))?.status;
    };
    for (const way of ['Azure Application Gateway', 'IIS with request routing'] as const) {
      proxy.passing = ways[way];
      const statuses: unknown[] = [];
      for (let n = 0; n < 45; n++) statuses.push(await signIn(HERE, n));
      assert.deepEqual(statuses, [...Array(40).fill(422), ...Array(5).fill(429)], way);
      assert.equal(await signIn(ELSEWHERE, 0), 422, `${way}: another network is another`);
      await db.transaction((tx) => tx.deleteFrom('throttles').execute());
    }
  });

  test(`a key with addresses is served to them alone, whatever is in between [${engine}]`, async (t) => {
    const { proxy, makeKey } = await openBehind(t, engine);
    const headers = { apikey: await makeKey({ allowedIps: [HERE] }), 'content-type': 'application/json' };
    const ask = async (localAddress: string) => {
      const body = '{"query":"{ board { name } }"}';
      return (await send(proxy, '/api/v1/graphql', { localAddress, headers, body }))?.text ?? '';
    };
    for (const way of tellingWays) {
      proxy.passing = ways[way];
      assert.equal(await ask(HERE), '{"data":{"board":{"name":"Acme"}}}', way);
      assert.match(await ask(ELSEWHERE), new RegExp(`may not be used from ${ELSEWHERE}"`), way);
    }
  });
}
