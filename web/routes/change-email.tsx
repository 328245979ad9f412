import { type ActionFunctionArgs, Link, redirect, useActionData } from 'react-router';
import * as m from '../i18n/messages.ts';
import { formAnswerOf, orFormAnswer } from '../lib/forms.ts';
import { useLocale } from '../lib/locale.ts';
import { homeOf } from '../lib/member.ts';
import { visitContext } from '../lib/visit.ts';
import { PageForm, Submit } from '../ui/form.tsx';
import { PlainPage } from '../ui/plain-page.tsx';

export async function action({ context, params }: ActionFunctionArgs) {
  const visit = context.get(visitContext);
  return orFormAnswer({}, async () => {
    for (const person of await visit.access.confirmEmailChange(params.token ?? '')) visit.personChanged(person);
    const home = await homeOf(visit);
    throw redirect(home === '/' ? '/sign-in' : `${home}/account?done=saved`);
  });
}

/** Where the link to a new address leads. The button uses it up: programs that check mail open every link. */
export default function ChangeEmail() {
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  return (
    <PlainPage title={m.emailConfirm(l)}>
      {answer ? (
        <>
          <p className="note" data-kind="error" role="alert">
            {answer.errors.token ?? answer.message}
          </p>
          <p>
            <Link to="/sign-in">{m.toSignIn(l)}</Link>
          </p>
        </>
      ) : (
        <PageForm answer={undefined}>
          <p>{m.emailConfirmHelp(l)}</p>
          <Submit>{m.confirm(l)}</Submit>
        </PageForm>
      )}
    </PlainPage>
  );
}
