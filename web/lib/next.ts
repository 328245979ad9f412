const HERE = 'http://here.invalid';

/**
 * A path of this site to go to afterwards, from a text that anybody may have written; null when it leads elsewhere.
 * Browsers read `\` as `/` and skip control characters, so `/\evil.example` is the address of another site.
 */
export function parseNext(text: unknown): string | null {
  if (typeof text !== 'string' || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return null;
  const url = URL.parse(text, HERE);
  return url?.origin === HERE ? `${url.pathname}${url.search}${url.hash}` : null;
}
