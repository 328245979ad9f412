import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import * as m from '../i18n/messages.ts';
import { parseNext, withNext } from '../lib/next.ts';
import { visitContext } from '../lib/visit.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { PlainPage } from '../parts/frame/plain-page.tsx';
import { isFailure, wordsOf } from '../parts/requests/failure.ts';
import { formAnswerOf, orFormAnswer } from '../parts/requests/forms.ts';
import { findFrame } from '../parts/requests/frame.ts';
import { describeBegun, takeBegun } from '../parts/requests/joining.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { BegunList } from './begun.tsx';
import { withFlag } from './sign-in.tsx';

export async function loader({ context, params, url }: LoaderFunctionArgs) {
  const visit = context.get(visitContext);
  const token = params.token ?? '';
  const next = parseNext(url.searchParams.get('next'));
  const page = { next, frame: await findFrame(visit, next) };
  try {
    const { email, begun, hasAccount } = await visit.access.byMail.readLink(token);
    if (!hasAccount) throw redirect(withNext(`/sign-up/${token}`, next));
    return { ...page, email, begun: await describeBegun(visit, begun) };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { ...page, email: null, reason: wordsOf(error) };
  }
}

export async function action({ context, params, request, url }: ActionFunctionArgs) {
  const visit = context.get(visitContext);
  return orFormAnswer({}, async () => {
    const { state, begun } = await visit.access.byMail.redeemLink(params.token ?? '');
    const headers = await takeBegun(visit, request, begun);
    const signIn = withNext('/sign-in', parseNext(url.searchParams.get('next')));
    throw redirect(state === 'password' ? withFlag(signIn, 'factor') : signIn, { headers });
  });
}

/** Signs in by the link of a mail. The button consumes it, not the page: programs that check mail open every link. */
export default function SignInLink() {
  const page = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  if (page.email === null || answer) {
    return (
      <PlainPage title={m.linkUseless(l)}>
        <p>{answer?.errors.token ?? answer?.message ?? (page.email === null ? page.reason : null)}</p>
        <p>
          <Link to={withNext('/sign-in', page.next)}>{m.toSignIn(l)}</Link>
        </p>
      </PlainPage>
    );
  }
  return (
    <PlainPage title={m.signIn(l)}>
      <PageForm answer={undefined} action={withNext('', page.next)}>
        <p>{m.signInAs(l, { email: page.email })}</p>
        <BegunList begun={page.begun} />
        <Submit>{m.signIn(l)}</Submit>
      </PageForm>
    </PlainPage>
  );
}
