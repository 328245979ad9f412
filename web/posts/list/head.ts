import { parseLocale } from '../../i18n/format.ts';
import type { Locale } from '../../i18n/languages.ts';
import * as m from '../../i18n/messages.ts';
import { type Asked, orderOf, printAsked } from '../../parts/frame/list-query.ts';
import { describePage, type Head } from '../../parts/requests/head.ts';
import type { View } from '../../parts/requests/joining.ts';
import type { FiltersView } from './filters.ts';

/**
 * Describes a list of ideas for search engines and for link previews. Search engines may show the board itself, but not
 * searches, filters and later pages, which are endless, nor the visitor's own ideas.
 */
export function describeList({ visit, context }: View, asked: Asked, filters: FiltersView, after: string | null): Head {
  const { words, sort, statuses, tags } = asked;
  const l = parseLocale(visit.language());
  const isWhole = words === '' && statuses.length + tags.length === 0 && after === null;
  const query = { ...asked, sort: after === null ? null : sort, statuses: statuses.toSorted(), tags: tags.toSorted() };
  const title = titleOf(l, asked, filters);
  return describePage(context, {
    title: title && after !== null ? m.titleContinued(l, { title }) : title,
    path: isWhole ? '' : printAsked(query, { after }),
    isIndexed: isWhole && sort !== 'mine',
    feed: { title: m.ideas(l), path: '/posts.atom' },
  });
}

/** What a list is called; null when it has all ideas in the usual order. */
function titleOf(l: Locale, asked: Asked, { statuses, tags }: FiltersView): string | null {
  const names = [
    ...statuses.filter(({ slug }) => asked.statuses.includes(slug)).map(({ name }) => name),
    ...tags.filter(({ slug }) => asked.tags.includes(slug)).map(({ name }) => `#${name}`),
  ];
  const parts = [
    ...(asked.words ? [`“${asked.words}”`] : []),
    ...(names.length > 0 ? [m.ideasThatAre(l, { names: new Intl.ListFormat(l).format(names) })] : []),
  ];
  return parts.length > 0 ? parts.join(' · ') : titleOfOrder(l, asked);
}

function titleOfOrder(l: Locale, asked: Asked): string | null {
  const titles = { top: m.titleTop(l), new: m.titleNew(l), mine: m.titleMine(l), best: null, trending: null };
  return titles[orderOf(asked)];
}
