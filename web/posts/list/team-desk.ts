import { type Conditions, demandSorts, narrowFurther } from '#src/feedback/views/parameters.ts';
import { may } from '#src/identity/users/authority.ts';
import type { Asked } from '../../parts/frame/list-query.ts';
import type { View } from '../../parts/requests/joining.ts';
import { openDesk } from '../team/desk.ts';
import { TEAM_FILTERS } from '../team/query.ts';
import type { FiltersView } from './filters.ts';

/** What the team filters the list by beyond what everyone can, and its views. */
export async function openTeamDesk(
  { visit, context }: View,
  asked: Asked,
  { statuses, tags }: FiltersView,
  query: URLSearchParams,
) {
  const actor = await visit.people.on(context.board);
  if (visit.isStatic || !actor || !may(actor, 'view.use')) {
    return { desk: null, more: undefined, narrowed: null, demand: null };
  }
  const idsOf = (names: readonly string[], all: readonly { slug: string; id: string }[]) =>
    all.filter(({ slug }) => names.includes(slug)).map(({ id }) => id);
  const fixed: Conditions = {
    ...(asked.statuses.length > 0 && { status: idsOf(asked.statuses, statuses) }),
    ...(asked.tags.length > 0 && { tag: idsOf(asked.tags, tags) }),
  };
  const { desk, reading } = await openDesk({ ...context, actor }, 'IDEAS', query, fixed);
  const further: Conditions = Object.fromEntries(
    TEAM_FILTERS.flatMap((name) => {
      const values = desk.conditions[name];
      return values ? [[name, values]] : [];
    }),
  );
  const more = Object.entries(further).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const segment = reading.segments.find(({ id }) => id === further.segment?.[0])?.filter ?? null;
  const [by] = further.by ?? [];
  const demand =
    by && Object.hasOwn(demandSorts, by) ? { order: demandSorts[by as keyof typeof demandSorts], segment } : null;
  return { desk, more, narrowed: more.length > 0 ? narrowFurther(further, reading) : null, demand };
}
