import type { Server } from '../crash/server.ts';
import { until } from './until.ts';

/**
 * Memory of a process in bytes: what is in use, and what the system has given it, which takes its time to go back; and its
 * timers, also those for which it would not go on.
 */
export type Memory = { used: number; resident: number; timers: number };

/** The environment of a server whose memory is measured. */
export const COLLECTING_ENV = {
  NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${new URL('collecting.js', import.meta.url).href}`,
};

/** The server collects its garbage when it is told to (`collecting.js`), and says what is left. */
export async function measureMemory(server: Server): Promise<Memory> {
  const before = linesOf(server);
  server.child.kill('SIGUSR2');
  await until('garbage is collected', () => linesOf(server) > before);
  const { heapUsed, external, rss, timers } = JSON.parse(server.written.stdout.split('collected ').at(-1) ?? '');
  return { used: heapUsed + external, resident: rss, timers };
}

/** How often it has told of its memory, in whole lines. */
function linesOf({ written }: Server): number {
  return [...written.stdout.matchAll(/^collected .*\n/gm)].length;
}
