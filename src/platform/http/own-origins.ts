import type { IncomingHttpHeaders } from 'node:http';

type Sent = { headers: IncomingHttpHeaders };

/** Tells our own pages from those of other sites. */
export type OwnOrigins = {
  /**
   * Whether one of our own pages sent a request. Browsers report it in `Sec-Fetch-Site`; over plain http on a network,
   * and the older ones, they omit it, and the `Origin` that they send with every POST decides.
   * @param isProgramToo the result for requests with neither, from programs: they have no visitor's cookie
   */
  sent(request: Sent, isProgramToo?: boolean): Promise<boolean>;
};

/**
 * Our pages are at the origin of `BASE_URL`, at the custom domain of a board, and wherever the client says that it
 * reached us directly. What proxies report (`X-Forwarded-Host`, `X-Forwarded-Proto`) decides nothing: they lose
 * ports, schemes and hosts, and a client can send it as well. A host that they have not lost names the board that a form
 * is for: the page of another one has not sent it, since its admin may lead that domain anywhere.
 * @param isDomain whether a host name is the custom domain of a board
 */
export function makeOwnOrigins(baseUrl: string, isDomain: (hostname: string) => Promise<boolean>): OwnOrigins {
  const own = new URL(baseUrl);
  return {
    async sent({ headers }, isProgramToo = false) {
      const { origin, host, 'sec-fetch-site': site } = headers;
      if (site !== undefined) return site === 'same-origin' || site === 'none';
      if (origin === undefined) return isProgramToo;
      const from = URL.parse(origin);
      if (!from?.host || !/^https?:$/.test(from.protocol)) return false;
      if (from.origin === own.origin) return true;
      // Others on the way can answer for a name that is used with https as soon as it is called without.
      const isHttps = own.protocol === 'https:';
      if (await isDomain(from.hostname)) {
        const named = URL.parse(`http://${host}`)?.hostname ?? '';
        const isOther = named !== from.hostname && (named === own.hostname || (await isDomain(named)));
        return !isOther && (from.protocol === 'https:' || !isHttps);
      }
      return from.host === host && !(isHttps && from.hostname === own.hostname);
    },
  };
}
