import { prefixOf, withoutPrefix } from '../../../platform/http/prefix.ts';
import { addressOf, copyNameOf, folderOf, type LivePage, relativeTo } from './addresses.ts';

/** What all pages of a site have in common. */
export type SiteAddresses = {
  pid: string;
  /** Of the server. */
  baseUrl: string;
  /** The canonical URL of the board on the server. */
  home: string;
  /** Where the site will be, with a slash at the end; null if search engines are led to the board on the server. */
  url: string | null;
  /** Pictures of the board, which every page has, by their path on the server: the name of the copy. */
  images: ReadonlyMap<string, string>;
};

/** A page of the site, and what else it needs. */
type RewrittenPage = {
  html: string;
  /** Pages of the site that it links, each with its path on the server. */
  links: ReadonlyMap<string, string>;
  /** Uploaded files that it shows, by the name of their copy: the path on the server. */
  files: ReadonlyMap<string, string>;
};

const TAG = /<(?:a|link|img|use|meta)\b[^<>]*>/g;
const ATTRIBUTE = / (href|src|content)="([^"]*)"/g;
/** What an anchor in a text of a visitor has. */
const OF_VISITORS = /\brel="[^"]*\bugc\b/;

/**
 * Makes a page of the server one of the site: its links lead to other files of the site, or to the server if the site
 * has no such page. The renderer escapes texts, so that tags and attributes are what they look like.
 */
export function rewritePage(page: string, live: LivePage, site: SiteAddresses): RewrittenPage {
  const links = new Map<string, string>();
  const files = new Map<string, string>();
  const { pid, baseUrl, images } = site;
  const folder = folderOf(live);
  const location = new URL(baseUrl + live.path);
  const prefix = prefixOf(baseUrl);

  function toLink(tag: string, text: string): string {
    const isTyped = /^([a-z][\w+.-]*:|\/\/)/i.test(text);
    const address = tag.startsWith('<link') ? text.replace(site.home, `${prefix}/b/${pid}`) : text;
    const target = text.startsWith('#') ? null : URL.parse(address, location);
    if (target?.origin !== location.origin) return text;
    const path = withoutPrefix(target.pathname, prefix);
    if (images.has(path)) return relativeTo(folder, `assets/${images.get(path)}`);
    if (path.startsWith('/files/')) return `files/${remember(files, copyNameOf(path), path)}`;
    if (isTyped && address === text) return text;
    if (/^\/(assets\/[^/]+|[\w-]+\.(svg|png|ico))$/.test(path)) return relativeTo(folder, path.slice(1)) + target.hash;
    const known = OF_VISITORS.test(tag) ? null : addressOf(pid, path, target.searchParams, live);
    if (known === null) return target.href;
    return relativeTo(folder, remember(links, known, path + target.search)) + target.hash;
  }

  const html = page.replace(TAG, (tag) =>
    tag.replace(ATTRIBUTE, (attribute, name: string, value: string) => {
      const text = readEntities(value);
      const isForOthers = name === 'content' || /\brel="canonical"/.test(tag);
      const changed = isForOthers ? publicUrl(text, live, site) : toLink(tag, text);
      return changed === text ? attribute : ` ${name}="${escapeMarkup(changed)}"`;
    }),
  );
  return { html: rewriteData(html, live, site), links, files };
}

function remember(map: Map<string, string>, key: string, value: string): string {
  if (!map.has(key)) map.set(key, value);
  return key;
}

/** A URL of the board on the server as that of the site; it and any other text stay without a URL of the site. */
function publicUrl(text: string, live: LivePage, { pid, home, url }: SiteAddresses): string {
  if (url === null || !(text === home || /^[/?#]/.test(text.slice(home.length))) || !text.startsWith(home)) return text;
  const target = new URL(`/b/${pid}${text.slice(home.length)}`, url);
  const address = addressOf(pid, target.pathname, target.searchParams, live);
  return address === null ? text : url + address + target.hash;
}

/** Structured data for search engines: JSON, in which no text has a sign of HTML. */
function rewriteData(html: string, live: LivePage, site: SiteAddresses): string {
  return html.replace(
    /(<script type="application\/ld\+json"[^>]*>)([^<]*)/,
    (_, tag: string, data: string) =>
      tag + data.replace(/"(https?:[^"\\]*)"/g, (__, text: string) => `"${publicUrl(text, live, site)}"`),
  );
}

/** A feed or a sitemap: its URLs as those of the site. */
export function rewriteXml(xml: string, site: SiteAddresses): string {
  const start: LivePage = { path: `/b/${site.pid}`, base: '', number: 1 };
  return xml.replace(/( href="|<loc>)([^"<]*)/g, (_, before: string, text: string) => {
    return before + escapeMarkup(publicUrl(readEntities(text), start, site));
  });
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

function readEntities(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(amp|lt|gt|quot));/gi, (_, decimal, hex, name) =>
    name
      ? (entities[name.toLowerCase()] ?? '')
      : String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16)),
  );
}

/** A text in an attribute, in HTML and XML. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
