/** The longest path that `BASE_URL` may have. */
const MAX_LENGTH = 100;

/**
 * What the paths of the server itself begin with; a test compares them with the routes. `BASE_URL` cannot end with a path
 * that begins so: proxies pass it on or strip it, and a request would not tell which.
 */
export const OWN_PATHS: readonly string[] = [
  ...['api', 'tools', 'files', 'pictures', 'healthz', 'readyz', 'metrics'],
  ...['b', 'embed', 'posts', 'posts.atom', 'changelog', 'changelog.atom', 'look', 'assets'],
  ...[
    'sign-in',
    'sign-up',
    'sign-out',
    'reset-password',
    'change-email',
    'join',
    'email',
    'sso',
    'connect',
    'oauth',
    '.well-known',
  ],
  ...['robots.txt', 'sitemap.xml', 'widget.js', 'widget-config.js', 'vote.js', 'worker.js'],
  ...['icon.svg', 'apple-touch-icon.png', 'favicon.ico'],
];

/** Which paths `isPrefix` allows. */
export const PREFIXES = `has letters, digits and . _ ~ - between its slashes, at most ${MAX_LENGTH} characters, and does not begin with a name that Earshot uses itself: ${OWN_PATHS.join(', ')}`;

/** The path under which a server is reached, without a slash at its end: '' at the root of a host. */
export function prefixOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/+$/, '');
}

/** Whether a server can be reached under the path of a URL, which is written as it arrives in requests. */
export function isPrefix(baseUrl: string): boolean {
  const path = baseUrl.replace(/^[a-z]+:[/\\]*[^/\\]*/i, '').replace(/\/+$/, '');
  const isPlain = path.length <= MAX_LENGTH && /^(\/[\w.~-]+)*$/.test(path) && path === prefixOf(baseUrl);
  return isPlain && !OWN_PATHS.includes(path.split('/')[1] ?? '');
}

/** The path and query of a request as the routes know them, whether the proxy has stripped the prefix or not. */
export function withoutPrefix(url: string, prefix: string): string {
  if (!url.startsWith(prefix)) return url;
  const rest = url.slice(prefix.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : url;
}
