import { Link } from 'react-router';
import { formatDay } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';

type ShippedProps = { entries: readonly { number: number; title: string; path: string; date: number }[] };

/** Entries of the changelog that complete the idea. */
export function Shipped({ entries }: ShippedProps) {
  const board = useBoard();
  const l = useLocale();
  if (entries.length === 0) return null;
  return (
    <ul className="note">
      {entries.map(({ number, title, path, date }) => (
        <li key={number}>
          {m.shippedIn(l, { date: formatDay(l, date) })}{' '}
          <Link to={`/b/${board?.pid}/${path}`} dir="auto">
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}
