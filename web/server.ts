import { AsyncLocalStorage } from 'node:async_hooks';
import * as build from 'virtual:react-router/server-build';
import {
  type ActionFunction,
  createRequestHandler,
  data,
  type HeadersArgs,
  type LoaderFunction,
  type LoaderFunctionArgs,
  type RequestHandler,
  RouterContextProvider,
  redirect,
  type ServerBuild,
} from 'react-router';
import { filesBelow } from '#src/pages/assets.ts';
import { EMBED, isEmbeddable } from '#src/pages/embeddable.ts';
import type { Respond } from '#src/pages/pages.ts';
import type { Visit } from '#src/pages/visit.ts';
import { translate } from '#src/platform/catalogues.ts';
import type { MessagePart } from '#src/platform/messages.ts';
import { parseLocale } from './i18n/format.ts';
import * as m from './i18n/messages.ts';
import { localize, setTranslate } from './lib/localize.ts';
import { pidOf } from './lib/next.ts';
import { visitContext } from './lib/visit.ts';
import { isStoreUnavailable } from './parts/requests/failure.ts';
import { answerForm, readForm } from './parts/requests/forms.ts';

const mode = import.meta.env.PROD ? 'production' : 'development';
const watched = { ...build, routes: watchRoutes(build.routes) };
/** What handles requests, by what the addresses of pages begin with: those for the widget begin differently. */
const handlers = new Map<string, RequestHandler>();
const visits = new AsyncLocalStorage<Visit>();

setTranslate((parts, text) => {
  const visit = visits.getStore();
  if (!visit) return text;
  const locale = parseLocale(visit.language());
  return translate(locale, m.direction(locale) === 'rtl' ? isolate(parts) : parts);
});

/** Values such as addresses keep their own direction within texts from right to left. */
function isolate(parts: readonly MessagePart[]): MessagePart[] {
  return parts.map(([template, ...values]) => [
    template,
    ...values.map((value) => {
      if (typeof value === 'object') return { parts: isolate(value.parts) };
      return typeof value === 'string' ? `\u2068${value}\u2069` : value;
    }),
  ]);
}

/** Responds to one page request; `visit` is what the server lends to it. */
export const respond: Respond = (request, visit) => {
  const context = new RouterContextProvider();
  context.set(visitContext, visit);
  return visits.run(visit, () => handlerOf(visit)(request, context));
};

function handlerOf(visit: Visit): RequestHandler {
  const base = baseOf(visit);
  const made = handlers.get(base);
  if (made) return made;
  const below = visit.prefix === '' ? {} : { assets: assetsBelow(visit.prefix) };
  // With the slash, the first page and its data are below the prefix, too: `/feedback/_.data`, not `/feedback.data`.
  const basename = visit.embed ? base : `${base}/`;
  const handler = createRequestHandler({ ...watched, ...below, basename }, mode);
  handlers.set(base, handler);
  return handler;
}

/** What the addresses of a visit's pages begin with. */
function baseOf({ prefix, embed }: Pick<Visit, 'prefix' | 'embed'>): string {
  return embed ? prefix + EMBED : prefix;
}

/** The built files that pages load, by their addresses below a prefix. */
function assetsBelow(prefix: string): ServerBuild['assets'] {
  return JSON.parse(filesBelow(prefix, JSON.stringify(build.assets)));
}

/**
 * The routes. If the store is unavailable they report it, and a form comes back with what was typed; the response
 * headers say when to retry.
 */
function watchRoutes(routes: ServerBuild['routes']): ServerBuild['routes'] {
  const entries = Object.entries(routes).flatMap(([id, route]) => {
    if (!route) return [];
    const { loader, action } = route.module;
    const watched = { ...(loader && { loader: watchLoader(loader) }), ...(action && { action: watchAction(action) }) };
    return [[id, { ...route, module: { ...route.module, ...watched, headers: headersOf } }] as const];
  });
  return Object.fromEntries(entries);
}

/** The headers of loaders and actions that a page keeps. */
function headersOf({ errorHeaders, actionHeaders, loaderHeaders, parentHeaders }: HeadersArgs): Record<string, string> {
  const all = [errorHeaders, actionHeaders, loaderHeaders, parentHeaders];
  const retryAfter = all.map((headers) => headers?.get('retry-after')).find((value) => value != null);
  return retryAfter == null ? {} : { 'retry-after': retryAfter };
}

function watchLoader(load: LoaderFunction): LoaderFunction {
  return async (sent) => {
    const args = withOwnAddress(sent);
    try {
      return await load(args);
    } catch (error) {
      throw new Response(unavailableMessage(error, args), { status: 503 });
    }
  };
}

function watchAction(act: ActionFunction): ActionFunction {
  return async (sent) => {
    const args = withOwnAddress(sent);
    const form = args.request.clone();
    try {
      return await act(args);
    } catch (error) {
      return data(answerForm(await readForm(form), unavailableMessage(error, args)), { status: 503 });
    }
  };
}

/** What a loader or an action gets, with the page's own address. A page that the widget does not show is left to a window. */
function withOwnAddress<Args extends LoaderFunctionArgs>(args: Args): Args {
  const visit = args.context.get(visitContext);
  const base = baseOf(visit);
  if (base === '') return args;
  const url = new URL(args.url);
  url.pathname = url.pathname.slice(base.length) || '/';
  if (visit.embed && !isEmbeddable(url.pathname)) throw leaveFrame(url);
  return { ...args, url };
}

/** Redirects a frame to the page that opens another in a window. */
function leaveFrame({ pathname, search, searchParams }: URL): Response {
  const pid = pidOf(pathname) ?? pidOf(searchParams.get('next'));
  if (pid === null) return new Response(null, { status: 404 });
  return redirect(`/b/${pid}/elsewhere?to=${encodeURIComponent(pathname + search)}`);
}

/** The message for visitors while the store is unavailable. @throws every other error */
function unavailableMessage(error: unknown, { context }: Pick<LoaderFunctionArgs, 'context'>): string {
  if (!isStoreUnavailable(error)) throw error;
  context.get(visitContext).logFault(error);
  return localize(error.visitorMessage.text, error.visitorMessage);
}
