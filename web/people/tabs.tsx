import { NavLink } from 'react-router';
import * as m from '../i18n/messages.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';

/** Who is behind ideas: people, the companies that they belong to, and segments of them. */
export function CustomerTabs() {
  const home = `/b/${useBoard()?.pid}/people`;
  const l = useLocale();
  return (
    <nav className="tabs" aria-label={m.people(l)}>
      <NavLink to={home} end>
        {m.people(l)}
      </NavLink>
      <NavLink to={`${home}/companies`}>{m.companies(l)}</NavLink>
      <NavLink to={`${home}/segments`}>{m.customerSegments(l)}</NavLink>
    </nav>
  );
}
