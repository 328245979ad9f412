import { join } from 'node:path';
import { createApp } from '../../src/app.ts';
import { startUpkeep } from '../../src/background.ts';
import { indexBoards } from '../../src/feedback/search/indexer.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { openSqlite } from '../../src/platform/db/sqlite.ts';
import { SECOND_MS, systemClock } from '../../src/platform/lib/clock.ts';
import { makeLog } from '../../src/platform/lib/log.ts';
import { every } from '../../src/platform/lib/loop.ts';
import { makeMetrics } from '../../src/platform/metrics/metrics.ts';
import { makeSender } from '../../src/webhooks/http/sender.ts';
import { announce, requireVariable } from './serve.ts';

/**
 * Earshot as `serve` runs it: all checks, metrics, the log, and the search index of what is written. GROUP_LIMIT=1 gives each
 * write a commit of its own.
 */
const { DATABASE_URL: url, GROUP_LIMIT: groupLimit } = process.env;
const metrics = makeMetrics();
const observe = metrics.observeStatement;
const file = join(requireVariable('DATA_DIR'), 'earshot.db');
const db = url
  ? openPostgres({ url, observe })
  : openSqlite({ file, observe, ...(groupLimit && { groupLimit: Number(groupLimit) }) });
const log = makeLog('info');
const config = { baseUrl: 'http://localhost', trustProxy: 0, role: 'all', sandbox: true, dataDir: 'unused' } as const;
const app = await createApp({
  db,
  clock: systemClock,
  log,
  metrics,
  config,
  sender: makeSender({ webhookAllowCidrs: [] }, 'a key for the bench', systemClock),
});
const index = (signal: AbortSignal) => indexBoards({ db, clock: systemClock }, { signal });
const indexing = every(SECOND_MS, index, { log, failure: 'Posts were not indexed' });
const upkeep = startUpkeep({ db, clock: systemClock, log, app, config });
await app.listen({ port: 0, host: '127.0.0.1' });
announce(app.server, async () => {
  await app.close();
  await Promise.all([indexing.stop(), upkeep.stop()]);
  await db.close();
});
