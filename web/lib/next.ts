const HERE = 'http://here.invalid';

/** Longer ones are no addresses of ours. */
const MAX_LENGTH = 2_000;

/**
 * A path of this site to go to afterwards, from a text that anybody may have written; null when it leads elsewhere.
 * What is checked is the address that comes of the text, since `/.//evil.example` and `/a/%2e%2e//evil.example` become
 * `//evil.example`, which is another site. Browsers read `\` as `/` and skip control characters.
 */
export function parseNext(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > MAX_LENGTH || !/^\/[^\\\p{Cc}]*$/u.test(text)) return null;
  const url = URL.parse(text, HERE);
  if (url?.origin !== HERE || url.pathname.startsWith('//')) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** The board that a path leads to, by its address; null when it leads to none. */
export function pidOf(path: string | null): string | null {
  return /^\/b\/([^/?#]+)/.exec(path ?? '')?.[1] ?? null;
}

/** The address of a page of ours that goes on to a path afterwards. */
export function withNext(page: string, next: string | null): string {
  return next === null ? page : `${page}?next=${encodeURIComponent(next)}`;
}
