import { text } from 'node:stream/consumers';
import { renderToString } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { renderInTurn } from '#src/pages/rendering.ts';
import { addTexts, type MakeTexts } from './i18n/texts.ts';
import { STORAGE_GUARD } from './lib/browser-storage.ts';
import { PrefixContext } from './lib/prefix.ts';
import { visitContext } from './lib/visit.ts';

const compiled = import.meta.glob<MakeTexts>('./i18n/compiled/*.js', { import: 'default', eager: true });
for (const [file, make] of Object.entries(compiled)) addTexts(file.replace(/^.*\/|\.js$/g, ''), make);

/** Where `Layout` has written the language of a page. */
const LANGUAGE = / lang="([\w-]+)"/;

/** Renders a page to HTML. It is sent whole: nothing on these pages is worth showing before the rest. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { nonce, prefix, isStatic, readStyles } = loadContext.get(visitContext);
  headers.set('content-type', 'text/html; charset=utf-8');
  const files = stylesOf(routerContext);
  const styles = readStyles(files);
  // Announced here, they are requested first: a browser has six connections to a server without HTTP/2, and the scripts,
  // which come before them in the page, would take all of them for a round trip.
  if (styles === null) for (const file of files) headers.append('link', `<${file}>; rel=preload; as=style`);
  if (request.method === 'HEAD') return Promise.resolve(new Response(null, { status, headers }));
  const render = async () => {
    const context = { ...routerContext, ...(await readData(routerContext)), manifest: matchedOf(routerContext) };
    const router = <ServerRouter context={context} url={request.url} nonce={nonce} />;
    const page = `<!DOCTYPE html>${renderToString(<PrefixContext value={prefix}>{router}</PrefixContext>)}`;
    headers.set('content-language', LANGUAGE.exec(page)?.[1] ?? 'en');
    const styled = styles === null ? page : withStyles(page, styles, files, nonce);
    const whole = isStatic
      ? styled
      : styled.replace('</head>', `<script nonce="${nonce}">${STORAGE_GUARD}</script></head>`);
    // As bytes, because a response would check a text for lone surrogates first.
    return new Response(Buffer.from(whole), { status, headers });
  };
  return renderInTurn(() => (request.signal.aborted ? gone() : render()));
}

/**
 * What loaders have returned, in the form in which `StreamTransfer` of React Router 8 keeps what it has read of the stream.
 * It is there already, so no part of a page waits for anything, and a page is one text: as a stream it took a tenth
 * longer. If the form changes, rendering fails, and with it every test of a page.
 */
async function readData({ serverHandoffStream: stream }: EntryContext): Promise<Pick<EntryContext, 'renderMeta'>> {
  if (!stream) return {};
  const read = (value: string, done: boolean) => Object.assign(Promise.resolve(), { result: { value, done } });
  return { renderMeta: { streamCache: { 0: read(await text(stream), false), 1: read('', true) } } };
}

/** What is known of the routes of a page alone: the router would build those of all pages for each page that it renders. */
function matchedOf({ manifest, staticHandlerContext }: EntryContext): EntryContext['manifest'] {
  const ids = staticHandlerContext.matches.map(({ route }) => route.id);
  return { ...manifest, routes: Object.fromEntries(ids.map((id) => [id, manifest.routes[id]])) };
}

/** A client that has disconnected while waiting for its turn gets no page. */
function gone(): Response {
  return new Response(null, { status: 499 });
}

/** The files with the styles of a page. */
function stylesOf({ manifest, staticHandlerContext }: EntryContext): string[] {
  const files = staticHandlerContext.matches.flatMap(({ route }) => manifest.routes[route.id]?.css ?? []);
  return [...new Set(files)];
}

/**
 * Puts styles into a page, which saves a visitor who has no file of ours a round trip. The links to them stay, because
 * React expects them: with this `media`, browsers load them after everything else, for the pages to come.
 */
function withStyles(page: string, styles: string, files: readonly string[], nonce: string): string {
  const end = page.indexOf('</head>');
  const head = files.reduce(
    (html, file) => html.replace(`href="${file}"`, `href="${file}" media="not all"`),
    page.slice(0, end),
  );
  return `${head}<style nonce="${nonce}">${styles}</style>${page.slice(end)}`;
}

/** Internal errors are logged under the id that the error page shows; visitors' mistakes are not. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  context.get(visitContext).logFault(error);
};
