import type { FastifyReply, FastifyRequest } from 'fastify';
import { makeToken } from '../../platform/lib/ids.ts';
import { type Entry, findEntry } from './assets.ts';

/** A page that is one tool: its name, the source of its script, and its text without JavaScript. */
type ToolPage = { title: string; source: string; withoutScript: string };

type SendPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/**
 * Makes the function that sends a tool's page; `prefix` is the path under which the server is reached, '' for the
 * root.
 */
export function makeToolPage(page: ToolPage, prefix: string): SendPage {
  const entry = findEntry(page.source);
  return (request, reply) => {
    if (!entry)
      return sendNotice(
        reply,
        503,
        page.title,
        'This page has not been built yet: run <code>npm run build:tools</code>.',
      );
    const nonce = makeToken(16);
    return sendHtml(reply, 200, nonce, renderTool(page, entry, { prefix, nonce, theme: themeOf(request) }));
  };
}

/** Sends a page that shows only a message; `html` is markup. */
export function sendNotice(reply: FastifyReply, status: number, title: string, html: string): FastifyReply {
  const body = `<main style="font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem">
<h1>${title}</h1>
<p>${html}</p>
</main>`;
  return sendHtml(reply, status, makeToken(16), renderPage({ title, head: '', body, theme: '' }));
}

/** The theme chosen on the other pages, '' for the system's. */
function themeOf({ headers }: FastifyRequest): string {
  return /(?:^|; *)theme=(light|dark)(?:;|$)/.exec(headers.cookie ?? '')?.[1] ?? '';
}

type Answer = { prefix: string; nonce: string; theme: string };

function renderTool({ title, withoutScript }: ToolPage, entry: Entry, { prefix, nonce, theme }: Answer): string {
  const at = (file: string) => `${prefix}/tools/${file}`;
  const [script = '', ...imports] = entry.scripts;
  const head = [
    ...entry.styles.map((file) => `<link rel="stylesheet" href="${at(file)}">`),
    ...imports.map((file) => `<link rel="modulepreload" href="${at(file)}" nonce="${nonce}">`),
    `<script type="module" src="${at(script)}" nonce="${nonce}"></script>`,
  ];
  const body = `<div id="tool" data-prefix="${prefix}"></div>\n<noscript><p>${withoutScript}</p></noscript>`;
  return renderPage({ title, head: head.join('\n'), body, theme });
}

/** The empty icon keeps browsers from requesting one that does not exist. */
function renderPage({
  title,
  head,
  body,
  theme,
}: {
  title: string;
  head: string;
  body: string;
  theme: string;
}): string {
  return `<!doctype html>
<html lang="en"${theme && ` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Earshot</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

/** Monaco and GraphiQL write styles as they run, so these pages allow them; scripts come from here only. */
function sendHtml(reply: FastifyReply, status: number, nonce: string, html: string): FastifyReply {
  const policy = [
    `default-src 'none'`,
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'unsafe-inline'`,
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' data: blob:`,
    `font-src 'self' data:`,
    `connect-src 'self'`,
    `worker-src 'self' blob:`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ];
  return reply
    .code(status)
    .header('content-security-policy', policy.join('; '))
    .header('x-frame-options', 'DENY')
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html);
}
