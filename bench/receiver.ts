import { type Companion, startCompanion } from './conversation.ts';

/** A request that reached the receiver: which event, to which path, and when its first byte came. */
export type Arrival = [eventId: string, path: string, at: number];

/** How many requests to wait for, and for how long. */
export type Wait = { count: number; limitMs: number };

/** How many requests came, and the time between the first and the last of those that were waited for. */
export type Waited = { count: number; milliseconds: number };

/** The receiver, in a process of its own beside the load generator. */
export type Receiver = {
  url(path: string): string;
  /** Forgets what has come so far. */
  forget(): Promise<void>;
  /** @throws when fewer requests come in time */
  wait(wait: Wait): Promise<Waited>;
  arrivals(): Promise<Arrival[]>;
};

/** Starts the receiver; it ends with the run. */
export async function startReceiver(): Promise<Receiver> {
  const companion: Companion<{ port: number }> = await startCompanion('others', { file: 'load/receive.ts' });
  return {
    url: (path) => `http://127.0.0.1:${companion.ready.port}${path}`,
    forget: () => companion.ask('forget'),
    async wait(wait) {
      const waited = await companion.ask<Waited>('wait', wait);
      if (waited.count >= wait.count) return waited;
      throw new Error(`${waited.count} of ${wait.count} events reached the receiver within ${wait.limitMs} ms`);
    },
    arrivals: () => companion.ask('arrivals'),
  };
}
