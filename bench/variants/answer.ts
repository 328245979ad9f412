import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

/** What a process does when it is asked: by the name of the question. */
export type Answers = Record<string, (input: never) => unknown>;

/** Says that it is ready, then answers the questions on standard input, each with a line, until it is told to end. */
export async function answerQuestions(ready: unknown, answers: Answers, close: () => unknown): Promise<void> {
  const end = async () => {
    await close();
    process.exit(0);
  };
  process.once('SIGTERM', end);
  msg(ready);
  for await (const line of createInterface({ input: process.stdin })) {
    const { question, input } = JSON.parse(line);
    const answer = answers[question];
    if (!answer) throw new Error(`No answer to ${question}`);
    msg(await answer(input as never));
  }
  await end(); // the process that asked is gone
}

function msg(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value ?? null)}\n`);
}

/** The time in milliseconds on a clock that all processes of the machine share and that is never set. */
export function instant(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** How much to do: so often a second, for so long. */
export type Pace = { perSecond: number; seconds: number };

/** An event, and when its transaction was committed. */
export type Committed = [eventId: string, committedAt: number];

/** Begins `work` at even intervals, whether or not what was begun before is done, and waits for all of it. */
export async function keepPace<T>({ perSecond, seconds }: Pace, work: (n: number) => Promise<T>): Promise<T[]> {
  const start = performance.now();
  const begun: Promise<T>[] = [];
  for (let n = 0; n < perSecond * seconds; n++) {
    const wait = start + (n * 1_000) / perSecond - performance.now();
    if (wait > 0) await delay(wait);
    begun.push(work(n));
  }
  return Promise.all(begun);
}
