import type { Logger } from '../../platform/lib/log.ts';
import type { Finding } from './finding.ts';
import { judgeHost, judgeOrigin, judgeScheme } from './request.ts';
import { readSeen, type Seen, type Sent } from './seen.ts';
import { hostnamesIn, isDirect, type ReachSettings, readVisited } from './visited.ts';

/** Looks at requests for what stands between people and the server, and logs each kind of fault once. */
export type ReachWatch = { look(request: Sent): void };

type WatchDeps = Pick<ReachSettings, 'baseUrl' | 'trustProxy'> & {
  log: Logger;
  /** Whether a host name is the custom domain of a board. */
  isDomain(hostname: string): Promise<boolean>;
};

const WATCHED = { scheme: judgeScheme, host: judgeHost, origin: judgeOrigin } as const;
type Watched = keyof typeof WATCHED;

/** How many requests of browsers that look wrong are compared with the custom domains of boards. */
const MAX_LOOKUPS = 20;

const UNTRUSTED =
  'A request had an X-Forwarded-For or Forwarded header, which TRUST_PROXY=0 does not trust: behind a proxy, all visitors then share one address and its limits. Set TRUST_PROXY to the addresses of your proxies, such as 127.0.0.1 for one on the same machine';

/**
 * Behind an untrusted proxy all visitors have one address, and so share every limit by network: one of them can exhaust
 * it for all. Since anyone can send such a header, it is logged only once, and so is a host or scheme that is not that of
 * `BASE_URL`. The latter count only in requests of browsers, and only until one was right: a later one is a scanner's.
 */
export function makeReachWatch({ baseUrl, trustProxy, log, isDomain }: WatchDeps): ReachWatch {
  const open = new Set<Watched>(['scheme', 'host', 'origin']);
  let isUntrusted = false;
  let lookups = 0;

  function judge(seen: Seen, domains: readonly string[]): Finding<Watched>[] {
    const settings = { baseUrl, trustProxy, domains };
    return isDirect(seen, settings) ? [] : [...open].map((check) => WATCHED[check](seen, settings));
  }

  function settle({ check, isRight, seen, why, change }: Finding<Watched>): void {
    if (isRight === null || !open.delete(check) || isRight) return;
    log.warn({ check, seen: seen.text, change: change?.line }, why?.text);
  }

  async function settleAll(seen: Seen): Promise<void> {
    const names = hostnamesIn(seen);
    const found = await Promise.all(names.map(isDomain));
    for (const finding of judge(
      seen,
      names.filter((_, n) => found[n]),
    ))
      settle(finding);
  }

  return {
    look(request) {
      const { headers } = request;
      if (!isUntrusted && trustProxy === 0 && (headers['x-forwarded-for'] || headers.forwarded)) {
        isUntrusted = true;
        log.warn(UNTRUSTED);
      }
      if (open.size === 0 || lookups === MAX_LOOKUPS) return;
      const isNavigation = headers['sec-fetch-mode'] === 'navigate';
      if (!isNavigation && headers.origin === undefined) return;
      const seen = readSeen(request);
      if (!isNavigation && readVisited(seen, { baseUrl, trustProxy, domains: [] }).origin === null) return;
      const findings = judge(seen, []);
      if (!findings.some(({ isRight }) => isRight === false)) return findings.forEach(settle);
      lookups++;
      // Those who need the store report that it cannot be read.
      settleAll(seen).catch(() => {});
    },
  };
}
