import type { FastifyInstance } from 'fastify';
import { type Db, StoreUnavailableError } from '../platform/db/db.ts';
import { requireApplied, SchemaError } from '../platform/db/migrate.ts';
import { SECOND_MS } from '../platform/lib/clock.ts';
import type { Logger } from '../platform/lib/log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import { VERSION } from '../platform/version.ts';

/** A server whose commits have waited this long is not ready. */
const STALLED_MS = 5 * SECOND_MS;

type HealthDeps = { db: Db; metrics: Metrics; log: Logger; stopping: AbortSignal };

/** What machines ask of a process: whether it is alive and of which version, whether it can serve requests, its metrics. */
export function serveHealth(app: FastifyInstance, { db, metrics, log, stopping }: HealthDeps): void {
  app.get('/healthz', async () => ({ status: 'ok', version: VERSION }));
  app.get('/readyz', async (_, reply) => {
    if (stopping.aborted) return reply.code(503).send({ status: 'unavailable', reason: 'The server is stopping' });
    try {
      await requireApplied(db);
      requireCommits(db);
      const fault = await db.writeFault();
      if (fault) throw fault;
      return { status: 'ok' };
    } catch (err) {
      log.warn({ err }, 'Not ready');
      return reply.code(503).send({ status: 'unavailable', reason: reasonFor(err) });
    }
  });
  const printed = atMostEach(SECOND_MS, () => metrics.print());
  app.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await printed()));
}

/** While commits wait for the disk or for a standby, another server may do better. */
function requireCommits(db: Db): void {
  const waitingMs = db.commitAgeMs();
  if (waitingMs < STALLED_MS) return;
  const seconds = Math.floor(waitingMs / SECOND_MS);
  throw new StoreUnavailableError(
    `Writes have waited for the disk, or for a standby of the database, for ${seconds} s`,
  );
}

/**
 * Why the store cannot be used, for the public: a database's own message may name hosts and users, and belongs in the
 * log.
 */
function reasonFor(error: unknown): string {
  const isOurs = error instanceof StoreUnavailableError || error instanceof SchemaError;
  return isOurs ? error.message : 'The store cannot be used; the log has the details';
}

/** Returns what `work` has returned last, and does it again once that is so long ago: for what anybody may ask for. */
function atMostEach<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let last: { at: number; result: Promise<T> } | null = null;
  return () => {
    const now = performance.now();
    if (last === null || now - last.at >= ms) last = { at: now, result: work() };
    return last.result;
  };
}
