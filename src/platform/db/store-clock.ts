import { sql } from 'kysely';
import { type Clock, MINUTE_MS, systemClock } from '../lib/clock.ts';
import type { Db } from './db.ts';

/** A clock that keeps up with the store until it is stopped. */
type StoreClock = Clock & { stop(): void };

/**
 * The time that all processes on a store share: leases and retries of one are read by the others. On PostgreSQL it is
 * the server's, whatever the clocks of the machines say or do; between two checks the process counts on by itself.
 */
export async function startStoreClock(db: Db): Promise<StoreClock> {
  if (db.engine === 'sqlite') return { ...systemClock, stop() {} };
  let offset = await readOffset(db);
  const timer = setInterval(() => {
    readOffset(db).then(
      (next) => {
        offset = next;
      },
      () => {}, // the store is unavailable; the last offset is used until it is back
    );
  }, MINUTE_MS);
  timer.unref();
  return { now: () => Math.floor(performance.now() + offset), stop: () => clearInterval(timer) };
}

/** The offset to the process's own monotonic time; assumes that half the round trip is the one-way delay. */
async function readOffset(db: Db): Promise<number> {
  const asked = performance.now();
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db.read);
  const answered = performance.now();
  return (rows[0]?.now ?? Date.now()) - (asked + answered) / 2;
}
