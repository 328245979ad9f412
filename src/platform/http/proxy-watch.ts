import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from '../lib/log.ts';

/** Detects that requests come through a proxy that `TRUST_PROXY` does not include. */
export type ProxyWatch = {
  look(headers: IncomingHttpHeaders): void;
  /** Whether such a request has come to this process. */
  hasUntrusted(): boolean;
};

/**
 * Behind an untrusted proxy all visitors have one address, and so share every limit by network: one of them can exhaust
 * it for all. It is logged only once, since anyone can send such a header.
 */
export function makeProxyWatch(trustProxy: number | readonly string[], log: Logger): ProxyWatch {
  const trustsNone = trustProxy === 0;
  let isSeen = false;
  return {
    look(headers) {
      if (isSeen || !trustsNone || !(headers['x-forwarded-for'] || headers.forwarded)) return;
      isSeen = true;
      log.warn(
        'A request had an X-Forwarded-For or Forwarded header, which TRUST_PROXY=0 does not trust: behind a proxy, all visitors then share one address and its limits. Set TRUST_PROXY to the number of your proxies',
      );
    },
    hasUntrusted: () => isSeen,
  };
}
