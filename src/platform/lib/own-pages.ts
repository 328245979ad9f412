import type { FastifyRequest } from 'fastify';

/**
 * Whether a request comes from a page of ours. Browsers say so in `Sec-Fetch-Site`; over plain http on a network they
 * leave it out, and the `Origin` that they send with every POST decides.
 * @param isProgramToo the answer for what sends neither, as programs do: they have no visitor's cookie
 */
export function isFromOurPages(
  { headers, host }: Pick<FastifyRequest, 'headers' | 'host'>,
  isProgramToo = false,
): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === undefined ? isProgramToo : URL.parse(origin)?.host === host;
}
