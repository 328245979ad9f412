import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { platform } from 'node:os';
import { type TestContext, test } from 'node:test';
import { roundsOf } from '../support/rounds.ts';
import { engines, makeStorePlace } from '../support/store.ts';
import { agentDoor } from './doors/agents.ts';
import { argumentDoor } from './doors/arguments.ts';
import { bodyDoor } from './doors/bodies.ts';
import { connectionDoor } from './doors/connections.ts';
import { documentDoor } from './doors/documents.ts';
import { everyFormDoor, formDoor } from './doors/forms.ts';
import { headerDoor } from './doors/headers.ts';
import { pageDoor } from './doors/pages.ts';
import { sandboxDoor } from './doors/sandboxes.ts';
import { streamDoor } from './doors/streams.ts';
import { exportDoor, fileDoor, uploadDoor } from './doors/uploads.ts';
import { variableDoor } from './doors/variables.ts';
import { webhookDoor } from './doors/webhooks.ts';
import { startListener } from './listening.ts';
import { carryOut, carryOutAtOnce, hasEnded, limitFor, numberOf, type Report } from './run.ts';
import { startTarget, type Target } from './target.ts';

const doors = [
  ...[documentDoor, variableDoor, argumentDoor, bodyDoor, headerDoor, pageDoor, formDoor, everyFormDoor],
  ...[uploadDoor, fileDoor, exportDoor, sandboxDoor, webhookDoor, streamDoor, agentDoor, connectionDoor],
];

/**
 * A short run carries out one attack in twenty, as its seed chooses them: `HOSTILE_SEED=…` repeats one, `HOSTILE_SHARE=1`
 * carries out all of them, and `HOSTILE_ONLY=forms` those with this in their name.
 */
const SEED = process.env.HOSTILE_SEED ?? String(randomInt(2 ** 32));
const ONLY = process.env.HOSTILE_ONLY ?? '';
const SHARE = ONLY ? 1 : roundsOf('HOSTILE_SHARE', { short: 20, long: 1 });

/** Memory that the server may keep of all that, and what the system may be slow to take back. */
const MAX_GROWTH = { used: 50 * 1_048_576, resident: 250 * 1_048_576 };
const AT_ONCE = 20;
const HEAVIEST = 3;

if (platform() !== 'win32') {
  for (const engine of engines) {
    test(`no request ends the server, breaks it, silences it or stays in its memory [${engine}]`, async (t) => {
      const target = await startTarget(t, await makeStorePlace(t, engine));
      const listener = await startListener(t, target);
      const attacks = doors
        .flatMap((door) => door.attacks)
        .filter(({ name }) => name.includes(ONLY) && numberOf(`${SEED} ${name}`) % SHARE === 0);
      t.diagnostic(`HOSTILE_SEED=${SEED}, ${attacks.length} attacks`);
      // What a server needs at all, it needs from the first of them on: growth is what comes on top.
      const warm = { target, listener, seed: `${SEED} warm` };
      const warmed = await carryOut(
        warm,
        attacks.filter((_, n) => n % 10 === 0),
      );
      for (const { attack } of heaviestOf(warmed)) await carryOutAtOnce(warm, warmed, attack, AT_ONCE);
      const before = await target.measureMemory();
      const run = { target, listener, seed: SEED };
      const report = await carryOut(run, attacks);
      localize(t, report);
      assert.deepEqual(report.problems, []);
      for (const { attack } of heaviestOf(report)) {
        await listener.take();
        await carryOutAtOnce(run, report, attack, AT_ONCE);
        const { longestMs, ownMs, noiseMs } = await listener.take();
        t.diagnostic(
          `${AT_ONCE} at once, ${attack.name}: silent for ${Math.round(longestMs)} ms (own ${Math.round(ownMs)} ms, noise ${Math.round(noiseMs)} ms)`,
        );
        assert.ok(
          !hasEnded(target),
          `${attack.name}: the process ended: ${target.server.written.stderr.slice(-2_000)}`,
        );
        assert.ok(ownMs < AT_ONCE * limitFor(noiseMs), `${attack.name} at once`);
      }
      assert.deepEqual(report.problems, []);
      const after = await target.measureMemory();
      for (const kind of ['used', 'resident'] as const) {
        t.diagnostic(`memory ${kind}: ${megabytes(before[kind])} MB before, ${megabytes(after[kind])} MB after`);
      }
      assert.deepEqual(findErrors(target), []);
      assert.ok(after.used < before.used + MAX_GROWTH.used, 'the server keeps memory');
      assert.ok(after.resident < before.resident + MAX_GROWTH.resident, 'the server keeps memory of the system');
    });
  }
}

/** The attacks that are sent many times at once: those with many connections or forms are crowds by themselves. */
function heaviestOf({ slowest }: Report): Report['slowest'] {
  return slowest.filter(({ attack }) => !/^(connections|every form)/.test(attack.name)).slice(0, HEAVIEST);
}

function localize(t: TestContext, { requests, byStatus, longest, slowest }: Report): void {
  t.diagnostic(`${requests} requests, by status ${JSON.stringify(byStatus)}`);
  t.diagnostic(`longest silence: ${Math.round(longest.ms)} ms (${longest.attack})`);
  for (const { ms, silenceMs, bytes, attack } of slowest.slice(0, 5)) {
    t.diagnostic(`slow: ${attack.name}: ${Math.round(ms)} ms, silent for ${Math.round(silenceMs)} ms, ${bytes} bytes`);
  }
}

/** What the server has written into its log as a fault of its own. */
function findErrors({ server }: Target): string[] {
  return server.written.stderr
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line) || /^\s+at /.test(line));
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}
