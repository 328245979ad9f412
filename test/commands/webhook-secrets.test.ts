import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDb } from '../../src/platform/db/open.ts';
import { type CommandLine, testCommandLine } from '../support/command-line.ts';
import { startServer } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import type { StorePlace } from '../support/store.ts';

testCommandLine('a secret that is made here is shown once', async ({ run, json }) => {
  await json('board', 'create', '--name', 'Acme');
  const url = 'http://127.0.0.1:9/in';
  const created = await json('webhook', 'create', '--url', url, '--verify-token', '--signing-secret');
  assert.match(created.verifyToken, /^[\w-]{43}$/);
  assert.match(created.signingSecret, /^whsec_[\w+/]{43}=$/);
  assert.deepEqual([created.hasVerifyToken, created.hasSigningSecret], [true, true]);
  const words = (await run('webhook', 'create', '--url', url, '--signing-secret')).stdout;
  const [, shown = ''] = /^signingSecret: (whsec_\S{44})\nSave it now: it is not shown again\.$/m.exec(words) ?? [];
  assert.notEqual(shown, '');
  const { id, verifyToken, signingSecret } = created;
  for (const args of [
    ['show', id],
    ['show', id, '--json'],
    ['list', '--json'],
    ['update', id, '--events', 'post.created'],
  ]) {
    const { stdout } = await run('webhook', ...args);
    assert.match(stdout, /post\.created|all/);
    assertHasNone(stdout, [verifyToken, signingSecret, shown]);
  }
});

testCommandLine('a made secret is shown also when enabling is refused', async ({ run, json }) => {
  await json('board', 'create', '--name', 'Acme');
  const create = (n: number, ...more: string[]) =>
    run('webhook', 'create', '--url', `http://127.0.0.1:9/${n}`, '--enable', ...more);
  for (let n = 0; n < 10; n++) assert.match((await create(n)).stderr, /stays disabled\. Nothing is listening/);
  const { status, stdout, stderr } = await create(10, '--signing-secret', '--json');
  assert.deepEqual([status, JSON.parse(stdout).state, JSON.parse(stdout).signingSecret.length], [1, 'disabled', 50]);
  assert.match(stderr, /^There have been 10 verifications within a minute: wait a minute, then try again\n$/);
});

testCommandLine(
  'a typed secret is in no output, no log and nowhere in the store, though the receiver repeats it',
  async (line, t) => {
    const secrets = ['typed verify token/ü', 'typed signing secret "1"', 'typed pending secret \\2'];
    const [token = '', secret = '', pending = ''] = secrets;
    const known = [token, secret];
    const { origin } = await startReceiver(t, ({ method, url }, response) => {
      const challenge = new URL(url, 'http://receiver').searchParams.get('hub.challenge') ?? '';
      const isGood = method === 'GET' && url.startsWith('/in');
      response.setHeader('x-echo', encodeURIComponent(known.join()));
      response
        .writeHead(isGood ? 200 : 500)
        .end(isGood ? challenge : `${url} ${known.join()} ${JSON.stringify(known)}`);
    });
    const server = await startServer(t, { ...line.env, LOG_LEVEL: 'trace' });
    const outputs: string[] = [];
    const run = async (...args: string[]) => {
      const { stdout, stderr } = await line.run('webhook', ...args, '--json');
      outputs.push(stdout, stderr);
      return JSON.parse(stdout);
    };
    const config = ['--verify-token', token, '--signing-secret', secret];
    await run('create', '--url', `${origin}/bad`, ...config, '--enable');
    const { id } = await run('create', '--url', `${origin}/in`, ...config, '--enable');
    assert.equal((await run('update', id, '--signing-secret', pending)).hasPendingSecret, true);
    known.push(pending);
    assert.equal((await run('test', id)).outcome, 'answered 500');
    await line.json('seed', '--posts', '1');
    await attempted(line, id);
    await run('deliveries', id);
    await run('show', id);
    await run('list');
    const { stderr } = await server.end('SIGTERM');
    for (const text of [...outputs, stderr, await dumpStore(line.place)]) assertHasNone(text, secrets);
  },
);

async function attempted({ json }: CommandLine, id: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const { items } = await json('webhook', 'deliveries', id, '--event', 'post.created');
    if (items[0]?.attempts > 0) return;
    await delay(50);
  }
  assert.fail('The event was not attempted');
}

/** All rows of all tables as text, and the bytes of the embedded store's files. */
async function dumpStore(place: StorePlace): Promise<string> {
  const db = openDb(place);
  const catalogue =
    db.engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_schema where type = 'table'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`;
  const texts: string[] = [];
  for (const { name } of (await catalogue.execute(db.read)).rows) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db.read);
    // What the store keeps as JSON is read too, so that no quotation hides a secret.
    const values = rows.flatMap((row) => Object.values(row as object).map((value) => unquote(String(value))));
    texts.push(...values);
  }
  await db.close();
  const files = readdirSync(place.dataDir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return [...texts, ...files.map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))].join('\n');
}

function unquote(text: string): string {
  try {
    return text + Object.values(JSON.parse(text)).join();
  } catch {
    return text;
  }
}

function assertHasNone(text: string, secrets: readonly string[]): void {
  for (const secret of secrets) {
    for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
      const at = text.indexOf(form);
      assert.ok(at < 0, `found ${form} in …${text.slice(Math.max(0, at - 200), at + 50)}`);
    }
  }
}
