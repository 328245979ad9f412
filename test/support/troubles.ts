import type { ServerResponse } from 'node:http';

/** What an API on the internet does at times instead of what it was asked to. */
export type Trouble = (response: ServerResponse) => void;

/** In turn. */
const common: readonly Trouble[] = [
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

/** Requests that are answered in a second. */
const PER_SECOND = 40;

/** What becomes of the requests to such an API before it looks at them. */
export class Troubles {
  /** Whether it is down: no request is answered. */
  isAway = false;
  readonly #troubles: readonly Trouble[];
  #count = 0;
  #second = 0;
  #inSecond = 0;

  constructor(more: readonly Trouble[] = []) {
    this.#troubles = [...common, ...more];
  }

  /** Every ninth request is one too many or meets a fault, and so is what comes too fast. @returns whether it was answered */
  strike(response: ServerResponse): boolean {
    if (this.isAway) response.destroy();
    return this.isAway || this.#refuseHaste(response) || this.#takeTurn(response);
  }

  #refuseHaste(response: ServerResponse): boolean {
    const second = Math.floor(Date.now() / 1000);
    this.#inSecond = second === this.#second ? this.#inSecond + 1 : 1;
    this.#second = second;
    if (this.#inSecond <= PER_SECOND) return false;
    response.writeHead(429, { 'retry-after': '1' }).end('{"message":"Too many requests"}');
    return true;
  }

  #takeTurn(response: ServerResponse): boolean {
    const n = ++this.#count;
    if (n % 9 !== 0) return false;
    this.#troubles[(n / 9 - 1) % this.#troubles.length]?.(response);
    return true;
  }
}
