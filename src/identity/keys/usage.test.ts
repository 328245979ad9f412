import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { DAY_MS, HOUR_MS } from '../../platform/lib/clock.ts';
import { updateBoard } from '../board/board.ts';
import { listKeys, revokeKey } from './keys.ts';
import { findUsage, forgetOldUsage, KeyUsage, USAGE_DAYS } from './usage.ts';

const READ = '{ posts { nodes { title } } }';

async function requireKeyId({ db, board }: TestApp, name = 'test'): Promise<string> {
  const key = (await listKeys(db.read, board.id)).find((row) => row.name === name);
  assert.ok(key);
  return key.id;
}

/** What is kept of a key, by hours since the beginning of the first. */
async function usageOf({ db, board }: Pick<TestApp, 'db' | 'board'>, keyId: string) {
  const rows = await findUsage(db.read, board.id, keyId, 0);
  const first = rows[0]?.hour ?? 0;
  return rows.map(({ board_id, api_key_id, hour, ...counts }) => {
    const used = Object.entries(counts).filter(([, count]) => count > 0);
    return { hour: (hour - first) / HOUR_MS, ...Object.fromEntries(used) };
  });
}

testBoth('the results of requests are counted by key, and saved at the latest when the app stops', async (app) => {
  const { gql, makeKey, clock, db, board } = app;
  const reader = await makeKey({ name: 'reader', permissions: ['READ'] });
  const elsewhere = await makeKey({ name: 'elsewhere', allowedIps: ['203.0.113.7'] });
  const limited = await makeKey({ name: 'limited', rateRules: [{ seconds: 86_400, limit: 2 }] });
  const revoked = await makeKey({ name: 'revoked' });
  const ask = (key: string, query = READ, as = 'ada') => gql(query, {}, { key, as });
  await ask(reader);
  await ask(reader, 'mutation { createPost(title: "Dark mode") { id } }');
  await ask(reader, '{ nothing }');
  await ask(reader, '{ post(id: "0198c1f0-0000-7000-8000-000000000000") { id } }');
  await ask(reader, READ, 'nobody');
  await ask(elsewhere);
  for (let n = 0; n < 5; n++) await ask(limited);
  await ask(revoked);
  await revokeKey({ db, clock, board, baseUrl: '' }, await requireKeyId(app, 'revoked'));
  clock.advance(HOUR_MS);
  await ask(revoked);
  await ask(`esk_${'x'.repeat(43)}`);
  await app.app.inject({ url: `/api/csv?apikey=${reader}` });
  await app.app.inject({ url: `/api/csv?apikey=${reader}&votes=perhaps` });
  await updateBoard(db, 'acme', { plan: 'FREE' });
  clock.advance(10_000);
  await ask(reader);
  await app.app.close();
  const expected: Record<string, object[]> = {
    reader: [
      { hour: 0, answered: 2, forbidden: 1, mistaken: 2 },
      { hour: 1, answered: 1, mistaken: 1, forbidden: 1 },
    ],
    elsewhere: [{ hour: 0, forbidden: 1 }],
    limited: [{ hour: 0, answered: 2, limited: 3 }],
    revoked: [
      { hour: 0, answered: 1 },
      { hour: 1, unauthenticated: 1 },
    ],
  };
  for (const [name, usage] of Object.entries(expected)) {
    assert.deepEqual(await usageOf(app, await requireKeyId(app, name)), usage, name);
  }
});

testBoth('an internal error counts as failed', async (app) => {
  await app.db.transaction((tx) => sql`alter table posts rename to away`.execute(tx));
  await assert.rejects(app.api.posts({}, { nodes: { title: true } }), { code: 'INTERNAL_SERVER_ERROR' });
  await app.app.close();
  assert.deepEqual(await usageOf(app, await requireKeyId(app)), [{ hour: 0, answered: 1, failed: 1 }]);
});

testBoth('many requests with many keys are saved in one statement, none of which waits for it', async (app) => {
  const keys = [app.key, await app.makeKey({ name: 'other' })];
  for (const key of keys) await app.gql(READ, {}, { key });
  app.takeStatements();
  for (let n = 0; n < 20; n++) await app.gql('{ viewer { apiKeyName } }', {}, { key: keys[n % 2] ?? '' });
  assert.deepEqual(app.takeStatements(), []);
  await app.app.close();
  assert.equal(app.takeStatements().filter((statement) => /key_usage/.test(statement)).length, 1);
});

testBoth('several processes add up, also at the same time', async (app) => {
  const boardId = app.board.id;
  const keys = await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      await app.makeKey({ name });
      return { boardId, id: await requireKeyId(app, name) };
    }),
  );
  const now = app.clock.now();
  const processes = Array.from({ length: 4 }, () => new KeyUsage());
  for (const [n, usage] of processes.entries()) {
    const order = n % 2 === 0 ? keys : keys.toReversed();
    for (const key of order) for (let hour = 0; hour < 3; hour++) usage.count(key, undefined, now + hour * HOUR_MS);
    for (const key of order) usage.count(key, 'RATE_LIMIT_EXCEEDED', now);
  }
  await Promise.all(processes.map((usage) => usage.save(app.db)));
  await Promise.all(processes.map((usage) => usage.save(app.db)));
  for (const { id } of keys) {
    const expected = [{ hour: 0, answered: 4, limited: 4 }, ...[1, 2].map((hour) => ({ hour, answered: 4 }))];
    assert.deepEqual(await usageOf(app, id), expected);
  }
});

testBoth('what could not be saved is saved later, and a key that is gone is left out', async (app) => {
  const key = { boardId: app.board.id, id: await requireKeyId(app) };
  const usage = new KeyUsage();
  usage.count(key, undefined, app.clock.now());
  usage.count({ boardId: app.board.id, id: 'gone' }, undefined, app.clock.now());
  await app.db.transaction((tx) => sql`alter table key_usage rename to away`.execute(tx));
  await assert.rejects(usage.save(app.db));
  usage.count(key, undefined, app.clock.now());
  await app.db.transaction((tx) => sql`alter table away rename to key_usage`.execute(tx));
  await usage.save(app.db);
  assert.deepEqual(await usageOf(app, key.id), [{ hour: 0, answered: 2 }]);
  assert.deepEqual(await usageOf(app, 'gone'), []);
});

testBoth('hours are kept for 30 days', async (app) => {
  const key = { boardId: app.board.id, id: await requireKeyId(app) };
  const hour = app.clock.now() - (app.clock.now() % HOUR_MS);
  const usage = new KeyUsage();
  for (const age of [-HOUR_MS, 0, HOUR_MS]) usage.count(key, undefined, hour - USAGE_DAYS * DAY_MS - age);
  await usage.save(app.db);
  await forgetOldUsage(app.db, hour);
  const rows = await findUsage(app.db.read, app.board.id, key.id, 0);
  assert.deepEqual(
    rows.map((row) => [(hour - row.hour) / HOUR_MS, row.answered]),
    [
      [USAGE_DAYS * 24, 1],
      [USAGE_DAYS * 24 - 1, 1],
    ],
  );
});
