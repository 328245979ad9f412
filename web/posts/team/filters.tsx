import * as m from '../../i18n/messages.ts';
import { usePrefix } from '../../lib/prefix.ts';
import { type Asked, keptInSearch } from '../../parts/frame/list-query.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import sheetStyles from '../../parts/show/sheet.css?url';
import deskStyles from './desk.css?url';
import type { Desk } from './desk.ts';
import { FilterBar } from './filter-bar.tsx';
import { TEAM_FILTERS } from './query.ts';
import { ViewList } from './view-list.tsx';

/** The views of the board's list, and what only the team filters it by. Nothing else loads styles of what is loaded later. */
export function TeamFilters({ desk, asked }: { desk: Desk; asked: Asked }) {
  const l = useLocale();
  const prefix = usePrefix();
  const kept = [
    ...(asked.words ? [['q', asked.words] as const] : []),
    ...(asked.sort ? [['sort', asked.sort] as const] : []),
    ...keptInSearch({ ...asked, more: [] }),
  ];
  return (
    <section>
      {[deskStyles, sheetStyles].map((href) => (
        <link key={href} rel="stylesheet" href={prefix + href} precedence="desk" />
      ))}
      <h2>{m.views(l)}</h2>
      <ViewList desk={desk} />
      <FilterBar desk={desk} parameters={TEAM_FILTERS} kept={kept} isSaveable={asked.words === ''} />
    </section>
  );
}
