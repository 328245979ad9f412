/** The first segments of page paths, and the following ones on a board, as in `web/routes.ts`. */
const BEGINNINGS = new Set([
  ...'robots.txt sitemap.xml posts posts.atom changelog changelog.atom look email embed widget-config.js'.split(' '),
  ...'sign-in sign-out reset-password change-email sign-up join sso connect'.split(' '),
]);
const OF_BOARD = new Set([
  ...'picture.png sitemap posts posts.atom changelog changelog.atom votes continue similar'.split(' '),
  ...'uploads roadmap inbox views moderation activity deleted undo triage mentions moved setup settings sso chat allow voters people embed elsewhere widget-config.js'.split(
    ' ',
  ),
]);

/** The kind of the page at a path, for metrics: one of a few words, whatever is requested. */
export function kindOfPage(path: string): string {
  // Scripts request the data of a page at its path with a special suffix.
  const [first = '', , third] = path
    .replace(/\.data$/, '')
    .slice(1)
    .split('/', 4);
  if (first === 'b') return third ? (OF_BOARD.has(third) ? third : 'other') : 'board';
  if (first === '' || first === '_root') return 'home';
  return BEGINNINGS.has(first) ? first : 'other';
}

/** The kinds of all other URLs, by the beginning of their patterns. */
const KINDS: [pattern: RegExp, kind: string][] = [
  [/^\/(files|pictures)\//, 'file'],
  [/^\/api\/v1\/files/, 'upload'],
  [/^\/b\/:pid\/live/, 'live'],
  [/^\/b\//, 'settings'],
  [/^\/api\/(csv|board\.csv|jsonl)/, 'export'],
  [/^\/api\/v1\/events/, 'stream'],
  [/^\/api\/v1\/mcp/, 'mcp'],
  [/^\/(oauth|\.well-known)\//, 'oauth'],
  [/^\/api\/v1\/chat/, 'chat'],
  [/^\/api\/v1\/webhooks/, 'webhooks'],
  [/^\/api\/v1\/(schema|openapi)/, 'schema'],
  [/^\/api\/v1\/playground/, 'playground'],
  [/^\/api\/v1\/sandbox/, 'sandbox'],
  [/^\/api\/v1\/reach/, 'health'],
  [/^\/(healthz|readyz|metrics)/, 'health'],
];

/** The kind of a request by the pattern of its route; null for that of all pages. */
export function kindOfRoute(pattern: string): string | null {
  if (pattern === '/*') return null;
  return KINDS.find(([each]) => each.test(pattern))?.[1] ?? 'asset';
}
