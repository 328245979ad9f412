import { may } from '#src/identity/users/authority.ts';
import '../parts/styles/settings.css';
import '../parts/styles/table.css';
import './webhooks/webhooks.css';
import { useState } from 'react';
import {
  Form,
  type LoaderFunctionArgs,
  NavLink,
  Outlet,
  useLoaderData,
  useLocation,
  useSearchParams,
} from 'react-router';
import * as m from '../i18n/messages.ts';
import { UnsavedGuard } from '../parts/forms/unsaved-guard.tsx';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { requireSelf } from '../parts/requests/member.ts';
import { Icon } from '../parts/show/icon.tsx';
import { findSettings, groupsOfPages } from '../parts/team/settings-pages.ts';

const PAGES = 'settings-pages';

export async function loader(args: LoaderFunctionArgs) {
  const { user, account } = await requireSelf(args);
  return { isManager: may(user, 'board.edit'), hasAccount: account !== null };
}

/**
 * The settings of a board and of the account: a list of pages next to the page. On narrow screens a button with the name of
 * the page opens the list, also without scripts.
 */
export default function Settings() {
  const shown = useLoaderData<typeof loader>();
  const board = useBoard();
  const l = useLocale();
  const { key, pathname } = useLocation();
  if (!board) return null;
  const base = `/b/${board.pid}/settings`;
  const groups = groupsOfPages(shown);
  const page = groups
    .flatMap(({ pages }) => pages)
    .findLast(({ path }) => pathname === `${base}${path}` || (path !== '' && pathname.startsWith(`${base}${path}/`)));
  return (
    <div className="settings">
      <button type="button" className="button settings-open" popoverTarget={PAGES}>
        {page?.title(l) ?? m.settings(l)}
        <Icon name="chevron-down" />
        <span className="visually-hidden">{m.settings(l)}</span>
      </button>
      {/* A new key closes the list when the page changes. */}
      <nav key={key} className="settings-nav" id={PAGES} popover="auto" aria-label={m.settings(l)}>
        <Pages base={base} {...shown} />
      </nav>
      <main id="main" className="settings-main">
        <UnsavedGuard>
          <Outlet />
        </UnsavedGuard>
      </main>
    </div>
  );
}

type PagesProps = { base: string; isManager: boolean; hasAccount: boolean };

/** The pages of the settings, or those that a search finds while it is typed. */
function Pages({ base, ...shown }: PagesProps) {
  const l = useLocale();
  const [typed, setTyped] = useState('');
  const found = findSettings(l, typed);
  const groups =
    typed.trim() === ''
      ? groupsOfPages(shown).map(({ group, pages }) => ({
          name: group(l),
          pages: pages.map(({ path, title }) => ({ to: `${base}${path}`, title: title(l) })),
        }))
      : [
          {
            name: m.settingsFound(l, { count: found.length, query: typed }),
            pages: found.map(({ path, title }) => ({ to: base.replace(/\/settings$/, path), title })),
          },
        ];
  return (
    <>
      {shown.isManager && <SettingsSearch base={base} onType={setTyped} />}
      {groups.map(({ name, pages }) => (
        <div key={name}>
          <p className="settings-group" role={typed.trim() === '' ? undefined : 'status'}>
            {name}
          </p>
          <ul className="settings-pages">
            {pages.map(({ to, title }) => (
              <li key={to}>
                <NavLink to={to} end={to === base}>
                  {title}
                </NavLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

/** Finds a page of the settings by what can be set there. */
function SettingsSearch({ base, onType }: { base: string; onType: (words: string) => void }) {
  const l = useLocale();
  const [search] = useSearchParams();
  const query = search.get('find') ?? '';
  return (
    <search>
      <Form action={`${base}/search`} className="settings-search">
        {/* A new key when the URL changes: the field shows the search text. */}
        <input
          key={query}
          className="input"
          type="search"
          name="find"
          aria-label={m.settingsSearch(l)}
          placeholder={m.settingsSearch(l)}
          defaultValue={query}
          maxLength={100}
          onChange={({ target }) => onType(target.value)}
        />
      </Form>
    </search>
  );
}
