import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createWebhook } from '../../src/webhooks/managing/changing.ts';
import { enableWebhook } from '../../src/webhooks/managing/enabling.ts';
import { makeSigningSecret } from '../../src/webhooks/signing/secret.ts';
import { makeTestApp } from '../support/app.ts';
import { onEnd } from '../support/cleanup.ts';
import { startDelivering } from '../support/delivering.ts';
import { findFreePort } from '../support/postgres.ts';
import { until } from '../support/until.ts';

/** A receiver of `examples/`, and how to ask whether its language is on this machine. */
type Example = { language: string; version: string[]; command: string[] };

const examples: Example[] = [
  { language: 'Node.js', version: [process.execPath, '--version'], command: [process.execPath, 'node/receiver.mjs'] },
  { language: 'Python', version: ['python3', '--version'], command: ['python3', 'python/receiver.py'] },
  { language: 'Go', version: ['go', 'version'], command: ['go', 'run', 'go/receiver.go'] },
  { language: 'PHP', version: ['php', '--version'], command: ['php', 'php/receiver.php'] },
];

const folder = fileURLToPath(new URL('../../examples', import.meta.url));
const TOKEN = 'tökén +&=%20';
const SECRETS = ['schlüssel 🔑 0001', makeSigningSecret()];
const TITLE = 'Größer, 更大, أكبر 🌒';

test('the receivers of examples/ confirm, believe signed events, and refuse what another secret signed', async (t) => {
  for (const example of examples) {
    const [program = '', ...args] = example.version;
    if (spawnSync(program, args).status !== 0)
      t.diagnostic(`${example.language} is not here: its receiver was not run`);
    else
      for (const secret of SECRETS)
        await t.test(`${example.language}, ${secret}`, (sub) => tryExample(sub, example, secret));
  }
});

async function tryExample(t: TestContext, { command }: Example, secret: string): Promise<void> {
  const { url, printed } = await startExample(t, command, secret);
  const app = await makeTestApp(t, 'sqlite');
  const { context, sender, addWebhook, settled } = startDelivering(t, app);

  const refused = { url, verifyToken: 'wrong', signingSecret: secret, events: null };
  const { id } = await createWebhook(context, sender, refused);
  const { verification } = await enableWebhook(context, sender, id, 'deliver');
  assert.equal(verification?.word, 'verify token refused');
  assert.equal((await fetch(`${url}s`)).status, 404);
  assert.equal((await fetch(url, { method: 'DELETE' })).status > 404, true);

  await addWebhook({ url: `${url}?own=1?2`, verifyToken: TOKEN, signingSecret: secret });
  await addWebhook({ url, verifyToken: TOKEN, signingSecret: 'wrong' });
  await app.makePost(TITLE);
  await settled();
  const rows = await app.db.read.selectFrom('deliveries').select('outcome').execute();
  assert.deepEqual(rows.map(({ outcome }) => outcome).sort(), ['delivered', 'signature refused']);

  const lines = await printed(4);
  assert.equal(lines[0], `listening on ${url}`);
  assert.deepEqual(lines.slice(1, 3), ['confirmed', 'confirmed']);
  const [, event, data = ''] = /^verified (\S+) (.*)$/.exec(lines[3] ?? '') ?? [];
  assert.equal(event, 'post.created');
  assert.ok(data.includes(TITLE), 'letters of every script are printed as they are');
  assert.equal(JSON.parse(data).post.title, TITLE);
}

/** Starts a receiver and waits until it listens. `printed` gives its lines once there are so many. */
async function startExample(t: TestContext, [program = '', ...args]: string[], secret: string) {
  const port = await findFreePort();
  const temporary = mkdtempSync(join(tmpdir(), 'earshot-example-'));
  const env = { ...process.env, PORT: String(port), VERIFY_TOKEN: TOKEN, SIGNING_SECRET: secret, TMPDIR: temporary };
  // `go run` and PHP start the receiver in a second process: it ends with its group, where there are groups.
  const detached = process.platform !== 'win32';
  const child = spawn(program, args, { cwd: folder, env, detached, stdio: ['ignore', 'pipe', 'inherit'] });
  onEnd(t, () => {
    if (detached && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill();
    rmSync(temporary, { recursive: true, force: true });
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await until('it listens', () => isListening(port));
  const lines = () => output.split('\n').filter(Boolean);
  const printed = async (count: number) => {
    await until(`it prints ${count} lines`, () => lines().length >= count);
    return lines();
  };
  return { url: `http://127.0.0.1:${port}/webhook`, printed };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
