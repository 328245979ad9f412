import { Form, Link, useLocation } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { type Asked, askedFrom, orderOf, type orders, printAsked } from '../../parts/frame/list-query.ts';
import { useIsStatic, useLocale } from '../../parts/requests/locale.ts';
import { Icon } from '../../parts/show/icon.tsx';
import { OpenFilters } from './filters.tsx';

type ListHeadProps = { asked: Asked; count: number; isCompact: boolean; isSignedIn: boolean };

/** The head of the list: its orders, the number of ideas, and the density. */
export function ListHead({ asked, count, isCompact, isSignedIn }: ListHeadProps) {
  const l = useLocale();
  const isStatic = useIsStatic();
  return (
    <div className="list-head">
      <Sorts asked={asked} isSignedIn={isSignedIn} />
      {!asked.words && (
        <p className="count" role="status">
          {m.ideaCount(l, { count })}
        </p>
      )}
      {!isStatic && <Density isCompact={isCompact} />}
      <OpenFilters />
    </div>
  );
}

/** The orders of the list; "Mine" only for signed-in users. */
function Sorts({ asked, isSignedIn }: { asked: Asked; isSignedIn: boolean }) {
  const l = useLocale();
  const current = orderOf(asked);
  const from = askedFrom(asked, useIsStatic());
  const names = {
    ...(asked.words && { best: m.sortBest(l) }),
    trending: m.sortTrending(l),
    top: m.sortTop(l),
    new: m.sortNew(l),
    ...(isSignedIn && { mine: m.sortMine(l) }),
  };
  return (
    <nav className="tabs" aria-label={m.sortBy(l)}>
      {(Object.entries(names) as [keyof typeof orders, string][]).map(([sort, words]) => (
        <Link key={sort} to={printAsked({ ...from, sort })} aria-current={sort === current ? 'page' : undefined}>
          {words}
        </Link>
      ))}
    </nav>
  );
}

/** The choice of a density: a plain form, so that it works without scripts. */
function Density({ isCompact }: { isCompact: boolean }) {
  const l = useLocale();
  const { pathname, search } = useLocation();
  const choices = [
    { density: 'comfortable', icon: 'rows-3', words: m.densityComfortable(l), isCurrent: !isCompact },
    { density: 'compact', icon: 'rows-4', words: m.densityCompact(l), isCurrent: isCompact },
  ] as const;
  return (
    <Form method="post" action="/look" className="segments" preventScrollReset>
      <input type="hidden" name="next" value={`${pathname}${search}`} />
      {choices.map(({ density, icon, words, isCurrent }) => (
        <button
          key={density}
          type="submit"
          name="density"
          value={density}
          aria-pressed={isCurrent}
          aria-label={words}
          title={words}
        >
          <Icon name={icon} />
        </button>
      ))}
    </Form>
  );
}
