import './frame.css';
import './foot.css';
import './heads.css';
import { lazy, type ReactNode, Suspense } from 'react';
import { Form, Link, NavLink, useLocation, useRouteLoaderData, useSearchParams } from 'react-router';
import type { Locale } from '../../i18n/languages.ts';
import * as m from '../../i18n/messages.ts';
import type { IconName } from '../../icons/compile.ts';
import { withNext } from '../../lib/next.ts';
import { usePrefix } from '../../lib/prefix.ts';
import type { Frame } from '../requests/frame.ts';
import { type BoardView, useIsEmbedded, useIsStatic, useLocale, type VisitorView } from '../requests/locale.ts';
import type { viewRoot } from '../requests/root-view.ts';
import { Avatar } from '../show/avatar.tsx';
import { Icon } from '../show/icon.tsx';
import { Menu } from '../show/menu.tsx';
import { LanguageChoice } from './language-choice.tsx';
import { keptInSearch, NEW_IDEA, parseAsked } from './list-query.ts';
import { OutboxPlace } from './outbox-place.tsx';
import { useSearchWhileTyping } from './search.ts';
import { Shortcuts } from './shortcuts.tsx';

/** In browsers, only the widget loads it. */
const EmbedFrame = import.meta.env.SSR
  ? (await import('./embed-frame.tsx')).EmbedFrame
  : lazy(async () => ({ default: (await import('./embed-frame.tsx')).EmbedFrame }));
/** In browsers, only the team loads it. */
const Palette = import.meta.env.SSR
  ? (await import('../team/palette.tsx')).Palette
  : lazy(async () => ({ default: (await import('../team/palette.tsx')).Palette }));

type SiteFrameProps = Pick<Frame, 'board' | 'visitor'> & {
  /** Whether this is a sign-in page, which needs no link to itself. */
  isSigningIn?: boolean;
  children: ReactNode;
};

/** The frame of a board's pages: header, footer, and on phones a bar at the bottom. */
export function SiteFrame({ board, visitor, isSigningIn = false, children }: SiteFrameProps) {
  const l = useLocale();
  const pages = pagesOf(l, board, visitor);
  const isStatic = useIsStatic();
  if (useIsEmbedded()) {
    return (
      <Suspense>
        <EmbedFrame board={board} visitor={visitor}>
          {children}
        </EmbedFrame>
      </Suspense>
    );
  }
  return (
    <>
      <Header board={board} visitor={visitor} pages={pages} isSigningIn={isSigningIn} />
      {!isStatic && <OutboxPlace pid={board.pid} visitor={visitor?.id ?? null} />}
      {children}
      <footer className="site-footer">
        <div>
          <p>{m.runsOnEarshot(l, { board: board.name })}</p>
          {!isStatic && <Shortcuts />}
          {!visitor && !isStatic && <LanguageChoice />}
          {!visitor && !isStatic && <ThemeChoice />}
        </div>
      </footer>
      <BottomBar board={board} visitor={visitor} pages={pages} />
      {visitor?.isModerator && (
        <Suspense>
          <Palette />
        </Suspense>
      )}
    </>
  );
}

/** A page of the board in its navigation. */
type PageLink = { path: string; words: string; icon: IconName; count?: number };

/** The pages in the navigation, in their order. */
export function pagesOf(l: Locale, { pid, hasRoadmap, hasChangelog }: BoardView, visitor: VisitorView): PageLink[] {
  const home = `/b/${pid}`;
  return [
    { path: home, words: m.ideas(l), icon: 'lightbulb' },
    ...(hasRoadmap ? [{ path: `${home}/roadmap`, words: m.roadmap(l), icon: 'map' } as const] : []),
    ...(hasChangelog || visitor?.isModerator
      ? [{ path: `${home}/changelog`, words: m.changelog(l), icon: 'megaphone' } as const]
      : []),
    ...(visitor?.isModerator
      ? [{ path: `${home}/triage`, words: m.triage(l), icon: 'inbox', count: visitor.waiting } as const]
      : []),
  ];
}

type HeaderProps = { board: BoardView; visitor: VisitorView; pages: readonly PageLink[]; isSigningIn: boolean };

function Header({ board, visitor, pages, isSigningIn }: HeaderProps) {
  const prefix = usePrefix();
  const l = useLocale();
  const { pathname, search } = useLocation();
  const isStatic = useIsStatic();
  const home = `/b/${board.pid}`;
  return (
    <header className="site-header">
      <div className="site-header-inner">
        <Link className="site-name" to={home}>
          {board.logo ? <img className="site-logo" src={prefix + board.logo} alt="" /> : <Mark />}
          <bdi>{board.name}</bdi>
        </Link>
        <nav className="site-nav" aria-label={m.boardPages(l)}>
          {pages.map(({ path, words, count }) => (
            <NavLink key={path} to={path} end={path === home}>
              {words}
              {count ? <span className="badge">{count < 100 ? count : '99+'}</span> : null}
            </NavLink>
          ))}
        </nav>
        <div className="site-actions">
          {!isStatic && <SearchBox home={home} />}
          {visitor?.isPerson && (
            <NavLink className="icon-button" to={`${home}/inbox`} aria-label={m.inbox(l)}>
              <Icon name="bell" size={20} />
              {visitor.hasNews && <span className="news" role="img" aria-label={m.inboxHasNews(l)} />}
            </NavLink>
          )}
          {visitor && <OwnMenu home={home} visitor={visitor} />}
          {!visitor && !isSigningIn && !isStatic && (
            <Link className="button" data-kind="quiet" to={withNext(board.signInPath, pathname + search)}>
              {m.signIn(l)}
            </Link>
          )}
          {!visitor?.isModerator && !isSigningIn && !isStatic && (
            <Link
              className="button post-idea"
              data-kind={pathname === home ? 'primary' : 'plain'}
              to={`${home}#${NEW_IDEA}`}
              aria-keyshortcuts="n"
            >
              <Icon name="plus" />
              {m.postIdea(l)}
            </Link>
          )}
        </div>
      </div>
    </header>
  );
}

/** The mark of boards without a logo. */
export function Mark() {
  return (
    <svg className="site-mark" viewBox="0 0 28 28" width="28" height="28" aria-hidden="true">
      <rect width="28" height="28" rx="8" fill="var(--pen)" />
      <path
        d="m7 20.5 5.6-12.2a1.5 1.5 0 0 1 2.8 0L21 20.5"
        fill="none"
        stroke="var(--on-pen)"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <circle cx="14" cy="19.6" r="2" fill="var(--on-pen)" />
    </svg>
  );
}

/**
 * Searches the ideas of the board; the result is the list, with its own URL and the filters of the current list, which
 * changes while one types. On narrow screens a button opens the field.
 */
function SearchBox({ home }: { home: string }) {
  const l = useLocale();
  const { pathname } = useLocation();
  const [params] = useSearchParams();
  const asked = pathname === home ? parseAsked(params) : null;
  const { field, onChange, onSubmit } = useSearchWhileTyping(asked);
  return (
    <>
      <search
        id={SEARCH}
        className="site-search"
        popover="auto"
        onToggle={({ newState }) => newState === 'open' && field.current?.focus()}
      >
        <Form action={home} className="search-form" onSubmit={onSubmit}>
          <Icon name="search" />
          <input
            ref={field}
            type="search"
            aria-keyshortcuts="/"
            name="q"
            className="search-box"
            aria-label={m.searchIdeas(l)}
            placeholder={m.searchIdeas(l)}
            defaultValue={asked?.words}
            maxLength={200}
            onChange={onChange}
          />
          {asked &&
            keptInSearch(asked).map(([name, value]) => <input key={name + value} type="hidden" {...{ name, value }} />)}
        </Form>
      </search>
      <button type="button" className="icon-button site-search-open" popoverTarget={SEARCH} aria-label={m.search(l)}>
        <Icon name="search" size={20} />
      </button>
    </>
  );
}

const SEARCH = 'search';

function OwnMenu({ home, visitor }: { home: string; visitor: NonNullable<VisitorView> }) {
  const l = useLocale();
  return (
    <Menu
      label={m.ownMenu(l, { name: visitor.name })}
      button={<Avatar name={visitor.name} isTeam={visitor.isModerator} picture={visitor.picture} />}
    >
      <bdi className="menu-name">{visitor.name}</bdi>
      {visitor.isPerson && (
        <Link className="menu-item" to={`${home}/inbox?show=ideas`}>
          <Icon name="user-round" />
          {m.ownIdeas(l)}
        </Link>
      )}
      {visitor.isModerator && (
        <>
          <Link className="menu-item" to={`${home}/people`}>
            <Icon name="users-round" />
            {m.people(l)}
          </Link>
          <Link className="menu-item" to={`${home}/activity`}>
            <Icon name="clock" />
            {m.activity(l)}
          </Link>
        </>
      )}
      <Link className="menu-item" to={`${home}/settings${visitor.isManager ? '' : '/profile'}`}>
        <Icon name="settings" />
        {m.settings(l)}
      </Link>
      <hr />
      <ThemeChoice />
      <LanguageChoice />
      <hr />
      <Form method="post" action="/sign-out">
        <button type="submit" className="menu-item">
          <Icon name="log-out" />
          {m.signOut(l)}
        </button>
      </Form>
    </Menu>
  );
}

/** The navigation on phones, with the link to post an idea in the middle. The team has its own pages in their menu. */
function BottomBar({ board, visitor, pages }: Omit<HeaderProps, 'isSigningIn'>) {
  const l = useLocale();
  const { pathname, search } = useLocation();
  const home = `/b/${board.pid}`;
  const own = visitor ? `${home}/inbox?show=ideas` : withNext(board.signInPath, pathname + search);
  const me: PageLink = { path: own, words: m.me(l), icon: 'user-round' };
  const isStatic = useIsStatic();
  const all = visitor?.isModerator || isStatic ? pages : [...pages, me];
  const middle = Math.ceil(all.length / 2);
  return (
    <nav className="bottom-bar" aria-label={m.boardPages(l)}>
      {all.slice(0, middle).map((page) => (
        <BottomLink key={page.path} page={page} home={home} />
      ))}
      {!isStatic && (
        <Link className="bottom-add" to={`${home}#${NEW_IDEA}`} aria-label={m.postIdea(l)} aria-keyshortcuts="n">
          <Icon name="plus" />
        </Link>
      )}
      {all.slice(middle).map((page) => (
        <BottomLink key={page.path} page={page} home={home} />
      ))}
    </nav>
  );
}

function BottomLink({ page: { path, words, icon }, home }: { page: PageLink; home: string }) {
  return (
    <NavLink to={path} end={path === home}>
      <Icon name={icon} />
      <span>{words}</span>
    </NavLink>
  );
}

/** The choice of a theme: a plain form, so that it works without scripts. */
function ThemeChoice() {
  const l = useLocale();
  const root = useRouteLoaderData<typeof viewRoot>('root');
  const { pathname, search } = useLocation();
  const current = root?.theme ?? 'system';
  const choices = { system: m.themeSystem(l), light: m.themeLight(l), dark: m.themeDark(l) };
  return (
    <Form method="post" action="/look" className="segments" aria-label={m.theme(l)} preventScrollReset>
      <input type="hidden" name="next" value={`${pathname}${search}`} />
      {Object.entries(choices).map(([theme, words]) => (
        <button type="submit" key={theme} name="theme" value={theme} aria-pressed={theme === current}>
          {words}
        </button>
      ))}
    </Form>
  );
}
