import './entry.css';
import { NavLink } from 'react-router';
import * as m from '../i18n/messages.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';

/** The pages on which moderators review what was written and done, and by whom. */
export function ModerationTabs() {
  const home = `/b/${useBoard()?.pid}`;
  const l = useLocale();
  return (
    <nav className="tabs" aria-label={m.moderation(l)}>
      <NavLink to={`${home}/moderation`}>{m.toReview(l)}</NavLink>
      <NavLink to={`${home}/activity`}>{m.activity(l)}</NavLink>
      <NavLink to={`${home}/deleted`}>{m.deletedThings(l)}</NavLink>
      <NavLink to={`${home}/people`} end>
        {m.people(l)}
      </NavLink>
      <NavLink to={`${home}/people/companies`}>{m.companies(l)}</NavLink>
      <NavLink to={`${home}/people/segments`}>{m.customerSegments(l)}</NavLink>
    </nav>
  );
}
