import { Link, redirect, useActionData } from 'react-router';
import { undoOperation } from '#src/feedback/undo/undo.ts';
import { findUserById } from '#src/identity/users/users.ts';
import * as m from '../i18n/messages.ts';
import { parseNext } from '../lib/next.ts';
import { formAnswerOf } from '../parts/requests/forms.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../parts/requests/member.ts';
import { reportDone } from '../parts/requests/toasts.ts';

/** The page is for forms: opened by its address, it only leads on. */
export const loader = memberLoader('post.see.team', () => null);

export const action = memberAction('post.see.team', async ({ visit, context, form }) => {
  for (const id of await undoOperation(context, form.operation ?? '')) {
    const user = await findUserById(visit.db.read, context.board.id, id);
    if (user) visit.personChanged(user);
  }
  visit.keysChanged();
  const next = parseNext(form.next) ?? `/b/${context.board.pid}/activity`;
  throw redirect(reportDone(visit, `${next}${next.includes('?') ? '&' : '?'}done=saved`));
});

/** Why something could not be undone. */
export default function CannotUndo() {
  const answer = formAnswerOf(useActionData<typeof action>());
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
      <p>
        <Link className="button" data-kind="plain" to={parseNext(answer?.values.next) ?? `/b/${board?.pid}`}>
          {m.back(l)}
        </Link>
      </p>
    </main>
  );
}
