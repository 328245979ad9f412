import { PageForm } from '../parts/forms/form.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';

type MoveProps = { intent: string; sign: string; label: string; isDisabled: boolean; answer: FormAnswer | undefined };

/** A button that moves a row of a list by one place. */
export function Move({ intent, sign, label, isDisabled, answer }: MoveProps) {
  return (
    <PageForm answer={answer} intent={intent} className="inline" preventScrollReset>
      <button type="submit" className="icon-button" aria-label={label} title={label} disabled={isDisabled}>
        {sign}
      </button>
    </PageForm>
  );
}

/** The ids of neighbors to be put in this order, so that one of them moves by a step; the first and the last one stay. */
export function swapped(ids: readonly string[], id: string, step: 1 | -1): string[] {
  const other = ids[ids.indexOf(id) + step];
  if (other === undefined) return [];
  return step === 1 ? [other, id] : [id, other];
}

/** All ids, with one put before another, or at the end if there is no other one with that id. */
export function putBefore(ids: readonly string[], id: string, before: string): string[] {
  const others = ids.filter((other) => other !== id);
  const at = others.indexOf(before);
  return others.toSpliced(at < 0 ? others.length : at, 0, id);
}
