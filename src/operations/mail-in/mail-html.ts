import TurndownService from 'turndown';

/** Where the text of another mail begins. */
export const CUT = '\ue002';
/** A picture that the mail contains, by its content id. */
export const PICTURE = /\ue003([^\ue003\s]{1,200})\ue003/g;

/** Characters of HTML that are converted, and elements within one another. */
const MAX_HTML = 400_000;
const MAX_DEPTH = 100;

/**
 * The HTML of a mail as Markdown, with marks where a quoted mail begins and where its own pictures are. Pictures from
 * elsewhere are left out: loading them would report who reads.
 * @throws for HTML that is too long or nested too deeply
 */
export function markdownOfMail(html: string, { keepsQuotes }: { keepsQuotes: boolean }): string {
  if (html.length > MAX_HTML || isDeep(html)) throw new Error('Too much HTML');
  return (keepsQuotes ? whole() : own()).turndown(html.replace(/[\ue000-\ue003]/g, ''));
}

/** The text of HTML that is too much to be converted: all that stands between tags. */
export function textOfHtml(html: string): string {
  const marks: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };
  return html
    .slice(0, MAX_HTML)
    .replace(/<(style|script|title)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<(br|\/p|\/div|\/tr|\/li)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/gi, (_, name: string) => marks[name.toLowerCase()] ?? '');
}

function isDeep(html: string): boolean {
  let depth = 0;
  for (const [tag, end] of html.matchAll(/<(\/?)[a-z][^<>]*>/gi)) {
    if (/^<(br|img|hr|meta|link|input|col|wbr|o:p|p|li|td|tr)\b/i.test(tag)) continue;
    depth = Math.max(depth + (end || tag.endsWith('/>') ? -1 : 1), 0);
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

let wholeMail: TurndownService | undefined;
let ownText: TurndownService | undefined;

function whole(): TurndownService {
  wholeMail ??= makeConverter();
  return wholeMail;
}

function own(): TurndownService {
  if (!ownText) {
    ownText = makeConverter();
    ownText.addRule('quotes', { filter: isQuote, replacement: () => '\n\n' });
    ownText.addRule('rest', { filter: isHeadOfQuote, replacement: () => `\n\n${CUT}` });
  }
  return ownText;
}

function makeConverter(): TurndownService {
  const converter = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  }).remove([
    'script',
    'style',
    'title',
    'iframe',
    'noscript',
    'object',
    'embed',
    'form',
    'button',
    'textarea',
    'select',
  ]);
  converter.addRule('hidden', { filter: isHidden, replacement: () => '' });
  converter.addRule('pictures', {
    filter: 'img',
    replacement: (_, node) => {
      const id = /^cid:([^\s<>]{1,200})$/i.exec((node as Element).getAttribute('src') ?? '')?.[1];
      return id ? `\ue003${id}\ue003` : '';
    },
  });
  converter.addRule('links', {
    filter: (node) => node.nodeName === 'A',
    replacement: (content, node) => {
      const url = (node as Element).getAttribute('href')?.trim() ?? '';
      const text = content.trim();
      if (text === '' || !/^(https?:\/\/|mailto:)[^\s()<>]+$/i.test(url)) return content;
      return text === url || url === `mailto:${text}` ? text : `[${text}](${url})`;
    },
  });
  return converter;
}

/** What only the list of a mail program shows, or no one. */
function isHidden(node: HTMLElement): boolean {
  const style = (node.getAttribute('style') ?? '').replace(/\s+/g, '');
  return (
    node.getAttribute('hidden') !== null ||
    /display:none|visibility:hidden|mso-hide:all|font-size:0(px)?(;|$)/i.test(style)
  );
}

/** What mail programs put around quotes and signatures, which neither is written by the sender. */
const QUOTES = [
  /\bgmail_(quote|extra|attr|signature)\b/,
  /\b(moz-cite-prefix|moz-signature|yahoo_quoted|protonmail_quote|protonmail_signature_block|zmail_extra|tutanota_quote)\b/,
  /\b(yahoo-signature|ydp\w*yahoo_quoted|wacImageContainerQuote)\b/,
];
const IDS =
  /^(x_)?(signature|ms-outlook-mobile-signature|yahoo_quoted_\d+|applemailsignature|lineBreakAtBeginningOfSignature)$/i;
/** Headers of quotes in Outlook, behind which all is quoted. */
const HEADS = /^(x_)?(divRplyFwdMsg|appendonsend|mail-editor-reference-message-container)$/i;
/** A line above the headers of a quote, in Outlook for Windows and for Mac. */
const LINE = /border:\s*none;\s*border-top:\s*solid\s+#?(e1e1e1|b5c4df)\b/i;

function isQuote(node: HTMLElement): boolean {
  const name = node.getAttribute('class') ?? '';
  if (node.nodeName === 'BLOCKQUOTE' && node.getAttribute('type') === 'cite') return true;
  return QUOTES.some((form) => form.test(name)) || IDS.test(node.getAttribute('id') ?? '');
}

function isHeadOfQuote(node: HTMLElement): boolean {
  return HEADS.test(node.getAttribute('id') ?? '') || LINE.test(node.getAttribute('style') ?? '');
}
