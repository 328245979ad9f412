import * as m from '../../i18n/messages.ts';
import type { FormAnswer } from '../../parts/requests/forms.ts';
import type { LastImportView } from './imports.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { PageForm, Submit } from '../../parts/forms/form.tsx';
import { Picker } from '../../parts/show/picker.tsx';
import { Time } from '../../parts/show/time.tsx';

/** The last import into the board, from wherever it was started, and how to undo it as a whole. */
export function LastImport({ last, answer }: { last: LastImportView; answer: FormAnswer | undefined }) {
  const l = useLocale();
  const { source, date, posts, changed } = last;
  return (
    <section className="stack last-import" aria-labelledby="last">
      <h2 id="last">{m.importLast(l)}</h2>
      <p>{m.importLastWas(l, { count: posts, product: source })}</p>
      <p className="muted small">
        <Time date={date} />
      </p>
      {changed > 0 ? (
        <p className="muted">{m.importChanged(l, { count: changed })}</p>
      ) : (
        <Picker id="undo-import" label={m.importUndo(l)} className="button" button={m.importUndo(l)}>
          <PageForm answer={answer} intent="undo">
            <p>{m.importUndoHelp(l)}</p>
            <Submit kind="danger">{m.importRemove(l)}</Submit>
          </PageForm>
        </Picker>
      )}
    </section>
  );
}
