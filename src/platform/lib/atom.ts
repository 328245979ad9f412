/** One entry of a feed. `content` is HTML that is safe to show, or plain text. */
export type AtomEntry = {
  /** The id of the row that the entry is about: a UUID. */
  id: string;
  title: string;
  url: string;
  published: number;
  updated: number;
  author: string;
  labels?: readonly string[];
  content: { type: 'html' | 'text'; value: string };
};

/** A feed: the page that it belongs to, where it is found itself, and its entries, the newest first. */
export type AtomFeed = {
  id: string;
  title: string;
  url: string;
  feedUrl: string;
  language: string;
  author: string;
  /** When the feed began, for one that is empty. */
  begun: number;
  entries: readonly AtomEntry[];
};

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

/** A feed as Atom (RFC 4287). */
export function printAtom({ id, title, url, feedUrl, language, author, begun, entries }: AtomFeed): string {
  const updated = entries.reduce((newest, entry) => Math.max(newest, entry.updated), begun);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(language)}">`,
    element('id', `urn:uuid:${id}`),
    element('title', title),
    element('updated', instant(updated)),
    link('self', 'application/atom+xml', feedUrl),
    link('alternate', 'text/html', url),
    person(author),
    element('generator', 'Earshot'),
    ...entries.map(printEntry),
    '</feed>\n',
  ].join('\n');
}

function printEntry({ id, title, url, published, updated, author, labels = [], content }: AtomEntry): string {
  return [
    '<entry>',
    element('id', `urn:uuid:${id}`),
    element('title', title),
    element('published', instant(published)),
    element('updated', instant(updated)),
    link('alternate', 'text/html', url),
    person(author),
    ...labels.map((label) => `<category term="${escapeXml(label)}"/>`),
    `<content type="${content.type}">${escapeXml(content.value)}</content>`,
    '</entry>',
  ].join('\n');
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

function person(name: string): string {
  return `<author>${element('name', name)}</author>`;
}

function link(rel: string, type: string, href: string): string {
  return `<link rel="${rel}" type="${type}" href="${escapeXml(href)}"/>`;
}

function instant(date: number): string {
  return new Date(date).toISOString();
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text in XML, which cannot have most control characters; an entity of HTML may have stood for one. */
function escapeXml(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '').replace(/[&<>"]/g, (sign) => escapes[sign] ?? '');
}
