import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testBoth } from '../../../test/support/app.ts';
import { engines, openTestStore } from '../../../test/support/store.ts';
import { makeMemoryRateLimiter, makeSharedRateLimiter, type RatedKey, type RateLimiter } from './rate-limit.ts';

const key: RatedKey = {
  id: 'k',
  boardId: 'b',
  rateRules: [
    { seconds: 1, limit: 2 },
    { seconds: 60, limit: 3 },
  ],
};

/** Requests at these milliseconds, and whether each is allowed. */
const table: [at: number, allowed: boolean][] = [
  [0, true],
  [10, true],
  [999, false],
  [1_000, true],
  [1_001, false],
  [59_999, false],
  [60_000, true],
  [60_500, true],
  [60_999, false],
  [61_000, true],
  [61_500, false],
  [120_000, true],
];

async function walkTable(limiter: RateLimiter): Promise<void> {
  for (const [at, allowed] of table) {
    assert.equal((await limiter.take(key, at)).allowed, allowed, `at ${at} ms`);
  }
}

test('windows begin at multiples of their length, and refused requests are not counted', async () => {
  await walkTable(makeMemoryRateLimiter());
});

for (const engine of engines) {
  test(`a limiter that is shared through the store follows the same table [${engine}]`, async (t) => {
    await walkTable(makeSharedRateLimiter(await openTestStore(t, engine)));
  });

  test(`several processes keep to one limit together [${engine}]`, async (t) => {
    const db = await openTestStore(t, engine);
    const limiters = Array.from({ length: 4 }, () => makeSharedRateLimiter(db));
    const rated = { ...key, rateRules: [{ seconds: 60, limit: 10 }] };
    const verdicts = await Promise.all(Array.from({ length: 60 }, (_, n) => limiters[n % 4]?.take(rated, 5)));
    assert.equal(verdicts.filter((verdict) => verdict?.allowed).length, 10);
  });

  test(`a burst counts only the requests that are allowed in the longer windows [${engine}]`, async (t) => {
    const limiter = makeSharedRateLimiter(await openTestStore(t, engine));
    const rules = [
      { seconds: 1, limit: 5 },
      { seconds: 60, limit: 8 },
    ];
    const burst = async (at: number) => {
      const verdicts = await Promise.all(
        Array.from({ length: 30 }, () => limiter.take({ ...key, rateRules: rules }, at)),
      );
      return verdicts.filter(({ allowed }) => allowed).length;
    };
    assert.deepEqual([await burst(0), await burst(1_000), await burst(2_000)], [5, 3, 0]);
  });

  test(`a clock that is behind does not open a window again [${engine}]`, async (t) => {
    const db = await openTestStore(t, engine);
    const rated = { ...key, rateRules: [{ seconds: 1, limit: 1 }] };
    assert.equal((await makeSharedRateLimiter(db).take(rated, 5_000)).allowed, true);
    assert.equal((await makeSharedRateLimiter(db).take(rated, 4_999)).allowed, false);
  });
}

test('the remaining requests are reported with the time of the next window', async () => {
  const { windows } = await makeMemoryRateLimiter().take(key, 1_500);
  assert.deepEqual(windows, [
    { seconds: 1, limit: 2, remaining: 1, resetAt: 2_000 },
    { seconds: 60, limit: 3, remaining: 2, resetAt: 60_000 },
  ]);
});

testBoth('a key over its limit is refused with 429 and the time to retry', async (app) => {
  const limited = await app.makeKey({
    rateRules: [
      { seconds: 1, limit: 1 },
      { seconds: 60, limit: 2 },
    ],
  });
  const send = () => app.gql('{ rateLimit { windows { seconds limit remaining resetAt } } }', {}, { key: limited });
  const first = await send();
  assert.equal(first.headers['ratelimit-policy'], '"1s";q=1;w=1, "60s";q=2;w=60');
  assert.match(String(first.headers.ratelimit), /^"1s";r=0;t=1, "60s";r=1;t=\d+$/);
  assert.deepEqual(
    first.data.rateLimit.windows.map((w: { remaining: number }) => w.remaining),
    [0, 1],
  );
  const second = await send();
  assert.deepEqual([second.status, second.errors[0]?.message, second.data], [429, 'Rate limit exceeded', undefined]);
  assert.deepEqual([second.headers['retry-after'], second.errors[0]?.extensions.retryAfter], ['1', 1]);
  app.clock.advance(1_000);
  assert.equal((await send()).status, 200);
  app.clock.advance(1_000);
  const third = await send();
  assert.equal(third.status, 429);
  assert.ok(Number(third.headers['retry-after']) > 1 && Number(third.headers['retry-after']) <= 60);
  app.clock.advance(60_000);
  assert.equal((await send()).status, 200);
});

testBoth('a key without limits gets no limit headers', async ({ gql }) => {
  const { headers, data } = await gql('{ rateLimit { windows { seconds } } }');
  assert.equal(headers.ratelimit, undefined);
  assert.deepEqual(data.rateLimit.windows, []);
});

testBoth('a key has one limit for each length of window', async ({ makeKey }) => {
  const twice = [
    { seconds: 60, limit: 5 },
    { seconds: 60, limit: 10 },
  ];
  await assert.rejects(makeKey({ rateRules: twice }), /two rate limits for 60 s/);
});
