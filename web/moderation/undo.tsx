import { Link, redirect, useActionData } from 'react-router';
import { effectOfUndo, type UndoEffect } from '#src/feedback/undo/notifying.ts';
import { undoOperation } from '#src/feedback/undo/undo.ts';
import { findUserById } from '#src/identity/users/users.ts';
import * as m from '../i18n/messages.ts';
import { parseNext } from '../lib/next.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { formAnswerOf } from '../parts/requests/forms.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../parts/requests/member.ts';
import { type Done, reportDone } from '../parts/requests/toasts.ts';

/** The page is for forms: opened by its address, it only leads on. */
export const loader = memberLoader('post.see.team', () => null);

/** What was done, by what undoing it means for those who were notified. */
const done: Record<UndoEffect, Done> = { NONE: 'saved', NO_MAIL: 'undoneQuietly', SECOND_MAIL: 'undoneWithMail' };

export const action = memberAction('post.see.team', async ({ visit, context, form }) => {
  const { operation = '' } = form;
  const effect = await effectOfUndo(context, operation);
  if (effect === 'SECOND_MAIL' && form.sure !== 'on') return { asked: { operation, next: form.next ?? '' } };
  for (const id of await undoOperation(context, operation)) {
    const user = await findUserById(visit.db.read, context.board.id, id);
    if (user) visit.personChanged(user);
  }
  visit.keysChanged();
  const next = parseNext(form.next) ?? `/b/${context.board.pid}/activity`;
  throw redirect(reportDone(visit, `${next}${next.includes('?') ? '&' : '?'}done=${done[effect]}`));
});

/** Why something could not be undone, or what it means to undo it. */
export default function Undoing() {
  const result = useActionData<typeof action>();
  const asked = result && 'asked' in result ? result.asked : null;
  const answer = asked ? undefined : formAnswerOf(result);
  const board = useBoard();
  const l = useLocale();
  return (
    <main id="main" className="page-narrow stack">
      <title>{`${m.undo(l)} · ${board?.name ?? ''}`}</title>
      <h1>{m.undo(l)}</h1>
      {answer?.message && (
        <p className="note" data-kind="error" role="alert">
          {answer.message}
        </p>
      )}
      {asked && (
        <PageForm answer={undefined} action={`/b/${board?.pid}/undo`}>
          <p>{m.undoSecondMail(l)}</p>
          <input type="hidden" name="operation" value={asked.operation} />
          <input type="hidden" name="next" value={asked.next} />
          <Submit name="sure" value="on">
            {m.undo(l)}
          </Submit>
        </PageForm>
      )}
      <p>
        <Link
          className="button"
          data-kind="plain"
          to={parseNext(asked?.next ?? answer?.values.next) ?? `/b/${board?.pid}`}
        >
          {m.back(l)}
        </Link>
      </p>
    </main>
  );
}
