import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { makeWayTo } from '../../test/support/cut-off.ts';
import { makeStorePlace } from '../../test/support/store.ts';
import { makeTestWeb, signUp } from '../../test/support/web.ts';
import { migrate } from '../platform/db/migrate.ts';
import { openDb } from '../platform/db/open.ts';

const POST = '/b/acme/posts/1';
const THOUGHT = 'A long thought that is a pity to write twice.';

test('while the database is away, pages answer 503 and forms keep what was typed [postgres]', async (t) => {
  const place = await makeStorePlace(t, 'postgres');
  const way = await makeWayTo(t, place.databaseUrl ?? '');
  const db = openDb({ ...place, databaseUrl: way.url });
  t.after(() => db.close());
  await migrate(db, 0);
  const web = await makeTestWeb(t, 'postgres', { db });
  await web.makePost('Dark mode');
  const vera = await signUp(web, 'Vera');
  assert.equal((await vera.get(POST)).statusCode, 200);

  way.cut();
  for (const path of ['/', '/b/acme', POST, '/b/acme/roadmap', '/b/acme/similar?title=x', '/join/x']) {
    for (const answer of [await vera.get(path), await vera.head(path), await web.makeVisitor().get(path)]) {
      assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [503, '5'], path);
      assert.doesNotMatch(answer.payload, /ECONN|postgres:|\bat \/|pg-pool/, path);
    }
  }
  assert.match((await vera.get(POST)).payload, /<h1>The board is temporarily unavailable<\/h1>/);
  const byScript = await vera.post(`${POST}.data`, { intent: 'comment', text: THOUGHT });
  assert.deepEqual([byScript.statusCode, byScript.headers['retry-after']], [503, '5']);
  assert.match(byScript.payload, /temporarily unavailable: try again/);
  assert.ok(byScript.payload.includes(THOUGHT), 'what was typed comes back');
  assert.equal(
    (await vera.post('/sign-in', { intent: 'password', email: 'a@b.example', password: 'x' })).statusCode,
    503,
  );

  way.restore();
  for (let tries = 0; (await vera.get(POST)).statusCode !== 200; tries++)
    assert.ok(tries < 100, 'it comes back by itself');
  assert.equal((await vera.post(POST, { intent: 'comment', text: THOUGHT })).statusCode, 302);
});

test('on a full disk pages are read as ever, and forms keep what was typed with 503 [sqlite]', async (t) => {
  const web = await makeTestWeb(t, 'sqlite');
  await web.makePost('Dark mode');
  const vera = await signUp(web, 'Vera');
  await vera.post(POST, { intent: 'follow' });
  const run = (statement: string) => web.db.transaction((tx) => sql.raw(statement).execute(tx));
  const text = THOUGHT.repeat(400);
  await run('pragma max_page_count = 1'); // as few pages as there are
  assert.equal((await vera.get(POST)).statusCode, 200);
  const refused = await vera.post(POST, { intent: 'comment', text });
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [503, '5']);
  assert.match(refused.payload, /temporarily unavailable: try again/);
  assert.ok(refused.payload.includes(text), 'what was typed comes back');
  await run('pragma max_page_count = 1000000');
  assert.equal((await vera.post(POST, { intent: 'comment', text })).statusCode, 302);
});
