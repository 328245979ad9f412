import TurndownService from 'turndown';

/** An element of HTML that text in other forms hardly has by chance. */
const ELEMENT = /<\/(?:p|div|h[1-6]|ul|ol|li|blockquote|table|b|strong|em|i|a|span|u|figure)>|<(?:p|br|div)\s*\/?>/i;
/** What only HTML has in a line of text. */
const MARKUP = /<\/?[a-z][^<>]*>|&(?:amp|lt|gt|quot|nbsp|#\d{1,6}|#x[0-9a-f]{1,5});/i;
/** Elements within one another that are converted; deeper ones are left as they are. */
const MAX_DEPTH = 100;
/** Characters that are converted, half a second's work at worst: a description of 20,000 has far fewer. */
const MAX_HTML = 50_000;

/** Whether a text looks like HTML. */
export function looksLikeHtml(text: string): boolean {
  return ELEMENT.test(text);
}

/** HTML as Markdown; a text that is very long, or nested very deeply, stays as it is. */
export function markdownOf(html: string): string {
  if (isTooMuch(html)) return html;
  return converter().turndown(html).trim();
}

/** A line of HTML as plain text. */
export function plainOf(html: string): string {
  if (!MARKUP.test(html) || isTooMuch(html)) return html;
  return plain().turndown(html).replace(/\s+/g, ' ').trim();
}

function isTooMuch(html: string): boolean {
  let depth = 0;
  for (const [, end] of html.slice(0, MAX_HTML).matchAll(/<(\/?)[a-z]/gi)) {
    depth = Math.max(depth + (end ? -1 : 1), 0);
    if (depth > MAX_DEPTH) return true;
  }
  return html.length > MAX_HTML;
}

/** Elements whose content is no text. */
const HIDDEN = ['script', 'style', 'title', 'iframe', 'noscript'] satisfies TurndownService.TagName[];

let toMarkdown: TurndownService | undefined;
let toPlain: TurndownService | undefined;

function converter(): TurndownService {
  toMarkdown ??= new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  }).remove(HIDDEN);
  return toMarkdown;
}

/** Text as it is, without what would be Markdown. */
function plain(): TurndownService {
  if (!toPlain) {
    toPlain = new TurndownService().remove(HIDDEN);
    toPlain.escape = (text) => text;
    toPlain.addRule('plain', { filter: () => true, replacement: (content) => content });
  }
  return toPlain;
}

/** In this order: what begins a line of a list is no longer to be taken for a heading in Markdown. */
const WIKI: [form: RegExp, markdown: string | ((...found: string[]) => string)][] = [
  [/\{\{([^{}\n]{1,200})\}\}/g, '`$1`'],
  [/\{code(?::([\w#+-]{1,20}))?[^{}\n]{0,100}\}/g, (_, language = '') => `\n\`\`\`${language}\n`],
  [/\{noformat\}/g, '\n```\n'],
  [/^(\*{1,6})[ \t]+/gm, (_, marks = '*') => `${'  '.repeat(marks.length - 1)}- `],
  [/^(#{1,6})[ \t]+(?=\S)/gm, (_, marks = '#') => `${'   '.repeat(marks.length - 1)}1. `],
  [/^h([1-6])\.[ \t]+/gm, (_, level = '1') => `${'#'.repeat(Number(level))} `],
  [/^bq\.[ \t]+/gm, '> '],
  [/\[([^[\]|\n]{1,300})\|([^[\]|\s]{1,2000})\]/g, '[$1]($2)'],
  [/\[(https?:\/\/[^[\]|\s]{1,2000})\]/g, '<$1>'],
  [/(^|[\s(])\*([^*\s](?:[^*\n]{0,300}[^*\s])?)\*(?=$|[\s).,;:!?])/gm, '$1**$2**'],
];

/**
 * The markup of Jira's descriptions and comments as Markdown: headings, lists, code, quotations, links, bold text. Source:
 * https://jira.atlassian.com/secure/WikiRendererHelpAction.jspa?section=all
 */
export function fromJira(text: string): string {
  return WIKI.reduce((done, [form, markdown]) => done.replace(form, markdown as string), text);
}
