import { setFlagsFromString } from 'node:v8';
import { createApp } from '../app.ts';
import type { RequestContext } from '../identity/users/request-context.ts';
import { exportSite, type SiteResult } from '../operations/exports/site/site.ts';
import { findBuiltPages } from '../pages/pages.ts';
import { makeToken } from '../platform/lib/ids.ts';
import { makeLog } from '../platform/lib/log.ts';
import { mailFolder, makeTransport } from '../platform/mail/transport.ts';
import { makeMetrics } from '../platform/metrics/metrics.ts';
import { makeSender } from '../webhooks/http/sender.ts';
import { makeProgressBar } from './progress.ts';
import { type Environment, type Store, withBoard } from './store.ts';

/** Where `export --site` writes, and what. */
export type SiteCommand = { site: string; url?: string; board?: string };

/** Writes the pages of a board as files: an app renders them for itself, without a port and without a session. */
export async function writeSite(env: Environment, { site, url, board }: SiteCommand): Promise<SiteResult> {
  const pages = findBuiltPages();
  const clientFolder = pages?.clientFolder;
  if (!pages || !clientFolder) throw new Error('The pages are not built: run npm ci');
  keepHeapSmall();
  const write = async (context: RequestContext, { db, clock, config }: Store) => {
    // Nothing is signed or decrypted for visitors without a session.
    const secretKey = makeToken(32);
    const transport = makeTransport(config);
    const app = await createApp({
      db,
      clock,
      config: { ...config, role: 'web' },
      log: makeLog('error'),
      metrics: makeMetrics(),
      sender: makeSender(config, secretKey, clock),
      web: {
        pages,
        secretKey,
        maxPageAgeMs: 0,
        isStatic: true,
        mail: { transport, server: null, from: config.mailFrom, folder: mailFolder(config.dataDir), domainIn: null },
        signInProviders: { providers: [], domains: [] },
      },
    });
    const { host } = new URL(config.baseUrl);
    const bar = makeProgressBar(process.stderr, context.board.post_count, 'posts');
    async function get(path: string) {
      const response = await app.inject({ url: path, headers: { host } });
      const { location = null } = response.headers;
      return { status: response.statusCode, location: location && String(location), body: response.rawPayload };
    }
    const options = { folder: site, url: url ?? null, clientFolder, get, onProgress: bar.show };
    return exportSite(context, options).finally(async () => {
      bar.end();
      await app.close();
      transport.close();
    });
  };
  // Posts are compared and rendered from the same data, which a replica might not have yet.
  return withBoard({ ...env, DATABASE_READ_URL: undefined }, board, write, { isReadOnce: true });
}

/** How much garbage may lie in the heap, in percent of what is alive, until it is collected. */
const GARBAGE_PERCENT = 25;

/**
 * Makes V8 collect garbage sooner, for a command that makes much and keeps little: otherwise the heap grows to three times
 * what is alive, and what lies outside it with it. New objects get no more space than they have now.
 */
function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`);
  setFlagsFromString('--semi-space-growth-factor=1');
}
