import { Link, type LoaderFunctionArgs, redirect, useActionData, useLoaderData, useSearchParams } from 'react-router';
import { PASSWORD } from '#src/identity/accounts/rules.ts';
import * as m from '../i18n/messages.ts';
import { parseNext, withNext } from '../lib/next.ts';
import { visitContext } from '../lib/visit.ts';
import { PageForm, Submit, TextField } from '../parts/forms/form.tsx';
import { NewPasswordField } from '../parts/forms/settings-fields.tsx';
import { PlainPage } from '../parts/frame/plain-page.tsx';
import { isFailure, wordsOf } from '../parts/requests/failure.ts';
import { formAnswerOf } from '../parts/requests/forms.ts';
import { findFrame } from '../parts/requests/frame.ts';
import { describeBegun, takeBegun } from '../parts/requests/joining.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { formAction, openVisit } from '../parts/requests/member.ts';
import { BegunList } from './begun.tsx';

export async function loader({ context, params, url }: LoaderFunctionArgs) {
  const visit = context.get(visitContext);
  const token = params.token ?? '';
  const next = parseNext(url.searchParams.get('next'));
  const page = { signIn: withNext('/sign-in', next), frame: await findFrame(visit, next) };
  try {
    const { email, begun, hasAccount } = await visit.access.byMail.readLink(token);
    if (hasAccount) throw redirect(withNext(`/sign-in/link/${token}`, next));
    return { ...page, email, begun: await describeBegun(visit, begun), passwordLength: PASSWORD };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { ...page, email: null, reason: wordsOf(error) };
  }
}

export const action = formAction(openVisit, async ({ visit, form }, { params, request, url }) => {
  const { name = '', password = '' } = form;
  const begun = await visit.access.byMail.signUp(params.token ?? '', { name, password });
  const headers = await takeBegun(visit, request, begun);
  const next = parseNext(url.searchParams.get('next')) ?? '/';
  throw redirect(withNext('/sign-in', next), { headers });
});

/** Where a mailed link leads if its recipient has no account yet. */
export default function SignUp() {
  const page = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const [search] = useSearchParams();
  const l = useLocale();
  if (page.email === null) {
    return (
      <PlainPage title={m.linkUseless(l)}>
        <p>{page.reason}</p>
        <p>
          <Link to={page.signIn}>{m.toSignIn(l)}</Link>
        </p>
      </PlainPage>
    );
  }
  // Errors of the link or the address have no field here.
  const message = answer?.message ?? answer?.errors.email ?? answer?.errors.token ?? null;
  return (
    <PlainPage title={m.signUp(l)}>
      <p>{m.signUpFor(l, { email: page.email })}</p>
      <BegunList begun={page.begun} />
      <PageForm answer={answer && { ...answer, message }} action={`?${search}`}>
        <TextField
          name="name"
          label={m.yourName(l)}
          help={m.signUpName(l)}
          autoComplete="name"
          maxLength={100}
          required
        />
        <NewPasswordField label={m.passwordOptional(l)} length={page.passwordLength} />
        <Submit>{m.makeOwnAccount(l)}</Submit>
      </PageForm>
    </PlainPage>
  );
}
