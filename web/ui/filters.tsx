import type { CSSProperties } from 'react';
import { Link } from 'react-router';
import * as m from '../i18n/messages.ts';
import type { FiltersView } from '../lib/filters.ts';
import { type Asked, printAsked, toggle } from '../lib/list-query.ts';
import { useLocale } from '../lib/locale.ts';

type FilterProps = { asked: Asked; filters: FiltersView };

/** The filters of the list. Each is a link, so that every choice has a URL. */
export function Filters({ asked, filters: { statuses, tags } }: FilterProps) {
  const l = useLocale();
  return (
    <nav className="filters" aria-label={m.filters(l)}>
      <h2>{m.status(l)}</h2>
      <ul className="filter-list">
        {statuses
          .filter(({ slug, isMerged }) => !isMerged || asked.statuses.includes(slug))
          .map(({ slug, name, color, count }) => (
            <li key={slug}>
              <Link
                className="filter"
                to={printAsked({ ...asked, statuses: toggle(asked.statuses, slug) })}
                aria-current={asked.statuses.includes(slug) || undefined}
                preventScrollReset
              >
                <span className="status" style={{ '--status-color': color } as CSSProperties} dir="auto">
                  {name}
                </span>{' '}
                <span className="muted">{count.toLocaleString(l)}</span>
              </Link>
            </li>
          ))}
      </ul>
      {tags.length > 0 && (
        <>
          <h2>{m.tags(l)}</h2>
          <ul className="filter-list">
            {tags.map(({ slug, name }) => (
              <li key={slug}>
                <Link
                  className="filter"
                  to={printAsked({ ...asked, tags: toggle(asked.tags, slug) })}
                  aria-current={asked.tags.includes(slug) || undefined}
                  preventScrollReset
                >
                  <span dir="auto">{`#${name}`}</span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </nav>
  );
}

/** The active filters of the list, each with a link to remove it. */
export function Chips({ asked, filters }: FilterProps) {
  const l = useLocale();
  const nameOf = (all: { slug: string; name: string }[], slug: string) =>
    all.find((one) => one.slug === slug)?.name ?? slug;
  const chips = [
    ...(asked.words ? [{ name: `“${asked.words}”`, to: printAsked({ ...asked, words: '', sort: null }) }] : []),
    ...asked.statuses.map((slug) => ({
      name: nameOf(filters.statuses, slug),
      to: printAsked({ ...asked, statuses: toggle(asked.statuses, slug) }),
    })),
    ...asked.tags.map((slug) => ({
      name: `#${nameOf(filters.tags, slug)}`,
      to: printAsked({ ...asked, tags: toggle(asked.tags, slug) }),
    })),
  ];
  if (chips.length === 0) return null;
  return (
    <ul className="chips">
      {chips.map(({ name, to }) => (
        <li key={to}>
          <Link className="chip" to={to} aria-label={m.removeFilter(l, { name })}>
            <span dir="auto">{name}</span>
            <span aria-hidden="true">×</span>
          </Link>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Link className="chip" to="?">
            {m.clearAll(l)}
          </Link>
        </li>
      )}
    </ul>
  );
}
