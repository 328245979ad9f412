import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { onEnd } from '../support/cleanup.ts';
import { findFreePort } from '../support/postgres.ts';
import { engines, makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { prepareBoard, withReader } from './board.ts';
import { CREATE_POST } from './client.ts';
import { recount } from './recount.ts';
import { runEarshot } from './server.ts';

test('a start with a wrong environment fails with one line for each mistake', async (t) => {
  const place = await makeStorePlace(t, 'sqlite');
  const env = {
    PORT: '0',
    ROLE: 'king',
    TRUST_PROXY: 'nobody',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://u:hunter2@h/d',
  };
  const { status, stdout, stderr } = await runEarshot(place, ['serve'], { env }).ended;
  const lines = stderr.trimEnd().split('\n');
  assert.deepEqual([status, stdout], [1, '']);
  assert.deepEqual(lines.map((line) => line.split(':')[0]).sort(), Object.keys(env).sort());
  for (const line of lines) assert.match(line, /^[A-Z_]+: .+ is not allowed; it must be .+/);
  assert.doesNotMatch(stderr, /hunter2/);
});

test('a start without a database fails with one line that names the place and the reason, but no password', async (t) => {
  const { dataDir, databaseUrl } = await makeStorePlace(t, 'postgres');
  const { hostname, port } = new URL(databaseUrl ?? '');
  const free = await findFreePort();
  const cases: [place: string, database: string, why: string][] = [
    [`127.0.0.1:${free}`, 'earshot', 'connection refused (ECONNREFUSED)'],
    ['nowhere.invalid:5432', 'earshot', 'the host name does not exist (E'],
    [`${hostname}:${port}`, 'no-such-database', 'database "no-such-database" does not exist (3D000)'],
  ];
  for (const [place, database, why] of cases) {
    for (const command of [['serve'], ['migrate'], ['key', 'list']]) {
      const url = `postgres://earshot:hunter2@${place}/${database}`;
      const { status, stdout, stderr } = await runEarshot({ dataDir, databaseUrl: url }, command).ended;
      assert.deepEqual([status, stdout], [1, '']);
      assert.ok(stderr.startsWith(`The database cannot be reached at ${place}: ${why}`), stderr);
      assert.match(stderr, /^[^\n]+\n$/);
      assert.doesNotMatch(stderr, /hunter2/);
    }
  }
});

for (const engine of engines) {
  test(`a start on a port that is taken fails with one clear line and ends [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onEnd(t, () => other.close());
    const { port } = other.address() as { port: number };
    const program = runEarshot(place, ['serve'], { env: { PORT: String(port) } });
    onEnd(t, () => program.child.kill('SIGKILL'));
    await until('it says why', () => program.written.stderr.includes('EADDRINUSE'));
    await until('the process ends', () => hasEnded(program.child));
    const { status, stderr } = await program.ended;
    assert.equal(status, 1);
    assert.match(stderr, /^[^\n]*EADDRINUSE[^\n]*\n$/);
  });

  test(`a server that is stopped at its first output stops as usual [${engine}]`, async (t) => {
    const port = await findFreePort();
    const { child, ended } = runEarshot(await makeStorePlace(t, engine), ['serve'], { env: { PORT: String(port) } });
    child.stdout?.once('data', () => child.kill('SIGTERM'));
    const { status, signal, stderr } = await ended;
    assert.deepEqual({ status, signal, stderr }, { status: 0, signal: null, stderr: '' });
  });

  test(`SIGTERM lets requests in flight finish, takes no new ones and ends with status 0 [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const { server, key } = await prepareBoard(t, place, 1);
    const headers = { 'content-type': 'application/json', apikey: key, ssotype: 'SSO', ssoid: 'writer-0' };
    const inFlight = await Promise.all(Array.from({ length: 20 }, () => beginRequest(server.url, headers)));
    server.child.kill('SIGTERM');
    await until('the port is closed', () => isClosed(Number(new URL(server.url).port)));
    server.child.kill('SIGTERM'); // as when npm passes on what the whole process group was sent
    assert.equal(server.child.exitCode, null);
    const answers = await Promise.all(
      inFlight.map((finish, n) => finish(JSON.stringify({ query: CREATE_POST, variables: { title: `Post ${n}` } }))),
    );
    for (const { status, body } of answers) {
      assert.equal(status, 200);
      assert.equal(typeof JSON.parse(body).data?.createPost?.id, 'string', body);
    }
    await until('the process ends although clients keep their connections', () => hasEnded(server.child));
    const { status, signal, stderr } = await server.ended;
    // Had it waited until its limit, it would say so.
    assert.deepEqual([status, signal, stderr], [0, null, '']);
    const posts = await withReader(place, (reader) => reader.selectFrom('posts').select('title').execute());
    assert.equal(posts.length, answers.length);
    assert.deepEqual(await withReader(place, recount), []);
  });

  test(`the answer to a request in flight ends its connection once the server stops [${engine}]`, async (t) => {
    const { server, key } = await prepareBoard(t, await makeStorePlace(t, engine), 1);
    const port = Number(new URL(server.url).port);
    const body = '{"query":"{ board { name } }"}';
    const head = [
      'POST /api/v1/graphql HTTP/1.1',
      'host: localhost',
      `apikey: ${key}`,
      'content-type: application/json',
      'expect: 100-continue',
      `content-length: ${body.length}`,
    ];
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    let received = '';
    socket.on('data', (text) => {
      received += text;
    });
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await until('the request is in flight', () => received.includes('100 Continue'));
    server.child.kill('SIGTERM');
    await until('the port is closed', () => isClosed(port));
    socket.write(body);
    await once(socket, 'close');
    assert.match(received, /200 OK.*connection: close.*"board"/is);
    assert.equal((await server.ended).status, 0);
  });
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

type Answer = { status: number | undefined; body: string };

/** Sends the head of a request, waits until the server has taken it, and gives what sends the rest. */
async function beginRequest(url: string, headers: Record<string, string>): Promise<(body: string) => Promise<Answer>> {
  const asking = request(`${url}/api/v1/graphql`, {
    method: 'POST',
    headers: { ...headers, expect: '100-continue' },
    agent: new Agent({ keepAlive: true }),
  });
  asking.flushHeaders();
  await once(asking, 'continue');
  return async (body) => {
    asking.end(body);
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    const chunks = await response.setEncoding('utf8').toArray();
    return { status: response.statusCode, body: chunks.join('') };
  };
}

function isClosed(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
}
