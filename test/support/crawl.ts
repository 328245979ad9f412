import type { Walker } from './subpath.ts';

/** An address that something on the server names, and where. */
type Reference = { address: URL; from: string; isFollowed: boolean };

/** What a crawl has found. */
export type Crawled = {
  /** Every requested address, with the type of its answer. */
  answers: Map<string, string>;
  /** Addresses of the host outside of the path, and requests that failed: each with where it is named. */
  wrong: string[];
};

/**
 * Follows every link, form that only asks, script, style, picture and feed from a page on, below the path.
 * @param before a crawl whose scripts and styles need not be looked at again
 */
export async function crawl(walker: Walker, start: string, path: string, before?: Crawled): Promise<Crawled> {
  const { origin } = new URL(start);
  const crawled: Crawled = { answers: new Map(), wrong: [] };
  const shapes = new Set([...(before?.answers.keys() ?? [])].filter((address) => /\/assets\//.test(address)));
  const waiting: Reference[] = [{ address: new URL(start), from: 'the start', isFollowed: true }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { address, from, isFollowed } = next;
    if (address.origin !== origin) continue;
    if (!isBelow(address.pathname, path)) crawled.wrong.push(`${address.href}, named by ${from}`);
    else if (isFollowed && !shapes.has(shapeOf(address))) {
      shapes.add(shapeOf(address));
      waiting.push(...(await visit(walker, address, from, crawled)));
    }
  }
  return crawled;
}

function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(`${path}/`);
}

/** Pages of one kind have one shape: with ids, numbers and the values of the query left out. */
function shapeOf({ pathname, searchParams }: URL): string {
  if (/\/(assets|tools)\//.test(pathname)) return pathname;
  const shape = pathname.replace(/\/[\w-]{20,}|\/\d+(\/[^/.]+)?/g, '/:').replace(/\.data$/, '/:data');
  return `${shape}?${[...new Set(searchParams.keys())].sort()}`;
}

async function visit(walker: Walker, address: URL, from: string, crawled: Crawled): Promise<Reference[]> {
  address.hash = '';
  const response = await walker.fetch(address.href);
  const body = await response.text();
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  crawled.answers.set(address.pathname + address.search, type);
  if (response.status >= 400) crawled.wrong.push(`${address.href}: ${response.status}, named by ${from}`);
  const named = [response.headers.get('location') ?? '', ...linked(response.headers.get('link') ?? '')].filter(Boolean);
  const found = [...named.map((text) => ({ text, isFollowed: true })), ...namedIn(type, body)];
  return found.flatMap(({ text, isFollowed }) => {
    const url = URL.parse(text, address);
    return url && /^https?:$/.test(url.protocol) ? [{ address: url, from: address.pathname, isFollowed }] : [];
  });
}

function linked(header: string): string[] {
  return [...header.matchAll(/<([^>]+)>/g)].map(([, text = '']) => text);
}

type Named = { text: string; isFollowed: boolean };

function namedIn(type: string, body: string): Named[] {
  const all = (text: string, form: RegExp) => [...text.matchAll(form)].map(([, found = '']) => found);
  const followed = (texts: readonly string[]) => texts.map((text) => ({ text: readEntities(text), isFollowed: true }));
  switch (type) {
    case 'text/html':
      return [
        ...ofTags(body),
        ...followed(all(body, /url\(['"]?(?!data:)([^'")]+)/g)),
        ...followed(all(body, /<script\b[^>]*>(.*?)<\/script>/gs).flatMap(importedBy)),
      ];
    case 'text/css':
      return followed(all(body, /url\(['"]?(?!data:)([^'")]+)/g));
    case 'text/javascript':
      return followed(importedBy(body));
    case 'application/xml':
    case 'application/atom+xml':
      return followed([...all(body, /<loc>([^<]+)/g), ...all(body, / href="([^"]+)/g)]);
    default:
      return [];
  }
}

/** Scripts that a script imports by their relative paths, and by whole ones: the list of files has those. */
function importedBy(script: string): string[] {
  const relative = script.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'`](\.{1,2}\/[^"'`$]+|\/[^"'`$]+)["'`]/g);
  const listed = script.startsWith('window.__reactRouterManifest=')
    ? script.matchAll(/"(\/[^"#]+\.(?:js|css))#?"/g)
    : [];
  return [...relative, ...listed].map(([, text = '']) => text);
}

const TAG = /<(a|link|img|use|script|iframe|form|button|source|object)\b((?:[^<>"]|"[^"]*")*)>/g;

/** What tags name. Forms that change something are not sent; what signs out, or leaves the frame by a script, is not followed. */
function ofTags(html: string): Named[] {
  return [...html.matchAll(TAG)].flatMap(([, , attributes = '']) =>
    [...attributes.matchAll(/ (?:href|src|action|formaction)="([^"#][^"]*)"/g)].map(([, text = '']) => ({
      text: readEntities(text),
      isFollowed: !/ method="post"/.test(attributes) && !/\/sign-out|\/embed\/reset-password/.test(text),
    })),
  );
}

function readEntities(text: string): string {
  return text.replaceAll('&amp;', '&').replaceAll('&#x27;', "'").replaceAll('&quot;', '"');
}
