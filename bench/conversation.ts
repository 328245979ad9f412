import { createInterface } from 'node:readline';
import type { Place } from './cores.ts';
import { type Program, startNode, stop } from './processes.ts';

/** A process that does as it is asked, one thing at a time. `ready` is what it said when it had started. */
export type Companion<Ready = unknown> = {
  pid: number;
  ready: Ready;
  ask<T>(question: string, input?: unknown): Promise<T>;
  stop(): Promise<void>;
};

/** Starts a program that uses `variants/answer.ts`, and waits until it is ready. */
export async function startCompanion<Ready>(place: Place, program: Program): Promise<Companion<Ready>> {
  const child = startNode(place, program);
  const { stdin, stdout, pid } = child;
  if (!stdin || !stdout || pid === undefined) throw new Error(`${program.file} could not be started`);
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const hear = async <T>(): Promise<T> => {
    const line = await lines.next();
    if (line.done) throw new Error(`${program.file} ended before it had answered`);
    return JSON.parse(line.value) as T;
  };
  return {
    pid,
    ready: await hear<Ready>(),
    ask(question, input = null) {
      stdin.write(`${JSON.stringify({ question, input })}\n`);
      return hear();
    },
    stop: () => stop(child),
  };
}
