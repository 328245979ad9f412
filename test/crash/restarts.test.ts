import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { onEnd } from '../support/cleanup.ts';
import { findFreePort } from '../support/postgres.ts';
import { startProxy } from '../support/proxy.ts';
import { roundsOf } from '../support/rounds.ts';
import { engines, makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { prepareBoard, withReader } from './board.ts';
import { CREATE_POST } from './client.ts';
import { startServer } from './server.ts';

const RESTARTS = roundsOf('CRASH_RESTARTS', { short: 2, long: 10 });
/** An empty setting is the default. */
const DRAINING = { DRAIN_DELAY: '' };

test('two servers behind a proxy are restarted in turn under load, and no request fails', async (t) => {
  const place = await makeStorePlace(t, 'postgres');
  const { server, key } = await prepareBoard(t, place, 1, { env: DRAINING });
  const port = await findFreePort();
  const servers = [server, await startServer(t, place, { env: DRAINING, port })];
  const proxy = await startProxy(
    t,
    servers.map(({ url }) => url),
  );
  const load = startRequests(t, proxy.url, key);
  for (let n = 0; n < RESTARTS; n++) {
    const { url, stop } = servers[n % 2] ?? server;
    const { status, stderr } = await stop();
    assert.deepEqual([status, stderr], [0, '']);
    servers[n % 2] = await startServer(t, place, { env: DRAINING, port: Number(new URL(url).port) });
    const before = proxy.answers.get(url) ?? 0;
    await until('it answers again', () => (proxy.answers.get(url) ?? 0) > before + 20, 60_000);
  }
  const { sent, failed, posts } = await load.stop();
  assert.deepEqual([proxy.failures, failed], [[], []]);
  assert.ok(sent > RESTARTS * 20, `${sent} requests`);
  const rows = await withReader(place, (reader) => reader.selectFrom('posts').select('id').execute());
  assert.deepEqual(rows.map(({ id }) => id).sort(), posts.sort());
});

for (const engine of engines) {
  test(`a server that is stopping reports so, and keeps answering for a while [${engine}]`, async (t) => {
    // Longer than the first pages take on a busy machine.
    const env = { DRAIN_DELAY: '6' };
    const { server } = await prepareBoard(t, await makeStorePlace(t, engine), 1, { env });
    const stopped = server.stop();
    await until('it says that it stops', async () => (await get(`${server.url}/readyz`)).status === 503);
    const paths = ['/readyz', '/healthz', '/api/v1/schema.graphql', '/sign-in', '/nowhere', '/api/nowhere'];
    const connections = paths.map((path) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      onEnd(t, () => agent.destroy());
      return async () => ({ path, ...(await get(server.url + path, agent)) });
    });
    const before = await Promise.all(connections.map((ask) => ask()));
    const { body } = before[0] ?? { body: '' };
    assert.deepEqual(JSON.parse(body), { status: 'unavailable', reason: 'The server is stopping' });
    for (const { path, headers } of before) assert.equal(headers.connection, 'keep-alive', path);
    // Only once the port is closed, since connections that ended would be followed by new ones.
    const probe = new Agent({ keepAlive: true, maxSockets: 1 });
    onEnd(t, () => probe.destroy());
    const ends = async () => (await get(`${server.url}/readyz`, probe)).headers.connection === 'close';
    await until('a response ends its connection', ends);
    const after = await Promise.all(connections.map((ask) => ask()));
    assert.deepEqual(
      after.map(({ status, headers }) => [status, headers.connection]),
      before.map(({ status }) => [status, 'close']),
    );
    await assert.rejects(get(`${server.url}/readyz`), /ECONNREFUSED/);
    assert.equal((await stopped).status, 0);
  });

  test(`Ctrl-C stops without a delay, even with silent connections [${engine}]`, async (t) => {
    const env = { DRAIN_DELAY: '60' };
    const { server } = await prepareBoard(t, await makeStorePlace(t, engine), 1, { env });
    const unused = new Agent({ keepAlive: true });
    onEnd(t, () => unused.destroy());
    await get(`${server.url}/healthz`, unused);
    const silent = connect(Number(new URL(server.url).port), '127.0.0.1');
    onEnd(t, () => silent.destroy());
    await once(silent, 'connect');
    server.child.kill('SIGINT');
    const ended = await Promise.race([server.ended, delay(30_000, null, { ref: false })]);
    assert.equal(ended?.status, 0);
  });
}

type Answer = { status: number; headers: IncomingMessage['headers']; body: string };

/** Requests one after the other, 200 in a second at most, until they are stopped. */
function startRequests(t: TestContext, url: string, key: string) {
  const agent = new Agent({ keepAlive: true });
  const failed: string[] = [];
  const posts: string[] = [];
  const underWay = new Set<Promise<void>>();
  let sent = 0;

  async function send(n: number): Promise<void> {
    if (n % 50 === 0) {
      const { status } = await get(`${url}/sign-in`, agent);
      if (status !== 200) failed.push(`a page: ${status}`);
      return;
    }
    const isWrite = n % 4 === 1;
    const query = isWrite ? CREATE_POST : '{ posts(limit: 5) { nodes { id title } } }';
    const headers = { 'content-type': 'application/json', apikey: key, ssotype: 'SSO', ssoid: 'writer-0' };
    const payload = JSON.stringify({ query, variables: isWrite ? { title: `Post ${n}` } : {} });
    const { status, body } = await ask(`${url}/api/v1/graphql`, { method: 'POST', headers, agent }, payload);
    const { data, errors } = status === 200 ? JSON.parse(body) : { errors: `${status} ${body}` };
    if (errors) failed.push(JSON.stringify(errors));
    else if (isWrite) posts.push(data.createPost.id);
  }

  const ticking = setInterval(() => {
    // A machine that cannot keep up is sent less, not a growing pile.
    if (underWay.size >= 50) return;
    const request = send(sent++)
      .catch((error) => void failed.push(String(error)))
      .finally(() => underWay.delete(request));
    underWay.add(request);
  }, 5);
  const stop = async () => {
    clearInterval(ticking);
    await Promise.all(underWay);
    agent.destroy();
    return { sent, failed, posts };
  };
  onEnd(t, stop);
  return { stop };
}

function get(url: string, agent?: Agent): Promise<Answer> {
  return ask(url, { agent: agent ?? new Agent({ keepAlive: true }) });
}

function ask(url: string, options: Parameters<typeof request>[1], payload?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request(url, options, async (response) => {
      const chunks = await response.setEncoding('utf8').toArray();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: chunks.join('') });
    });
    asking.once('error', reject);
    asking.end(payload);
  });
}
