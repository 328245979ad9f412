const HERE = 'http://here.invalid';

/** Longer ones are not our own URLs. */
const MAX_LENGTH = 2_000;

/**
 * A path on this site to redirect to afterwards, from an untrusted text; null if it leads elsewhere. The check applies
 * to the resolved URL, since `/.//evil.example` and `/a/%2e%2e//evil.example` become `//evil.example`, which is
 * another site. Browsers read `\` as `/` and skip control characters.
 */
export function parseNext(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > MAX_LENGTH || !/^\/[^\\\p{Cc}]*$/u.test(text)) return null;
  const url = URL.parse(text, HERE);
  if (url?.origin !== HERE || url.pathname.startsWith('//')) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** A path with more of a query. */
export function addQuery(path: string, query: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** The board that a path leads to, by its name in URLs; null if it leads to none. */
export function pidOf(path: string | null): string | null {
  return /^\/b\/([^/?#]+)/.exec(path ?? '')?.[1] ?? null;
}

/** The URL of one of our pages that continues to a path afterwards. */
export function withNext(page: string, next: string | null): string {
  return next === null ? page : `${page}?next=${encodeURIComponent(next)}`;
}
