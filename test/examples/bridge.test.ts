import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createWebhook } from '../../src/webhooks/managing/changing.ts';
import { enableWebhook } from '../../src/webhooks/managing/enabling.ts';
import { makeSigningSecret } from '../../src/webhooks/signing/secret.ts';
import { testBoth } from '../support/app.ts';
import { onEnd } from '../support/cleanup.ts';
import { startDelivering } from '../support/delivering.ts';
import { findFreePort } from '../support/postgres.ts';
import { inheritedEnvironment } from '../support/process.ts';
import { until } from '../support/until.ts';

const SCRIPT = fileURLToPath(new URL('../../examples/bridge/bridge.mjs', import.meta.url));
const SIGNING_SECRET = makeSigningSecret();
const VERIFY_TOKEN = 'tökén +&=%20';

type Taken = { body: string; headers: IncomingHttpHeaders };

/** A hook of a flow: it answers every GET with JSON, as some do, and events with these statuses in turn. */
async function startHook(t: TestContext, statuses: number[]): Promise<{ url: string; taken: Taken[] }> {
  const taken: Taken[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return response.end('{"status":"success"}');
    taken.push({ body: String(await buffer(request)), headers: request.headers });
    response.writeHead(statuses[taken.length - 1] ?? 200).end('Accepted');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/catch`, taken };
}

async function startBridge(t: TestContext, FORWARD_URL: string): Promise<string> {
  const PORT = String(await findFreePort());
  const env = { ...inheritedEnvironment(), FORWARD_URL, SIGNING_SECRET, VERIFY_TOKEN, PORT };
  const child = spawn(process.execPath, [SCRIPT], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onEnd(t, () => child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  await until('it listens', () => printed.includes('listening'));
  return `http://127.0.0.1:${PORT}/webhook`;
}

testBoth(
  'a bridge verifies for a hook, passes events on as they came, and keeps those that it refuses',
  async (app, t) => {
    const hook = await startHook(t, [200, 403, 410, 500]);
    const url = await startBridge(t, hook.url);
    const { addWebhook, settled, context, sender } = startDelivering(t, app);
    const config = { verifyToken: null, signingSecret: SIGNING_SECRET, events: null };
    for (const [to, token, word] of [
      [hook.url, null, 'answered 200 with another body'],
      [url, 'wrong', 'verify token refused'],
    ] as const) {
      const { id } = await createWebhook(context, sender, { ...config, url: to, verifyToken: token });
      const { verification } = await enableWebhook(context, sender, id, 'deliver');
      assert.equal(verification?.word, word);
    }
    const { id } = await addWebhook({ ...config, url, verifyToken: VERIFY_TOKEN });
    await app.makePost('Größer 🌒');
    await settled();
    const event = await app.db.read.selectFrom('events').select(['id', 'body']).executeTakeFirstOrThrow();
    assert.deepEqual(
      hook.taken.map(({ body, headers }) => [body, headers['webhook-id'], headers['x-earshot-event']]),
      [[event.body, event.id, 'post.created']],
    );

    // Its flow is paused.
    await app.makePost('Again');
    for (const waitMs of [0, 10_000, 100_000, 1_000_000]) {
      app.clock.advance(waitMs);
      await settled();
    }
    const attempts = app.db.read.selectFrom('attempts').select('outcome').where('kind', '=', 'event');
    const outcomes = (await attempts.orderBy('id').execute()).map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, ['delivered', 'answered 502', 'answered 502', 'answered 502', 'delivered']);
    assert.equal(hook.taken.length, 5);
    const webhook = app.db.read.selectFrom('webhooks').select('state').where('id', '=', id);
    assert.equal((await webhook.executeTakeFirstOrThrow()).state, 'active');
  },
);

testBoth(
  'a bridge passes on nothing that its secret has not signed, and does not start without one',
  async (app, t) => {
    const hook = await startHook(t, []);
    const url = await startBridge(t, hook.url);
    const { addWebhook, settled } = startDelivering(t, app);
    await addWebhook({ url, verifyToken: VERIFY_TOKEN, signingSecret: 'another secret' });
    await app.makePost('Forged');
    await settled();
    const [attempt] = await app.db.read.selectFrom('attempts').select('outcome').where('kind', '=', 'event').execute();
    assert.equal(attempt?.outcome, 'signature refused');
    const broken = connect(Number(new URL(url).port), '127.0.0.1');
    broken.write('POST /webhook HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc', () => broken.resetAndDestroy());
    await once(broken, 'close');
    const statuses = [
      (await fetch(url, { method: 'POST', body: 'a'.repeat(2_000_000) })).status,
      (await fetch(url, { method: 'DELETE' })).status,
      (await fetch(`${url}s`)).status,
    ];
    assert.deepEqual([statuses, hook.taken.length], [[413, 405, 404], 0]);
    for (const env of [{ FORWARD_URL: hook.url }, { SIGNING_SECRET }, { SIGNING_SECRET, FORWARD_URL: 'nowhere' }]) {
      const { status, stderr } = spawnSync(process.execPath, [SCRIPT], { env: { ...inheritedEnvironment(), ...env } });
      assert.equal(status, 2);
      assert.match(String(stderr), /Set FORWARD_URL/);
    }
  },
);
