const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';

/** A page in a sitemap, and when it was last changed. */
type SitemapEntry = { url: string; changed: number | null };

/** A sitemap (https://www.sitemaps.org/protocol.html). */
export function printSitemap(entries: readonly SitemapEntry[]): string {
  const urls = entries.map(({ url, changed }) => `<url>${loc(url)}${changed === null ? '' : lastmod(changed)}</url>`);
  return `${HEAD}<urlset xmlns="${NAMESPACE}">${urls.join('')}</urlset>`;
}

/** A list of sitemaps, likewise. */
export function printSitemapIndex(urls: readonly string[]): string {
  const sitemaps = urls.map((url) => `<sitemap>${loc(url)}</sitemap>`);
  return `${HEAD}<sitemapindex xmlns="${NAMESPACE}">${sitemaps.join('')}</sitemapindex>`;
}

function loc(url: string): string {
  return `<loc>${url.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)}</loc>`;
}

function lastmod(changed: number): string {
  return `<lastmod>${new Date(changed).toISOString()}</lastmod>`;
}
