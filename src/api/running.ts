import './graphql/features.ts';
import { readPublic, requirePublicDocuments } from '../identity/keys/documents.ts';
import { Gate } from '../identity/keys/gate.ts';
import type { Db } from '../platform/db/db.ts';
import type { Clock } from '../platform/lib/clock.ts';
import { makeMemoryRateLimiter, makeSharedRateLimiter } from '../platform/limits/rate-limit.ts';
import { Executor } from './graphql/execute.ts';
import { makeSchema } from './graphql/schema.ts';
import { PublishableGate } from './publishable/gate.ts';

type Deps = { db: Db; clock: Clock; executor?: Executor | undefined };

/**
 * What runs operations, and who may send them: shared by the API and the pages, where keys are managed.
 * @param deps.executor prepares operations; apps of one process can share it
 */
export function makeRunning({ db, clock, executor = new Executor(makeSchema()) }: Deps) {
  const limiter = db.engine === 'postgres' ? makeSharedRateLimiter(db) : makeMemoryRateLimiter();
  const gate = new Gate(db, clock, limiter);
  const publishable = new PublishableGate({ db, clock, readPublic: (source) => readPublic(executor.schema, source) });
  const keysChanged = () => {
    gate.forget();
    publishable.forget();
  };
  const saveUse = async () => {
    await gate.saveUse();
    await publishable.saveUse();
  };
  const requireDocuments = (source: string) => requirePublicDocuments(executor.schema, source);
  return { executor, gate, publishable, keysChanged, saveUse, requireDocuments };
}
