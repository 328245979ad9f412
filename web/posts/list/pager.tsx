import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { type Asked, moreThan, PAGE, printAsked } from '../../parts/frame/list-query.ts';
import { useIsStatic, useLocale } from '../../parts/requests/locale.ts';

type PagerProps = {
  asked: Asked;
  /** Where the list begins, and how many ideas it is asked to show. */
  after: string | null;
  shown: number;
  /** Where it goes on; null at its end. */
  next: string | null;
  /** Ideas in all. */
  count: number;
  posts: readonly unknown[];
};

/** Adds more ideas to the list; where they would be too many for a page, leads to the next one. */
export function Pager({ asked, after, shown, next, count, posts }: PagerProps) {
  const l = useLocale();
  const { pathname } = useLocation();
  const more = useIsStatic() ? null : moreThan(shown);
  const left = after === null ? count - posts.length : PAGE;
  const added = useRef<number>(null);
  useEffect(() => {
    // Who adds more by the keyboard goes on with the first of them.
    if (added.current === null || posts.length <= added.current) return;
    document.querySelectorAll<HTMLElement>('.post-title a')[added.current]?.focus({ preventScroll: true });
    added.current = null;
  }, [posts.length]);
  if (next === null && after === null) return null;
  return (
    <nav className="pager" aria-label={m.pages(l)}>
      {after !== null && (
        <Link className="button" to={printAsked(asked)}>
          {m.firstPage(l)}
        </Link>
      )}
      {next !== null && more !== null && (
        <Link
          className="button"
          to={{ pathname, search: printAsked(asked, { after, shown: more }) }}
          replace
          preventScrollReset
          onClick={() => {
            added.current = posts.length;
          }}
        >
          {m.showMoreIdeas(l, { count: Math.min(PAGE, left) })}
        </Link>
      )}
      {next !== null && more === null && (
        <Link className="button" to={printAsked(asked, { after: next })}>
          {m.nextPage(l)}
        </Link>
      )}
    </nav>
  );
}
