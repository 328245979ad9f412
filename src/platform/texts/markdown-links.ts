import type { MarkdownIt } from 'markdown-it';

type Linkifier = MarkdownIt['linkify'];
type Link = NonNullable<ReturnType<Linkifier['matchAtStart']>>;

/** Where an address may be: at a web scheme, or around an @. */
const CANDIDATE = /https?:\/\/|@/gi;
/** A URL after its scheme: letters and digits of any script, and the punctuation of URLs. */
const WEB = /[\p{L}\p{N}[][\p{L}\p{N}\p{M}\-._~:/?#[\]@!$&'()*+,;=%|]{0,2000}/uy;
/** Characters that end a sentence but not a URL. */
const SENTENCE_END = /[.,;:!?'*_~|]/;
const LOCAL = /[a-z\d.+_-]/i;
const MAX_LOCAL = 64;
const MAIL_HOST = /(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.){1,8}[a-z]{2,63}/iy;

/**
 * Turns web and email addresses in a text into links, and nothing else, in one pass: the patterns of linkify-it scan
 * the same characters many times.
 */
export function linkAddresses(linkify: Linkifier): void {
  linkify.test = (text) => text.includes('://') || text.includes('@');
  linkify.match = findLinks;
  linkify.matchAtStart = (text) => {
    const [scheme = ''] = /^https?:\/\//i.exec(text) ?? [];
    return scheme === '' ? null : findWebLink(text, 0, scheme.length);
  };
}

function findLinks(text: string): Link[] {
  const links: Link[] = [];
  let done = 0;
  for (const { 0: sign, index } of text.matchAll(CANDIDATE)) {
    if (index < done) continue;
    const link = sign === '@' ? findMailLink(text, index, done) : findWebLink(text, index, sign.length);
    if (!link) continue;
    links.push(link);
    done = link.lastIndex;
  }
  return links;
}

function findWebLink(text: string, index: number, schemeLength: number): Link | null {
  if (index > 0 && /[\p{L}\p{N}_]/u.test(text.charAt(index - 1))) return null;
  WEB.lastIndex = index + schemeLength;
  const address = WEB.exec(text)?.[0] ?? '';
  const [authority = ''] = address.split(/[/?#]/, 1);
  const length = lengthWithoutEnd(address);
  // A user name before the host is a way to mislead people about the destination.
  if (length === 0 || authority.includes('@')) return null;
  const url = text.slice(index, index + schemeLength + length);
  return makeLink(index, url, url, url.slice(0, schemeLength - '//'.length).toLowerCase());
}

/** The length of an address without characters of the surrounding sentence, such as an unmatched bracket. */
function lengthWithoutEnd(address: string): number {
  const surplus = { ')': count(address, ')') - count(address, '('), ']': count(address, ']') - count(address, '[') };
  let end = address.length;
  for (; end > 0; end--) {
    const last = address.charAt(end - 1);
    if (last === ')' || last === ']') {
      if (surplus[last]-- <= 0) break;
    } else if (!SENTENCE_END.test(last)) break;
  }
  return end;
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

/** The email address around an @; text before `from` belongs to another link. */
function findMailLink(text: string, at: number, from: number): Link | null {
  let start = at;
  const earliest = Math.max(from, at - MAX_LOCAL);
  while (start > earliest && LOCAL.test(text.charAt(start - 1))) start--;
  while (start < at && text.charAt(start) === '.') start++;
  MAIL_HOST.lastIndex = at + 1;
  const host = MAIL_HOST.exec(text)?.[0];
  // An @ within a URL is not an email address.
  if (start === at || !host || text.charAt(start - 1) === '/') return null;
  const address = `${text.slice(start, at)}@${host}`;
  return makeLink(start, address, `mailto:${address}`, 'mailto:');
}

function makeLink(index: number, text: string, url: string, schema: string): Link {
  return { index, lastIndex: index + text.length, raw: text, text, url, schema };
}
