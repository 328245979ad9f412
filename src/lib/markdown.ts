import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, typographer: false });
// A picture from elsewhere would tell that place who reads the board.
markdown.disable('image');

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'strong', 'em', 's', 'blockquote', 'ul', 'ol', 'li', 'code', 'pre', 'hr', 'a'],
    ...['h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  transformTags: {
    // The page has its own h1 and h2.
    h1: 'h3',
    h2: 'h4',
    a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow ugc noopener' }),
  },
};

/** Markdown of a visitor as HTML that is safe to show: no HTML of theirs, no scripts, no pictures, marked links. */
export function renderMarkdown(text: string): string {
  return sanitizeHtml(markdown.render(text), allowed);
}
