import type { ServerResponse } from 'node:http';

/** What an API on the internet does at times instead of what it was asked to, in turn. */
const troubles: ((response: ServerResponse) => void)[] = [
  (response) => response.writeHead(429, { 'retry-after': '0' }).end('{"message":"Too many requests"}'),
  (response) => response.writeHead(500).end('Internal Server Error'),
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
    response.write('[{"id": 1, "ti', () => response.destroy());
  },
  (response) => response.writeHead(503, { 'retry-after': new Date().toUTCString() }).end('{}'),
  // The limits of GitHub (docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api).
  (response) => {
    const reset = String(Math.floor(Date.now() / 1000));
    const limits = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
    response.writeHead(403, limits).end('{"message":"API rate limit exceeded"}');
  },
  (response) => response.destroy(),
];

/** Makes trouble of every ninth request, of which this is number `n`. @returns whether it was this one */
export function makeTrouble(n: number, response: ServerResponse): boolean {
  if (n % 9 !== 0) return false;
  troubles[(n / 9 - 1) % troubles.length]?.(response);
  return true;
}
