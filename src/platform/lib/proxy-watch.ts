import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from './log.ts';

/** Notices that requests come through a proxy which `TRUST_PROXY` does not name. */
export type ProxyWatch = {
  look(headers: IncomingHttpHeaders): void;
  /** Whether such a request has come to this process. */
  hasUntrusted(): boolean;
};

/**
 * Behind a proxy that is not trusted all visitors have one address, and with it share every limit by network: one of
 * them can use up what all have. It is told once, since anybody can send such a header.
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
