import { Link } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../requests/locale.ts';

/** The link to the next page of a list that begins with the newest; nothing on the last page. */
export function Older({ to }: { to: string | null }) {
  const l = useLocale();
  if (to === null) return null;
  return (
    <p className="pager">
      <Link className="button" data-kind="plain" to={to}>
        {m.older(l)}
      </Link>
    </p>
  );
}
