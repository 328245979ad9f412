import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/lib/clock.ts';
import { compress, type Encoding } from './compression.ts';
import { askedLanguage } from './language.ts';
import { isArriving } from './request.ts';
import { pagePolicy } from './security.ts';

/** No page is older than this when it is sent. */
export const MAX_AGE_MS = 1_000;
/** Bytes of cached pages in a process, compressed ones included. */
const MAX_BYTES = 8 * 1_048_576;
/** Longer addresses are rarely asked for twice. */
const MAX_KEY = 500;

/** The pages of a board that many visitors read, and the data of the same for browsers that have scripts. */
const PAGES =
  /^\/b\/[\w-]+(?:\/_)?(?:\/roadmap|\/changelog(?:\/\d+(?:\/[^/.]*)?)?|\/posts\/\d+(?:\/[^/.]*)?)?(?:\.data)?$/;
/** What these pages read of their query, and the router. Anything else, such as `utm_source`, is none of their concern. */
const NAMES = new Set(
  'sort status tag show after shown done operation deleted edit comments from notice merge lane reply label next _routes'.split(
    ' ',
  ),
);
/** Searches are counted for each network. */
const SEARCH = /[?&]q=/;
/** In the name of every cookie that says who a visitor is. */
const OWN_COOKIE = /earshot/i;
/** Cookies that say only how pages look. */
const LOOK = /(?:^|;\s*)(theme=(?:light|dark)|density=compact)(?=;|$)/g;

/** All that a shared page is rendered from: nothing in it says who the visitor is. */
export type SharedRequest = {
  url: string;
  cookies: string;
  /** Of the pages' languages, the one that the visitor asks for, not their list: so there are few. */
  language: string | null;
  isArriving: boolean;
};

/** A rendered page, and whether it is only for the visitor that it was rendered for: then it has set a cookie. */
export type Rendered = { response: Response; nonce: string; isPersonal: boolean };

/** A page as all visitors without a session get it. */
export type CachedPage = {
  headers: Record<string, string>;
  policy: string;
  /** The page in this encoding; made once. */
  encode(encoding: Encoding | null): Promise<Buffer>;
};

type Entry = { begun: number; page: Promise<CachedPage | null> };

/**
 * What a page of a board is rendered from for a visitor without a session; null for other pages and visitors, whose
 * pages are their own.
 */
export function readShared({ method, url, headers }: FastifyRequest, baseUrl: string): SharedRequest | null {
  const { cookie = '' } = headers;
  if (method !== 'GET' || url.length > MAX_KEY) return null;
  if (OWN_COOKIE.test(cookie)) return null;
  const [path = '', query = ''] = url.split('?', 2);
  if (!PAGES.test(path) || SEARCH.test(url)) return null;
  const looks = [...cookie.matchAll(LOOK)].map(([, look]) => look);
  const known = new URLSearchParams([...new URLSearchParams(query)].filter(([name]) => NAMES.has(name)));
  const asked = known.size > 0 ? `${path}?${known}` : path;
  const cookies = looks.join('; ');
  return { url: `${baseUrl}${asked}`, cookies, language: askedLanguage(headers), isArriving: isArriving(headers) };
}

/**
 * Pages of boards for visitors without a session: one is rendered for all who ask within a second. What a visitor may
 * not see cannot be in them, because they are rendered from a `SharedRequest`, which is also the key: no session, token
 * or address reaches the renderer.
 */
export class PageCache {
  readonly #clock: Clock;
  readonly #maxAgeMs: number;
  readonly #entries = new LRUCache<string, Entry>({ maxSize: MAX_BYTES });

  /** @param maxAgeMs with 0, every page is rendered anew, and none is cached */
  constructor(clock: Clock, maxAgeMs: number) {
    this.#clock = clock;
    this.#maxAgeMs = maxAgeMs;
  }

  /** The page that is cached or being rendered; else this visitor renders it. One that cannot be shared is a response. */
  async respond(request: SharedRequest, render: () => Promise<Rendered>): Promise<CachedPage | Response> {
    if (this.#maxAgeMs === 0) return cacheIfShareable(await render());
    const key = JSON.stringify(request);
    const known = this.#entries.get(key);
    if (known && this.#isFresh(known)) return (await known.page) ?? (await render()).response;
    const { promise: page, resolve } = Promise.withResolvers<CachedPage | null>();
    const entry: Entry = { begun: this.#clock.now(), page };
    this.#entries.set(key, entry, { size: MAX_KEY });
    try {
      const rendered = await render();
      const made = isShareable(rendered) ? await cachePage(rendered) : null;
      // Another object: set again, the same one would keep its size.
      const isCurrent = made !== null && this.#entries.get(key) === entry;
      if (isCurrent) this.#entries.set(key, { ...entry }, { size: MAX_KEY + made.size });
      resolve(made);
      return made ?? rendered.response;
    } finally {
      // After a failure, those who wait render the page themselves.
      resolve(null);
      if ((await page) === null && this.#entries.get(key) === entry) this.#entries.delete(key);
    }
  }

  #isFresh({ begun }: Entry): boolean {
    const age = this.#clock.now() - begun;
    return age >= 0 && age < this.#maxAgeMs;
  }
}

function isShareable({ response, isPersonal }: Rendered): boolean {
  const type = response.headers.get('content-type') ?? '';
  const isOwn = isPersonal || response.headers.has('set-cookie');
  return response.status === 200 && !isOwn && /^text\/(html|x-script)\b/.test(type);
}

async function cacheIfShareable(rendered: Rendered): Promise<CachedPage | Response> {
  return isShareable(rendered) ? cachePage(rendered) : rendered.response;
}

async function cachePage({ response, nonce }: Rendered): Promise<CachedPage & { size: number }> {
  const pieces = (await response.text()).split(` nonce="${nonce}"`);
  const plain = Buffer.from(pieces.join(''));
  const encoded = new Map<Encoding, Promise<Buffer>>();
  return {
    size: plain.length * 2,
    headers: Object.fromEntries(response.headers),
    policy: pagePolicy({ scripts: hashesOf(pieces, 'script'), styles: hashesOf(pieces, 'style') }, false),
    async encode(encoding) {
      if (encoding === null) return plain;
      const made = encoded.get(encoding) ?? compress(plain, encoding);
      encoded.set(encoding, made);
      return made;
    },
  };
}

/**
 * Of the inline elements that carry the nonce: a text that got into a page unescaped does not know it.
 * @param pieces what is between the nonces: each but the first begins in the tag of such an element
 */
function hashesOf([before = '', ...pieces]: readonly string[], tag: 'script' | 'style'): string {
  const hashes: string[] = [];
  for (const piece of pieces) {
    if (before.startsWith(`<${tag}`, before.lastIndexOf('<'))) {
      const text = piece.slice(piece.indexOf('>') + 1, piece.indexOf(`</${tag}>`));
      if (text !== '') hashes.push(`'sha256-${hash('sha256', text, 'base64')}'`);
    }
    before = piece;
  }
  return hashes.join(' ');
}
