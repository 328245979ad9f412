/** A link of Markdown. */
const LINK = /\[((?:\\.|[^\\[\]\n])+)\]\((https?:\/\/[^\s()<>]+)\)/g;

/**
 * A text as Jira keeps it: paragraphs of text, which are literal, so that nothing in them is a command or a mention.
 * Of Markdown, only links are more than text. https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/
 */
export function documentOf(text: string) {
  const paragraphs = text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '');
  return { version: 1, type: 'doc', content: paragraphs.map(viewParagraph) };
}

function viewParagraph(text: string) {
  const lines = text.trim().split('\n').map(viewLine);
  const content = lines.flatMap((line, n) => (n === 0 ? line : [{ type: 'hardBreak' }, ...line]));
  return { type: 'paragraph', content };
}

function viewLine(line: string) {
  const parts: object[] = [];
  let end = 0;
  for (const { 0: found, 1: label = '', 2: address = '', index } of line.matchAll(LINK)) {
    const href = URL.parse(address)?.href;
    if (!href) continue;
    parts.push(...plain(line.slice(end, index)));
    parts.push({ type: 'text', text: unescaped(label), marks: [{ type: 'link', attrs: { href } }] });
    end = index + found.length;
  }
  return [...parts, ...plain(line.slice(end))];
}

/** An empty text is not allowed there. */
const plain = (text: string) => (text === '' ? [] : [{ type: 'text', text }]);

const unescaped = (label: string) => label.replace(/\\([\\[\]`*_<>])/g, '$1');
