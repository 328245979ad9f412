import { type ActionFunctionArgs, Link, redirect, useActionData, useSearchParams } from 'react-router';
import * as m from '../i18n/messages.ts';
import { formAnswerOf, orFormAnswer } from '../lib/forms.ts';
import { useLocale } from '../lib/locale.ts';
import { parseNext } from '../lib/next.ts';
import { visitContext } from '../lib/visit.ts';
import { PageForm, Submit } from '../ui/form.tsx';
import { PlainPage } from '../ui/plain-page.tsx';

export async function action({ context, params, url }: ActionFunctionArgs) {
  return orFormAnswer({}, async () => {
    await context.get(visitContext).access.redeemLink(params.token ?? '');
    const next = parseNext(url.searchParams.get('next'));
    throw redirect(next ? `/sign-in?next=${encodeURIComponent(next)}` : '/sign-in');
  });
}

/** Where the link in a mail leads. The button uses it up, not the page: programs that check mail open every link. */
export default function SignInLink() {
  const answer = formAnswerOf(useActionData<typeof action>());
  const [search] = useSearchParams();
  const l = useLocale();
  return (
    <PlainPage title={m.signIn(l)}>
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
        <PageForm answer={undefined} action={`?${search}`}>
          <p>{m.linkReady(l)}</p>
          <Submit>{m.signIn(l)}</Submit>
        </PageForm>
      )}
    </PlainPage>
  );
}
