import Markdown, { type MarkdownIt, type Token } from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { boundBlocks } from './markdown-blocks.ts';
import { linkAddresses } from './markdown-links.ts';
import { MAX_MENTIONS, renderMentions } from './mentions.ts';

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'strong', 'em', 's', 'blockquote', 'ul', 'ol', 'li', 'code', 'pre', 'hr', 'a'],
    ...['h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'span'],
  ],
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'], td: ['colspan'], span: ['class', 'data-user'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  transformTags: {
    // The page has its own h1 and h2.
    h1: 'h3',
    h2: 'h4',
    a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow ugc noopener' }),
  },
};

/** A text may become this many HTML elements, plus one for every few characters. */
const ELEMENTS = { always: 500, everyCharacters: 4 };

const markdown = makeMarkdown();

/**
 * A visitor's Markdown as HTML that is safe to show: no raw HTML, no scripts, no pictures, marked links; mentions get
 * their names by `nameMentions`. It is bounded
 * by construction: a text that would become more elements than its length allows is shown as it was typed.
 */
export function renderMarkdown(text: string): string {
  const tokens = parse(text);
  const most = ELEMENTS.always + text.length / ELEMENTS.everyCharacters;
  const html = countElements(tokens) > most ? asTyped(text) : markdown.renderer.render(tokens, markdown.options, {});
  return sanitizeHtml(html, allowed);
}

/** The plain text of Markdown, without markup, code blocks and tables: paragraphs, separated by line feeds. */
export function plainText(text: string): string {
  let tableDepth = 0;
  const paragraphs = parse(text).flatMap(({ type, nesting, children }) => {
    if (type.startsWith('table_')) tableDepth += nesting;
    return type === 'inline' && tableDepth === 0 ? textOf(children ?? []) : [];
  });
  return paragraphs.filter((paragraph) => paragraph.trim() !== '').join('\n');
}

/** The tokens of a text, with the room that it has for cells of tables and for mentions. */
function parse(text: string): Token[] {
  return markdown.parse(text, { cells: text.length, mentions: MAX_MENTIONS });
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ type, content }) => (/break$/.test(type) ? '\n' : content)).join('');
}

/** The Markdown of the pages: nothing expands to more than itself, and nesting is limited. */
function makeMarkdown(): MarkdownIt {
  const made = new Markdown({ html: false, linkify: true, breaks: true, typographer: false, maxNesting: 20 });
  // An external picture would reveal who reads the board; a reference repeats its definition.
  made.disable(['image', 'reference']);
  boundBlocks(made.block);
  linkAddresses(made.linkify);
  renderMentions(made);
  return made;
}

/** The number of elements that tokens become; text is not counted. */
function countElements(tokens: readonly Token[]): number {
  let count = 0;
  for (const { type, nesting, children } of tokens) {
    if (nesting >= 0 && type !== 'text' && type !== 'inline') count++;
    // Code is two: <pre> and <code>.
    if (type === 'fence' || type === 'code_block') count++;
    if (children) count += countElements(children);
  }
  return count;
}

function asTyped(text: string): string {
  return `<pre>${markdown.utils.escapeHtml(text)}</pre>`;
}
