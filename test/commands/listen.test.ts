import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { signatureHeaders } from '../../src/webhooks/signing/signature.ts';
import { type Client, CREATE_POST, CREATE_USER, makeClient } from '../crash/client.ts';
import { type Program, runEarshot, type Server, startServer } from '../crash/server.ts';
import { onEnd } from '../support/cleanup.ts';
import { makeCommandLine } from '../support/command-line.ts';
import { startReceiver } from '../support/receiver.ts';
import { engines, makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';

for (const engine of engines) {
  test(`signed events reach a receiver that only the command line can reach, and continue after a restart [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const line = makeCommandLine(place);
    await line.json('board', 'create', '--name', 'Acme');
    const { key } = await line.json('key', 'create', '--name', 'listener', '--rate', 'none');
    const first = await startServer(t, place);
    const client = makeClient(first.url, key);
    await client.send(CREATE_USER, { id: 'ada' }, null);
    await post(client, 'Before');
    let isUp = true;
    const { origin, received } = await startReceiver(t, (_, response) => response.writeHead(isUp ? 200 : 500).end());
    const listener = listen(t, first, key, `${origin}/hook`);
    await until('it listens', () => listener.written.stdout.includes('Listening to'));
    await post(client, 'First');
    await until('the first event arrives', () => received.length === 1);
    const [message] = received;
    assert.ok(message);
    const { headers, body } = message;
    assert.match(String(body), /"title":"First"/);
    const stamp = { id: String(headers['webhook-id']), timestampSeconds: Number(headers['webhook-timestamp']) };
    const signed = signatureHeaders(Buffer.from(body), 'sesame', stamp);
    for (const name of ['X-Hub-Signature', 'webhook-signature']) {
      assert.equal(headers[name.toLowerCase()], signed[name], name);
    }

    isUp = false;
    await first.kill();
    const second = await startServer(t, place, { port: Number(new URL(first.url).port) });
    await post(makeClient(second.url, key), 'Second');
    await until('the second event arrives', () => received.length === 2);
    await until('its answer is told', () => / 500 \(\d+ ms\)/.test(listener.written.stdout));
    listener.child.kill('SIGINT');
    const { status, stdout } = await listener.ended;
    assert.equal(status, 0);
    const [, cursor = ''] = /Continue with --from (\S+)\n$/.exec(stdout) ?? [];
    await post(makeClient(second.url, key), 'Third');
    listen(t, second, key, `${origin}/hook`, '--from', cursor);
    await until('the third event arrives', () => received.length === 3);
    assert.match(String(received[2]?.body), /"title":"Third"/);

    const id = String(headers['webhook-id']);
    for (const given of [id, `${id}-0123456789ab`]) {
      const { status, stdout } = await listen(t, second, key, `${origin}/hook`, '--replay', given).ended;
      assert.deepEqual([status, stdout.replace(/\d+ ms/, '')], [0, `post.created ${id} 500 ()\n`]);
      const again = received.at(-1);
      assert.deepEqual([again?.body, again?.headers['webhook-id']], [body, id]);
      assert.deepEqual(Object.keys(again?.headers ?? {}), Object.keys(headers));
      const sentAt = { id, timestampSeconds: Number(again?.headers['webhook-timestamp']) };
      assert.equal(
        again?.headers['webhook-signature'],
        signatureHeaders(Buffer.from(body), 'sesame', sentAt)['webhook-signature'],
      );
    }
    assert.equal(received.length, 5);
    const old = await listen(t, second, key, origin, '--replay', '01980000-0000-7000-8000-000000000000').ended;
    assert.match(old.stderr, /^There is no event 01980000-\S+ that this user may see, or it is no longer kept\n$/);
    assert.equal(old.status, 1);
    const nonsense = await listen(t, second, key, origin, '--replay', 'nonsense').ended;
    assert.match(nonsense.stderr, /It must be the id of an event or of a delivery/);
    assert.equal(nonsense.status, 2);
  });
}

test('listen reports what is wrong with the key or the URL', async (t) => {
  const place = await makeStorePlace(t, 'sqlite');
  const line = makeCommandLine(place);
  await line.json('board', 'create', '--name', 'Acme');
  const server = await startServer(t, place);
  const options = ['listen', '--server', server.url, '--forward', 'http://localhost:1/hook'];
  assert.match((await line.run(...options)).stderr, /EARSHOT_API_KEY is not set/);
  const wrong = makeCommandLine(place, { EARSHOT_API_KEY: 'sk_wrong' });
  assert.deepEqual(await wrong.run(...options), { status: 1, stdout: '', stderr: 'Invalid Api Key\n' });
  assert.equal((await wrong.run('listen', '--server', 'ftp://a', '--forward', 'http://a')).status, 2);
});

function listen(t: TestContext, { url }: Server, key: string, forward: string, ...more: string[]): Program {
  const env = { EARSHOT_API_KEY: key, SIGNING_SECRET: 'sesame' };
  const args = ['listen', '--server', url, '--forward', forward, ...more];
  const program = runEarshot({ databaseUrl: null, dataDir: '/nonexistent' }, args, { env });
  onEnd(t, () => program.child.kill('SIGKILL'));
  return program;
}

async function post(client: Client, title: string): Promise<void> {
  const { errors } = await client.send(CREATE_POST, { title }, 'ada');
  assert.deepEqual(errors, []);
}
