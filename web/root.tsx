import '@fontsource-variable/figtree/wght.css';
import './parts/styles/base.css';
import './parts/styles/tokens.css';
import './parts/styles/chips.css';
import './parts/styles/parts.css';
import './parts/styles/buttons.css';
import './parts/styles/fields.css';
import './parts/styles/code-field.css';
import './parts/styles/people.css';
import './parts/styles/floating.css';
import './parts/styles/media.css';
import font from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url';
import { lazy, type ReactNode, Suspense } from 'react';
import {
  isRouteErrorResponse,
  Links,
  type LoaderFunctionArgs,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from 'react-router';
import type { Locale } from './i18n/languages.ts';
import * as m from './i18n/messages.ts';
import { isOfTeam } from './i18n/team.ts';
import { addressOf } from './i18n/texts.ts';
import { usePrefix } from './lib/prefix.ts';
import { visitContext } from './lib/visit.ts';
import { SiteFrame } from './parts/frame/header.tsx';
import { PageHead } from './parts/frame/page-head.tsx';
import { Pending } from './parts/frame/pending.tsx';
import { SessionEnded } from './parts/frame/session-ended.tsx';
import { Toast } from './parts/frame/toast.tsx';
import type { Frame } from './parts/requests/frame.ts';
import { FrameContext, LocaleContext, useFrame, useLocale } from './parts/requests/locale.ts';
import { stayIfUnanswered } from './parts/requests/not-saved.ts';
import { viewRoot } from './parts/requests/root-view.ts';
import { Icon } from './parts/show/icon.tsx';

/** In browsers, only the widget loads it. */
const EmbedBridge = import.meta.env.SSR
  ? (await import('./embed/bridge.tsx')).EmbedBridge
  : lazy(async () => ({ default: (await import('./embed/bridge.tsx')).EmbedBridge }));
/** In browsers, loaded only when it is shown; from a server with another version, with its page. */
const Refused = import.meta.env.SSR
  ? (await import('./parts/frame/refused.tsx')).Refused
  : lazy(() =>
      import('./parts/frame/refused.tsx').then(
        ({ Refused }) => ({ default: Refused }),
        () => new Promise<never>(() => location.reload()),
      ),
    );

export function loader({ request, url, context }: LoaderFunctionArgs) {
  return viewRoot(request, url, context.get(visitContext));
}

export const clientMiddleware = [stayIfUnanswered];

/** The texts that the page is written with. */
function useTextNames(locale: Locale): string[] {
  const isForTeam = useMatches().some(({ id }) => isOfTeam(id));
  return isForTeam ? [`${locale}.pages`, `${locale}.settings`] : [`${locale}.pages`];
}

/** The frame of the page's board, or the one that its loader gives or throws as `frame`. */
function useFrameOfPage(): Frame | null {
  const ofBoard = useRouteLoaderData<Frame>('board');
  const given = useMatches().map(({ loaderData }) => loaderData);
  const error = useRouteError();
  const [found] = [...given, isRouteErrorResponse(error) && error.data].flatMap((of) => of?.frame ?? []);
  return ofBoard ?? found ?? null;
}

/** The document around every page, those of errors included. */
export function Layout({ children }: { children: ReactNode }) {
  const prefix = usePrefix();
  const root = useRouteLoaderData<typeof loader>('root');
  const frame = useFrameOfPage();
  // A board's pages are in the language that the viewer has chosen, or the board's; the others in that of the browser.
  const locale = frame?.locale ?? root?.locale ?? 'en';
  const board = frame?.board;
  const isStatic = frame?.isStatic ?? false;
  const texts = useTextNames(locale);
  const icon = board?.icon;
  return (
    <html
      lang={locale}
      dir={m.direction(locale)}
      data-theme={root?.theme ?? undefined}
      data-prefix={prefix || undefined}
      style={board?.brand ?? undefined}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <link rel="preload" href={prefix + font} as="font" type="font/woff2" crossOrigin="anonymous" />
        {icon ? (
          <link rel="icon" href={prefix + icon} />
        ) : (
          <link rel="icon" href={`${prefix}/icon.svg`} type="image/svg+xml" />
        )}
        <link rel="apple-touch-icon" href={`${prefix}/apple-touch-icon.png`} />
        <PageHead />
        <Meta />
        <Links />
        {!isStatic &&
          texts.map((name) => (
            <link key={name} rel="modulepreload" href={prefix + addressOf(name)} data-texts={name} />
          ))}
      </head>
      <body>
        <LocaleContext value={locale}>
          <FrameContext value={frame}>
            <a className="skip" href="#main">
              {m.skipToContent(locale)}
            </a>
            {children}
            {root?.frameOrigins && (
              <Suspense>
                <EmbedBridge origins={root.frameOrigins} />
              </Suspense>
            )}
          </FrameContext>
        </LocaleContext>
        {!isStatic && (
          <>
            <ScrollRestoration />
            <Scripts />
          </>
        )}
      </body>
    </html>
  );
}

export default function Root() {
  return (
    <>
      <Outlet />
      <Toast />
      <Pending />
    </>
  );
}

/** What is shown instead of a page: that it is not found or not allowed, or an internal error with an id for support. */
export function ErrorBoundary() {
  const frame = useFrame();
  const page = <Fault error={useRouteError()} frame={frame} />;
  return frame ? <SiteFrame {...frame}>{page}</SiteFrame> : page;
}

function Fault({ error, frame }: { error: unknown; frame: Frame | null }) {
  const prefix = usePrefix();
  const l = useLocale();
  const root = useRouteLoaderData<typeof loader>('root');
  const status = isRouteErrorResponse(error) ? error.status : 500;
  if (isRouteErrorResponse(error) && status === 401) return <SessionEnded form={error.data} />;
  if (isRouteErrorResponse(error) && (status === 403 || status === 404)) {
    return (
      <Suspense>
        <Refused error={error} frame={frame} />
      </Suspense>
    );
  }
  const { title, help } = describeFault(status, l);
  return (
    <main id="main" className="page-narrow fault">
      <title>{frame ? `${title} · ${frame.board.name}` : title}</title>
      <h1>{title}</h1>
      <p className="muted">{help}</p>
      {status === 500 && root && (
        <p className="muted small">
          {m.requestId(l)} <code>{root.requestId}</code>
        </p>
      )}
      <p>
        <a className="button" href={prefix + (frame ? `/b/${frame.board.pid}` : '/')}>
          <Icon name="arrow-left" flips />
          {m.toTheBoard(l)}
        </a>
      </p>
    </main>
  );
}

function describeFault(status: number, l: Locale): { title: string; help: string } {
  switch (status) {
    case 400:
    case 405:
      return { title: m.badRequestTitle(l), help: m.badRequestHelp(l) };
    case 429:
      return { title: m.tooManyTitle(l), help: m.tooManyHelp(l) };
    case 503:
      return { title: m.unavailableTitle(l), help: m.unavailableHelp(l) };
    default:
      return { title: m.faultTitle(l), help: m.faultHelp(l) };
  }
}
