import { lazy, Suspense } from 'react';
import * as m from '../../i18n/messages.ts';
import { PageForm, Submit } from '../../parts/forms/form.tsx';
import { useLocale } from '../../parts/requests/locale.ts';
import type { JustDone } from './just-done.ts';

/** In browsers, only those who have just set up the board load it. */
const Ready = import.meta.env.SSR
  ? (await import('./ready.tsx')).Ready
  : lazy(async () => ({ default: (await import('./ready.tsx')).Ready }));

/** Restores the idea that was deleted; shares the board that is ready. */
export function AfterDone({ deleted, ready }: JustDone) {
  const l = useLocale();
  return (
    <>
      {deleted && (
        <PageForm answer={undefined} intent="restore" action="?index" className="note row">
          <span role="status">{m.ideaDeleted(l)}</span>
          <input type="hidden" name="id" value={deleted} />
          <Submit kind="plain">{m.restore(l)}</Submit>
        </PageForm>
      )}
      {ready && (
        <Suspense>
          <Ready url={ready} />
        </Suspense>
      )}
    </>
  );
}
