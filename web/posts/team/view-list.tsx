import './desk.css';
import { Link } from 'react-router';
import { formatCount } from '../../i18n/format.ts';
import * as m from '../../i18n/messages.ts';
import { useBoard, useLocale } from '../../parts/requests/locale.ts';
import { Icon } from '../../parts/show/icon.tsx';
import type { Desk, ViewLink } from './desk.ts';

/** Where counting ends. */
const MOST = 1_000;

/** The views of a list with their counts: shared ones first. */
export function ViewList({ desk: { views } }: { desk: Desk }) {
  const l = useLocale();
  const board = useBoard();
  if (views.length === 0) return null;
  return (
    <nav className="desk-views" aria-label={m.views(l)}>
      <ul>
        {views.map((view) => (
          <li key={view.id}>
            <Link to={view.to} aria-current={view.isCurrent ? 'page' : undefined} preventScrollReset>
              <Icon name={view.isShared ? 'globe' : 'user-round'} size={14} />
              <bdi>{view.name}</bdi>
              <ViewCount view={view} />
            </Link>
          </li>
        ))}
        <li>
          <Link to={`/b/${board?.pid}/views`}>{m.viewsEdit(l)}</Link>
        </li>
      </ul>
    </nav>
  );
}

/** How many there are, up to where counting ends. */
export function ViewCount({ view: { count } }: { view: Pick<ViewLink, 'count'> }) {
  const l = useLocale();
  return <span className="count">{count < MOST ? formatCount(l, count) : `${formatCount(l, MOST - 1)}+`}</span>;
}
