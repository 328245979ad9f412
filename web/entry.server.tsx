import { PassThrough } from 'node:stream';
import { createReadableStreamFromReadable } from '@react-router/node';
import { renderToPipeableStream } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { renderInTurn } from '#src/pages/rendering.ts';
import { addTexts, type MakeTexts } from './i18n/texts.ts';
import { visitContext } from './lib/visit.ts';

const compiled = import.meta.glob<MakeTexts>('./i18n/compiled/*.js', { import: 'default', eager: true });
for (const [file, make] of Object.entries(compiled)) addTexts(file.replace(/^.*\/|\.js$/g, ''), make);

/** Renders a page to HTML. It is sent whole: nothing on these pages is worth showing before the rest. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { nonce } = loadContext.get(visitContext);
  headers.set('content-type', 'text/html; charset=utf-8');
  for (const file of stylesOf(routerContext)) headers.append('link', `<${file}>; rel=preload; as=style`);
  if (request.method === 'HEAD') return Promise.resolve(new Response(null, { status, headers }));
  const render = () =>
    new Promise<Response>((resolve, reject) => {
      const { pipe } = renderToPipeableStream(
        <ServerRouter context={routerContext} url={request.url} nonce={nonce} />,
        {
          nonce,
          onAllReady() {
            const body = new PassThrough();
            resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
            pipe(body);
          },
          onShellError: reject,
        },
      );
    });
  return renderInTurn(() => (request.signal.aborted ? gone() : render()));
}

/** A client that has disconnected while waiting for its turn gets no page. */
function gone(): Response {
  return new Response(null, { status: 499 });
}

/**
 * The styles of a page. Announced in the response headers, they are requested first: a browser has six connections to a
 * server without HTTP/2, and the scripts, which come before them in the page, would take all of them for a round trip.
 */
function stylesOf({ manifest, staticHandlerContext }: EntryContext): string[] {
  const files = staticHandlerContext.matches.flatMap(({ route }) => manifest.routes[route.id]?.css ?? []);
  return [...new Set(files)];
}

/** Internal errors are logged under the id that the error page shows; visitors' mistakes are not. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  context.get(visitContext).logFault(error);
};
