import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { platform } from 'node:os';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { askEarshot, startServer } from '../crash/server.ts';
import { onEnd } from '../support/cleanup.ts';
import { roundsOf } from '../support/rounds.ts';
import { engines, makeStorePlace } from '../support/store.ts';

/** Of the block that is this machine; each counts as a network. */
const [ATTACKER, VISITOR] = ['127.0.0.1', '127.0.0.2'];
const CONNECTIONS = roundsOf('SHUT_OUT_CONNECTIONS', { short: 1_000, long: 4_000 });
const BODIES = roundsOf('SHUT_OUT_BODIES', { short: 200, long: 1_000 });
const ASKING = 190;
const HALF_BYTES = 900_000;
const HOLD_MS = 3_000;
/** An attacker opens 2,000 connections a second, and has a line of a gigabit. */
const [BYTES_PER_MS, CONNECTIONS_PER_MS] = [112_000, 2];
/** What the server may take for what it has not agreed to do, with what is not collected yet. */
const MAX_MORE_MB = 160;
/** Within which the server gives back what it does not need, and looked at before for as long. */
const AFTER_MS = roundsOf('SHUT_OUT_AFTER_MS', { short: 0, long: 65_000 });

const HEAD = 'HTTP/1.1\r\nHost: board.test\r\n';
const post = (path: string, type: string) =>
  `POST ${path} ${HEAD}Content-Type: ${type}\r\nContent-Length: ${HALF_BYTES + 1_000}\r\n\r\n`;
const form = post('/sign-in', 'application/x-www-form-urlencoded');
const multipart = post('/b/acme?index', 'multipart/form-data; boundary=x');
const file = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';

/** What each connection of an anonymous client sends before it falls silent. */
const silences: Readonly<Record<string, string>> = {
  'nothing at all': '',
  'one request, and then nothing': `GET /healthz ${HEAD}\r\n`,
  'half of the headers': `GET /b/acme ${HEAD}X-A: `,
  'a form without its body': form,
};
const halves: Readonly<Record<string, string>> = {
  'a form': form + 'a=b&'.repeat(HALF_BYTES / 4),
  'a form with a file': multipart + file + 'a'.repeat(HALF_BYTES),
  'GraphQL without a key': post('/api/v1/graphql', 'application/json') + ' '.repeat(HALF_BYTES),
  'an upload without a key': post('/api/v1/files', 'multipart/form-data; boundary=x') + file + 'a'.repeat(HALF_BYTES),
  'an agent without a key': post('/api/v1/mcp', 'application/json') + ' '.repeat(HALF_BYTES),
  'a path that there is not': post('/api/v1/nothing', 'application/json') + ' '.repeat(HALF_BYTES),
};
/** What is asked again and again. */
const floods: Readonly<Record<string, (n: number) => string>> = {
  'lists that differ in nothing': (n) => `/b/acme?x=${n}`,
  'lists that differ': (n) => `/b/acme?after=${n}`,
  'files that there are not': (n) => `/assets/x${n}.js`,
  'pages that there are not': (n) => `/b/acme/x${n}`,
  metrics: () => '/metrics',
};

if (platform() === 'linux') {
  for (const engine of engines) {
    test(`one address does not shut out others, and takes no memory that they need [${engine}]`, async (t) => {
      const place = await makeStorePlace(t, engine);
      const { url, child } = await startServer(t, place, { env: { MAX_CONNECTIONS: String(CONNECTIONS) } });
      await askEarshot(place, 'board', 'create', '--name', 'Acme');
      const port = Number(new URL(url).port);
      const visitor = startVisitor(t, port, child.pid);
      const watched = async (what: string, attack: () => Promise<void>) => {
        const { resident } = await visitor.take();
        await attack();
        const { times, problems, most } = await visitor.take();
        const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
        const more = Math.round((most - resident) / 1_048_576);
        t.diagnostic(`${what}: ${times.length} answers, p99 ${Math.round(p99)} ms, at most ${more} MB more`);
        assert.deepEqual(problems, [], what);
        assert.ok(times.length > 0, what);
        assert.ok(more < MAX_MORE_MB, `${what}: ${more} MB`);
      };
      // The pages are loaded with the first one.
      await ask(port, '/b/acme');
      await watched('no attack', () => delay(HOLD_MS));
      await delay(AFTER_MS);
      const { least: quiet } = await visitor.take();
      const sockets: Socket[] = [];
      onEnd(t, () => {
        for (const socket of sockets) socket.destroy();
      });
      const hold = async (count: number, bytes: string) => {
        sockets.push(...(await openMany(port, count, bytes)));
        await delay(HOLD_MS);
        for (const socket of sockets.splice(0)) socket.destroy();
      };
      for (const [what, bytes] of Object.entries(silences)) await watched(what, () => hold(CONNECTIONS * 2, bytes));
      for (const [what, bytes] of Object.entries(halves)) await watched(`half of ${what}`, () => hold(BODIES, bytes));
      for (const [what, pathOf] of Object.entries(floods)) await watched(what, () => flood(port, pathOf));
      await visitor.take();
      await delay(AFTER_MS);
      const { least } = await visitor.take();
      t.diagnostic(`${Math.round((least - quiet) / 1_048_576)} MB more within ${AFTER_MS} ms after all of it`);
    });
  }
}

/** Opens connections, a few at a time, that send this and then wait. */
async function openMany(port: number, count: number, bytes: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  const perMs = Math.min(CONNECTIONS_PER_MS, BYTES_PER_MS / Math.max(1, bytes.length));
  const start = performance.now();
  for (let n = 0; n < count; n++) {
    if (n > (performance.now() - start) * perMs) await delay(5);
    const socket = connect({ port, host: ATTACKER, localAddress: ATTACKER }).on('error', () => {});
    socket.resume().write(bytes);
    sockets.push(socket);
  }
  return sockets;
}

/** Many who ask as fast as they are answered. */
async function flood(port: number, pathOf: (n: number) => string): Promise<void> {
  const end = performance.now() + HOLD_MS;
  let n = 0;
  const askAgain = async () => {
    while (performance.now() < end) await ask(port, pathOf(n++)).catch(() => {});
  };
  await Promise.all(Array.from({ length: ASKING }, askAgain));
}

/** A visitor from another network who looks at the board in the meantime, see `visitor.ts`. */
function startVisitor(t: TestContext, port: number, pid = 0) {
  const program = fork(new URL('visitor.ts', import.meta.url), [port, pid, VISITOR].map(String), { execArgv: [] });
  onEnd(t, () => program.kill());
  return {
    /** What happened since the last look. */
    async take(): Promise<{ times: number[]; problems: string[]; resident: number; most: number; least: number }> {
      program.send('take');
      const [seen] = await once(program, 'message');
      return seen;
    },
  };
}

function ask(port: number, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = request({ port, host: ATTACKER, localAddress: ATTACKER, path, agent: false }, (response) => {
      response.resume().once('close', resolve);
    });
    asking.once('error', reject).end();
  });
}
