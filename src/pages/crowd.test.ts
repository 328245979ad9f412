import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testPages } from '../../test/support/web.ts';
import { CROWD, Crowd } from './crowd.ts';

const ATHENS = '192.0.2.1';
const BERLIN = '192.0.2.2';
const CAIRO = '192.0.2.3';

testPages('a network gets a limited number of pages at once, and 503 for one more', async ({ app, makePost }) => {
  await makePost('Dark mode');
  const ask = async (remoteAddress: string) => {
    const { statusCode, headers } = await app.inject({
      url: '/b/acme',
      headers: { host: 'board.test' },
      remoteAddress,
    });
    return { status: statusCode, retryAfter: headers['retry-after'] };
  };
  assert.equal((await ask(ATHENS)).status, 200);
  const answers = await Promise.all(Array.from({ length: CROWD.network + 1 }, () => ask(ATHENS)).concat(ask(BERLIN)));
  const refused = answers.filter(({ status }) => status !== 200);
  assert.deepEqual(refused, [{ status: 503, retryAfter: '5' }]);
  assert.equal(answers.at(-1)?.status, 200, 'other networks are not refused');
  assert.equal((await ask(ATHENS)).status, 200, 'those that are answered count no more');
});

testPages('small requests are answered between the pages of a crowd', async ({ app, makePost }) => {
  await makePost('Dark mode');
  const ask = (url: string) => app.inject({ url, headers: { host: 'board.test' } });
  await ask('/b/acme');
  let rendered = 0;
  const pages = Array.from({ length: 100 }, () => ask('/b/acme').then(() => rendered++));
  assert.equal((await ask('/healthz')).statusCode, 200);
  assert.ok(rendered < 50, `${rendered} pages were rendered first`);
  await Promise.all(pages);
});

test('all networks together get a limited number of pages at once', async () => {
  const crowd = new Crowd();
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const half = [ATHENS, BERLIN].flatMap((network) => Array.from({ length: CROWD.all / 2 }, () => network));
  const answers = half.slice(1).map((network) => crowd.within(network, () => ended));
  const last = crowd.within(CAIRO, () => ended);
  await assert.rejects(
    crowd.within(CAIRO, async () => {}),
    { statusCode: 503 },
  );
  end();
  await Promise.all([...answers, last]);
  assert.equal(await crowd.within(CAIRO, async () => 'answered'), 'answered');
  await assert.rejects(
    crowd.within(CAIRO, () => Promise.reject(new Error('failed'))),
    { message: 'failed' },
  );
  assert.equal(await crowd.within(CAIRO, async () => 'answered'), 'answered');
});
