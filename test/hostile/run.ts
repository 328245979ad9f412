import { hash } from 'node:crypto';
import { makeRandom } from '../crash/random.ts';
import type { Attack } from './attack.ts';
import type { Listener } from './listening.ts';
import type { Target } from './target.ts';
import type { Answer } from './wire.ts';

/** What came of all attacks on one server. */
export type Report = {
  requests: number;
  /** Answers by their status; `none` for what got none. */
  byStatus: Record<string, number>;
  /** What no request may be able to do, in words. */
  problems: string[];
  /** The longest silence that an attack caused again when it was repeated, and the attack. */
  longest: { ms: number; attack: string };
  /** The attacks that took the longest, the slowest first. */
  slowest: { ms: number; silenceMs: number; bytes: number; attack: Attack }[];
};

/** A silence of the server that is no fault of it: what a busy machine does to any server, and more. */
export const ALLOWED_SILENCE_MS = 100;
const ALLOWED_NOISES = 10;
/** A silence that is the attack's comes again with it; one that is the machine's does not, three times in a row. */
const REPETITIONS = 3;
/** An answer that is longer than this costs its sender nothing and the server much. */
const MAX_ANSWER_BYTES = 12_000_000;

export type Run = { target: Target; listener: Listener; seed: string };

/** Carries out attacks one after the other and listens to the server in the meantime. */
export async function carryOut({ target, listener, seed }: Run, attacks: readonly Attack[]): Promise<Report> {
  const report: Report = { requests: 0, byStatus: {}, problems: [], longest: { ms: 0, attack: 'none' }, slowest: [] };
  let previous: Attack | null = null;
  await listener.take();
  for (const attack of attacks) {
    const start = performance.now();
    const answers = await attack.carryOut(target, makeRandom(numberOf(`${seed} ${attack.name}`)));
    const ms = performance.now() - start;
    assess(report, attack, answers);
    if (hasEnded(target)) {
      report.problems.push(`${attack.name}: the process ended: ${target.server.written.stderr.slice(-2_000)}`);
      return report;
    }
    const silence = await listener.take();
    let silenceMs = silence.ownMs;
    for (let n = 0; n < REPETITIONS && silenceMs > limitFor(silence.noiseMs); n++) {
      // What the one before it has left to do can be the reason, too.
      for (const again of previous ? [previous, attack] : [attack]) {
        assess(report, again, await again.carryOut(target, makeRandom(numberOf(`${seed} ${again.name} ${n}`))));
      }
      silenceMs = Math.min(silenceMs, (await listener.take()).ownMs);
    }
    if (silenceMs > report.longest.ms) report.longest = { ms: silenceMs, attack: attack.name };
    if (silenceMs > limitFor(silence.noiseMs)) {
      report.problems.push(`${attack.name}: the server was silent for ${Math.round(silenceMs)} ms`);
    }
    const bytes = Math.max(0, ...answers.map((answer) => answer.bytes));
    report.slowest.push({ ms, silenceMs, bytes, attack });
    previous = attack;
  }
  report.slowest.sort((a, b) => b.ms - a.ms);
  return report;
}

/** How long the server may be silent while the machine keeps one waiting that has nothing to do. */
export function limitFor(noiseMs: number): number {
  return Math.max(ALLOWED_SILENCE_MS, ALLOWED_NOISES * noiseMs);
}

/** Carries out the same attack many times at once. */
export async function carryOutAtOnce(
  { target, seed }: Run,
  report: Report,
  attack: Attack,
  count: number,
): Promise<void> {
  const randoms = Array.from({ length: count }, (_, n) => makeRandom(numberOf(`${seed} ${attack.name} at once ${n}`)));
  for (const answers of await Promise.all(randoms.map((random) => attack.carryOut(target, random)))) {
    assess(report, attack, answers);
  }
}

function assess(report: Report, attack: Attack, answers: readonly Answer[]): void {
  for (const { status, problem, bytes, text } of answers) {
    report.requests++;
    const key = String(status ?? 'none');
    report.byStatus[key] = (report.byStatus[key] ?? 0) + 1;
    const msg = (what: string) => report.problems.push(`${attack.name}: ${what}`);
    if (status === 500) msg(`500 ${text.slice(-200)}`);
    if (text.includes('INTERNAL_SERVER_ERROR')) msg(`an internal error: ${text.slice(-400)}`);
    if (problem?.startsWith('no answer')) msg(problem);
    if (bytes > MAX_ANSWER_BYTES) msg(`an answer of ${bytes} bytes`);
  }
}

export function hasEnded({ child }: Target): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** A number that stands for a text. */
export function numberOf(text: string): number {
  return Number.parseInt(hash('sha256', text).slice(0, 8), 16);
}
