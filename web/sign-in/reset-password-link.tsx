import { Link, type LoaderFunctionArgs, useActionData, useLoaderData } from 'react-router';
import { PASSWORD } from '#src/identity/accounts/rules.ts';
import * as m from '../i18n/messages.ts';
import { parseNext, withNext } from '../lib/next.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { NewPasswordField } from '../parts/forms/settings-fields.tsx';
import { PlainPage } from '../parts/frame/plain-page.tsx';
import { formAnswerOf } from '../parts/requests/forms.ts';
import { loadFrame } from '../parts/requests/frame.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { formAction, openVisit } from '../parts/requests/member.ts';

export async function loader(args: LoaderFunctionArgs) {
  const next = parseNext(args.url.searchParams.get('next'));
  return { ...(await loadFrame(args)), next, length: PASSWORD };
}

export const action = formAction(openVisit, async ({ visit, form }, { params }) => {
  await visit.access.resetPassword(params.token ?? '', form.password ?? '');
  return { isDone: true };
});

/** Chooses a new password by the link of a mail. */
export default function ResetPasswordLink() {
  const { length, next } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const answer = formAnswerOf(result);
  const l = useLocale();
  if (result && 'isDone' in result) {
    return (
      <PlainPage title={m.newPassword(l)}>
        <p>{m.passwordChanged(l)}</p>
        <p>
          <Link to={withNext('/sign-in', next)}>{m.toSignIn(l)}</Link>
        </p>
      </PlainPage>
    );
  }
  return (
    <PlainPage title={m.newPassword(l)}>
      {answer?.errors.token && (
        <p className="note" data-kind="error" role="alert">
          {answer.errors.token} <Link to={withNext('/reset-password', next)}>{m.askAgain(l)}</Link>
        </p>
      )}
      <PageForm answer={answer} action={withNext('', next)}>
        <NewPasswordField label={m.newPassword(l)} length={length} required />
        <Submit>{m.save(l)}</Submit>
      </PageForm>
    </PlainPage>
  );
}
