import './filters.css';
import { type CSSProperties, type ReactNode, Suspense } from 'react';
import { Link } from 'react-router';
import { formatCount } from '../../i18n/format.ts';
import * as m from '../../i18n/messages.ts';
import { type Asked, askedFrom, hidesDone, printAsked, toggle } from '../../parts/frame/list-query.ts';
import { useIsStatic, useLocale } from '../../parts/requests/locale.ts';
import { Icon } from '../../parts/show/icon.tsx';
import { useNarrowing } from '../../parts/show/narrowing.tsx';
import type { Desk } from '../team/desk.ts';
import type { FiltersView } from './filters.ts';
import { TeamFilters } from './team-filters.tsx';

const ID = 'filters';
/** Number of tags that are visible without opening the others. */
const TAGS = 6;

type FilterProps = { asked: Asked; filters: FiltersView };

/**
 * The filters of the list. Each is a link, so that every choice has a URL. On narrow screens they are a sheet that
 * `OpenFilters` opens, also without scripts.
 */
export function Filters({ asked, filters, count, desk }: FilterProps & { count: number; desk: Desk | null }) {
  const l = useLocale();
  return (
    <nav className="filters" id={ID} popover="auto" aria-label={m.filters(l)}>
      {desk && (
        <Suspense>
          <TeamFilters desk={desk} asked={asked} />
        </Suspense>
      )}
      <StatusFilters asked={asked} filters={filters} />
      {filters.tags.length > 0 && <TagFilters asked={asked} filters={filters} />}
      <button
        type="button"
        className="button filters-close"
        data-kind="primary"
        popoverTarget={ID}
        popoverTargetAction="hide"
      >
        {m.showIdeas(l, { count })}
      </button>
    </nav>
  );
}

/** Opens the filters on narrow screens. */
export function OpenFilters() {
  return (
    <button type="button" className="button filters-open" data-kind="quiet" popoverTarget={ID}>
      <Icon name="list-filter" />
      {m.filters(useLocale())}
    </button>
  );
}

function StatusFilters({ asked, filters: { statuses } }: FilterProps) {
  const l = useLocale();
  const shown = statuses.filter(({ slug, isMerged }) => !isMerged || asked.statuses.includes(slug));
  const total = shown.reduce((sum, { count }) => sum + count, 0);
  const done = shown.reduce((sum, { isDone, count }) => sum + (isDone ? count : 0), 0);
  const isActive = hidesDone(asked);
  const from = askedFrom(asked, useIsStatic());
  const isAll = asked.statuses.length === 0 && !isActive;
  const style = { '--h': 75, '--c': 0.16 } as CSSProperties;
  return (
    <section>
      <h2>{m.status(l)}</h2>
      <ul className="filter-list">
        {asked.words === '' && (
          <Filter
            to={printAsked({ ...from, statuses: [], isAll: false })}
            isOn={isActive}
            count={total - done}
            style={style}
          >
            <Icon name="lightbulb" />
            <bdi>{m.activeIdeas(l)}</bdi>
          </Filter>
        )}
        <Filter
          to={printAsked({ ...from, statuses: [], isAll: true })}
          isOn={isAll}
          count={asked.words === '' ? total : null}
          style={style}
        >
          <Icon name="rows-4" />
          <bdi>{m.allIdeas(l)}</bdi>
        </Filter>
        {shown.map(({ slug, name, ring, hue, tint, count }) => (
          <Filter
            key={slug}
            to={printAsked({ ...from, statuses: toggle(from.statuses, slug), isAll: false })}
            isOn={asked.statuses.includes(slug)}
            count={asked.words === '' ? count : null}
            style={{ '--h': hue, '--c': tint } as CSSProperties}
          >
            <Icon name={ring} />
            <bdi>{name}</bdi>
          </Filter>
        ))}
      </ul>
    </section>
  );
}

function TagFilters({ asked, filters: { tags } }: FilterProps) {
  const l = useLocale();
  const isStatic = useIsStatic();
  const from = askedFrom(asked, isStatic);
  const filterOf = ({ slug, name, hue, count }: FiltersView['tags'][number]) => (
    <Filter
      key={slug}
      to={printAsked({ ...from, tags: toggle(from.tags, slug), isAll: from.isAll || isStatic })}
      isOn={asked.tags.includes(slug)}
      count={asked.words === '' ? count : null}
      style={{ '--h': hue } as CSSProperties}
    >
      <span className="dot" />
      <bdi>{name}</bdi>
    </Filter>
  );
  const { field, isNarrowed, fits } = useNarrowing(tags.map(({ name }) => name));
  const [first, others] = isNarrowed
    ? [tags.filter(({ name }) => fits(name)), []]
    : [tags.slice(0, TAGS), tags.slice(TAGS)];
  return (
    <section>
      <h2>{m.tags(l)}</h2>
      {field}
      <ul className="filter-list">{first.map(filterOf)}</ul>
      {others.length > 0 && (
        <details className="more-filters" open={others.some(({ slug }) => asked.tags.includes(slug)) || undefined}>
          <summary className="filter">
            <Icon name="chevron-down" />
            {m.moreTags(l, { count: others.length })}
          </summary>
          <ul className="filter-list">{others.map(filterOf)}</ul>
        </details>
      )}
    </section>
  );
}

type OneFilterProps = { to: string; isOn: boolean; count: number | null; style: CSSProperties; children: ReactNode };

/** One of the filters. A search has no counts, since they are those of the whole board. */
function Filter({ to, isOn, count, style, children }: OneFilterProps) {
  const l = useLocale();
  return (
    <li>
      <Link className="filter" to={to} style={style} aria-current={isOn || undefined} preventScrollReset>
        {children}
        {count !== null && <span className="count">{formatCount(l, count)}</span>}
      </Link>
    </li>
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
      name: nameOf(filters.tags, slug),
      to: printAsked({ ...asked, tags: toggle(asked.tags, slug) }),
    })),
  ];
  if (chips.length === 0) return null;
  return (
    <ul className="chips">
      {chips.map(({ name, to }) => (
        <li key={to}>
          <Link className="filter-chip" to={to} aria-label={m.removeFilter(l, { name })} preventScrollReset>
            <bdi>{name}</bdi>
            <Icon name="x" size={14} />
          </Link>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Link className="filter-chip" to="?">
            {m.clearAll(l)}
          </Link>
        </li>
      )}
    </ul>
  );
}
