import type { FastifyRequest } from 'fastify';

/**
 * Whether a request comes from one of our own pages. Browsers report it in `Sec-Fetch-Site`; over plain http on a
 * network they omit it, and the `Origin` that they send with every POST decides.
 * @param isProgramToo the result for requests with neither, from programs: they have no visitor's cookie
 */
export function isFromOurPages(
  { headers, host }: Pick<FastifyRequest, 'headers' | 'host'>,
  isProgramToo = false,
): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === undefined ? isProgramToo : URL.parse(origin)?.host === host;
}
