import { lookup } from 'node:dns/promises';
import { Worker } from 'node:worker_threads';
import type { Config } from '../platform/config.ts';
import type { Step } from '../platform/db/migrate.ts';
import { moduleBeside } from '../platform/installed.ts';
import type { Logger } from '../platform/lib/log.ts';

/** Tells of the migrations of a store, which on a large one take a minute in which the server cannot be used. */
export type Upgrading = {
  /** A migration begins. */
  begin(step: Step): void;
  /** All are done, or one has failed: frees the port. */
  end(): Promise<void>;
};

/**
 * Tells each migration in the log, and at the port of the server (`upgrade-port.ts`). A new store is there at once, so
 * that is not told.
 */
export async function makeUpgrading({ host, port }: Pick<Config, 'host' | 'port'>, log: Logger): Promise<Upgrading> {
  const { address } = await lookup(host, { order: 'ipv4first' });
  let worker: Worker | null = null;
  let isNew = false;
  return {
    begin({ name, number, of }) {
      isNew ||= number === 1;
      if (isNew) return;
      log.info({ step: number, of, name }, 'Upgrading the store; if it is stopped, the next start goes on from here');
      worker ??= new Worker(moduleBeside('upgrade-port', import.meta.url), { workerData: { host: address, port } });
      worker.postMessage(`${number} of ${of}`);
    },
    async end() {
      await worker?.terminate();
    },
  };
}
