import { Link, useLoaderData } from 'react-router';
import * as m from '../i18n/messages.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { memberLoader } from '../parts/requests/member.ts';
import { PageTitle } from '../parts/show/page-title.tsx';
import { findSettings } from '../parts/team/settings-pages.ts';

export const loader = memberLoader('board.edit', (_, args) => ({
  query: args.url.searchParams.get('find')?.slice(0, 100) ?? '',
}));

/** The settings pages that match a search. */
export default function Search() {
  const { query } = useLoaderData<typeof loader>();
  const l = useLocale();
  const board = useBoard();
  const found = findSettings(l, query);
  return (
    <div className="stack">
      <PageTitle>{m.settingsSearch(l)}</PageTitle>
      <p role="status">{m.settingsFound(l, { count: found.length, query })}</p>
      {found.length === 0 && <p className="empty">{m.settingsFoundNone(l)}</p>}
      <ul className="rows">
        {found.map(({ path, title, sections }) => (
          <li key={path} className="row-item">
            <div className="person">
              <Link to={`/b/${board?.pid}${path}`}>{title}</Link>
              {sections.length > 0 && <span className="muted small">{sections.join(' · ')}</span>}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
