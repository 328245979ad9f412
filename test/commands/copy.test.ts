import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type CommandLine, makeCommandLine } from '../support/command-line.ts';
import { dumpStore } from '../support/dump.ts';
import { PNG } from '../support/files.ts';
import { startServer } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { engines, makeStorePlace, type StorePlace, TEST_SECRET_KEY } from '../support/store.ts';
import { until } from '../support/until.ts';

const ALLOW = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };

type Event = { id: string; cursor: string };

/** A server on a place, with what the tests ask of it. */
async function serve(t: TestContext, { env }: CommandLine, key: string) {
  const server = await startServer(t, env);
  const headers = { apikey: key, ssotype: 'SSO', ssoid: 'ada' };
  const ask = async (query: string, variables: object = {}) => {
    const response = await fetch(`${server.url}/api/v1/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: { events?: { nodes: Event[] } }; errors?: unknown };
    assert.equal(errors, undefined);
    return data;
  };
  const upload = async () => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(PNG)]), 'screenshot.png');
    const response = await fetch(`${server.url}/api/v1/files`, { method: 'POST', headers, body: form });
    return (await response.json()) as { id: string; url: string };
  };
  const follow = async (after: string | null): Promise<Event[]> => (await ask(EVENTS, { after })).events?.nodes ?? [];
  return { ...server, ask, upload, follow };
}

const EVENTS = 'query($after: String) { events(after: $after, limit: 100) { nodes { id cursor } } }';
const CREATE_ADA = 'mutation { createUser(ssotype: "SSO", userId: "ada", name: "Ada") { id } }';
const CREATE_POST = 'mutation($title: String!, $files: [String!]) { createPost(title: $title, files: $files) { id } }';

test('after a move to PostgreSQL and back, followers, receivers and links to files work as before', async (t) => {
  const first = await makeStorePlace(t, 'sqlite');
  const line = makeCommandLine(first, ALLOW);
  await line.json('board', 'create', '--name', 'Acme');
  const { key } = await line.json('key', 'create', '--name', 'follower', '--rate', 'none');
  let isUp = true;
  const { origin, received } = await startReceiver(t, ({ url, method }, response) => {
    const challenge = new URL(url, 'http://receiver').searchParams.get('hub.challenge') ?? '';
    response.writeHead(method === 'POST' && !isUp ? 500 : 200).end(challenge);
  });
  const secrets = ['--verify-token', 'sesame', '--signing-secret', 'open'];
  const { id: webhook } = await line.json('webhook', 'create', '--url', `${origin}/in`, ...secrets, '--enable');
  const accepted = () => received.filter(({ method }) => method === 'POST').map(({ headers }) => headers['webhook-id']);

  const before = await serve(t, line, key);
  await before.ask(CREATE_ADA);
  const file = await before.upload();
  await before.ask(CREATE_POST, { title: 'Sent', files: [file.id] });
  await until('the first event is delivered', () => accepted().length === 1);
  const cursor = (await before.follow(null)).at(-1)?.cursor ?? '';
  isUp = false;
  for (const title of ['Waiting', 'Waiting too']) await before.ask(CREATE_POST, { title });
  await until('the receiver has refused', () => accepted().length >= 3);
  const running = await line.run('copy', '--to', 'postgres://nowhere.test/x');
  assert.match(running.stderr, /^Another server is running on the data folder .*: stop it first\n$/);
  await before.end('SIGTERM');
  received.length = 0;

  const { databaseUrl } = await makeStorePlace(t, 'postgres');
  const moved = await line.run('copy', '--to', databaseUrl ?? '');
  assert.deepEqual([moved.status, moved.stderr], [0, '']);
  assert.match(
    moved.stdout,
    /^Copied [\d,]+ rows; every table is equal .*\nUploaded files stay in .*\nStart the server with DATABASE_URL and DATA_DIR=.*, and with SECRET_KEY set to the content of .*secret\.key\.\n$/,
  );
  const second: StorePlace = { databaseUrl, dataDir: first.dataDir };
  assert.deepEqual(await dumpStore(second), await dumpStore(first));

  const SECRET_KEY = readFileSync(join(first.dataDir, 'secret.key'), 'utf8');
  const onPostgres = makeCommandLine(second, { ...ALLOW, SECRET_KEY });
  isUp = true;
  const after = await serve(t, onPostgres, key);
  const waiting = await after.follow(cursor);
  assert.equal(waiting.length, 2);
  await onPostgres.json('webhook', 'enable', webhook);
  await until('the backlog is delivered', () => accepted().length >= 2);
  await after.ask(CREATE_POST, { title: 'After the move' });
  await until('and what is new', () => accepted().length >= 3);
  const now = await after.follow(cursor);
  // Each post has a queue of its own.
  assert.deepEqual(accepted().sort(), now.map(({ id }) => id).sort());
  const alive = await onPostgres.run('copy', '--to', join(first.dataDir, 'back'));
  assert.match(alive.stderr, /^Earshot is connected to the database \(earshot.*\): stop it first\n$/);
  await after.end('SIGTERM');

  const third: StorePlace = { databaseUrl: null, dataDir: join(first.dataDir, 'back') };
  const back = await onPostgres.json('copy', '--to', third.dataDir);
  assert.deepEqual([back.files, back.missingFiles], [1, []]);
  assert.deepEqual(await dumpStore(third), await dumpStore(second));
  const home = await serve(t, makeCommandLine(third, { ...ALLOW, SECRET_KEY }), key);
  assert.deepEqual(await home.follow(cursor), now);
  const served = await fetch(home.url + new URL(file.url).pathname);
  assert.deepEqual(Buffer.from(await served.arrayBuffer()), PNG);
  assert.equal(accepted().length, 3);
});

for (const engine of engines) {
  test(`a target that is not empty, or is the store itself, is refused [${engine}]`, async (t) => {
    const source = makeCommandLine(await makeStorePlace(t, 'sqlite'));
    const target = makeCommandLine(await makeStorePlace(t, engine));
    for (const { json } of [source, target]) await json('board', 'create', '--name', 'Acme');
    const to = target.place.databaseUrl ?? target.place.dataDir;
    assert.match((await source.run('copy', '--to', to)).stderr, /^The target is not empty: its table boards has rows/);
    assert.match((await target.run('copy', '--to', to)).stderr, /^The target is the store itself/);
    assert.equal((await target.json('board', 'list')).items.length, 1);
  });
}

test('without a store, with another key, or to an invalid target, nothing is copied', async (t) => {
  const { place, run, json } = makeCommandLine(await makeStorePlace(t, 'sqlite'));
  const to = join(place.dataDir, 'copy');
  assert.match((await run('copy', '--to', to)).stderr, /^There is no store in /);
  assert.ok(!existsSync(join(place.dataDir, 'earshot.db')));
  for (const wrong of ['mysql://x/y', '', 'postgres://a b'])
    assert.equal((await run('copy', '--to', wrong)).status, 2, wrong);

  await json('board', 'create', '--name', 'Acme');
  await json('webhook', 'create', '--url', 'http://receiver.test/', '--signing-secret', 'open');
  const other = makeCommandLine(place, { SECRET_KEY: 'a key that is not the right one' });
  assert.match((await other.run('copy', '--to', to)).stderr, /^SECRET_KEY is not the key that encrypted the secrets/);
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, 'secret.key'), 'a key that is not the right one');
  assert.match((await run('copy', '--to', to)).stderr, /secret\.key is not the key of the source/);
  rmSync(join(to, 'secret.key'));
  assert.match(
    (await run('copy', '--to', to)).stdout,
    /Start the server with DATA_DIR=.*; the key is in that folder\.\n$/,
  );
  const copied = makeCommandLine({ databaseUrl: null, dataDir: to });
  assert.equal((await copied.json('webhook', 'list')).items.length, 1);
});

for (const engine of engines) {
  test(`a board moves to an installation of its own, and the others stay [${engine}]`, async (t) => {
    const source = makeCommandLine(await makeStorePlace(t, engine), { SECRET_KEY: TEST_SECRET_KEY });
    const stays = await source.json('board', 'create', '--name', 'Stays');
    const moves = await source.json('board', 'create', '--name', 'Moves');
    const { key } = await source.json('key', 'create', '--board', moves.pid, '--name', 'follower');
    const { key: keyOfStaying } = await source.json('key', 'create', '--board', stays.pid, '--name', 'follower');
    const running = await serve(t, source, key);
    await running.ask(CREATE_ADA);
    const file = await running.upload();
    await running.ask(CREATE_POST, { title: 'Moves, too', files: [file.id] });
    const events = await running.follow(null);
    await running.end('SIGTERM');

    const target: StorePlace = { databaseUrl: null, dataDir: join(source.place.dataDir, 'alone') };
    const nowhere = await source.run('copy', '--board', 'nowhere', '--to', target.dataDir);
    assert.deepEqual([nowhere.status, nowhere.stderr], [1, 'There is no board nowhere\n']);
    const copied = await source.run('copy', '--board', moves.pid, '--to', target.dataDir);
    assert.match(copied.stdout, /The board is in the source, too: `board delete` removes it there/);
    const alone = makeCommandLine(target, { SECRET_KEY: TEST_SECRET_KEY });
    const boards = (line: CommandLine) =>
      line.json('board', 'list').then(({ items }) => items.map((item: { name: string }) => item.name));
    assert.deepEqual(await boards(alone), ['Moves']);
    assert.match((await alone.run('check')).stdout, /complete|nothing/i);

    const unsure = await source.run('board', 'delete', '--board', moves.pid);
    assert.match(unsure.stderr, /--yes/);
    assert.match((await source.run('board', 'delete', '--board', moves.pid, '--yes')).stdout, /^Deleted Moves /);
    assert.deepEqual(await boards(source), ['Stays']);
    const moved = await serve(t, alone, key);
    assert.deepEqual(await moved.follow(null), events);
    assert.equal((await fetch(moved.url + new URL(file.url).pathname)).status, 200);
    const rest = await serve(t, source, keyOfStaying);
    await rest.ask(CREATE_ADA);
    await rest.ask(CREATE_POST, { title: 'Goes on' });
    const late = await source.run('board', 'delete', '--board', stays.pid, '--yes');
    if (engine === 'sqlite') assert.match(late.stderr, /stop it first/);
  });
}
