import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { onEnd } from '../support/cleanup.ts';
import type { Target } from './target.ts';

/** How long the server was silent since the last look, in milliseconds. */
export type Silence = {
  longestMs: number;
  /** The longest one without the time in which the server or the asker waited for a processor. */
  ownMs: number;
  /** The longest silence of a server that had nothing to do in the meantime. */
  noiseMs: number;
  /** How often the server has answered. */
  asked: number;
};

/** Something that asks for the server's health all the while, in a process of its own. */
export type Listener = { take(): Promise<Silence> };

/** Begins to ask. */
export async function startListener(t: TestContext, { port, child }: Target): Promise<Listener> {
  const idle = start(t, 'idle.ts', []);
  const [idlePort] = await once(idle, 'message');
  const asker = start(t, 'asker.ts', [port, idlePort, child.pid].map(String));
  return {
    async take() {
      asker.send('take');
      const [silence] = await once(asker, 'message');
      return silence;
    },
  };
}

function start(t: TestContext, program: string, args: string[]): ChildProcess {
  const child = fork(new URL(program, import.meta.url), args, { execArgv: [] });
  onEnd(t, () => child.kill());
  return child;
}
