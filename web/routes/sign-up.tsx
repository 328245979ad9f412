import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { PASSWORD } from '#src/identity/accounts/rules.ts';
import * as m from '../i18n/messages.ts';
import { isFailure, wordsOf } from '../lib/failure.ts';
import { formAnswerOf, orFormAnswer, readForm } from '../lib/forms.ts';
import { leadsToDrafts } from '../lib/joining.ts';
import { useLocale } from '../lib/locale.ts';
import { parseNext, withNext } from '../lib/next.ts';
import { visitContext } from '../lib/visit.ts';
import { NewPasswordField, PageForm, Submit, TextField } from '../ui/form.tsx';
import { PlainPage } from '../ui/plain-page.tsx';

export function loader({ context, params, url }: LoaderFunctionArgs) {
  const { access } = context.get(visitContext);
  const next = parseNext(url.searchParams.get('next'));
  const signIn = withNext('/sign-in', next);
  try {
    const email = access.readSignUp(params.token ?? '');
    return { email, signIn, hasDraft: leadsToDrafts(next), passwordLength: PASSWORD };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { email: null, signIn, reason: wordsOf(error) };
  }
}

export async function action({ context, params, request, url }: ActionFunctionArgs) {
  const form = await readForm(request);
  return orFormAnswer(form, async () => {
    const { name = '', password = '' } = form;
    await context.get(visitContext).access.signUp(params.token ?? '', { name, password });
    const next = parseNext(url.searchParams.get('next')) ?? '/';
    throw redirect(withNext('/sign-in', next));
  });
}

/** Where the link in a mail leads whose recipient has no account yet. */
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
  // What is wrong with the link or the address has no field here.
  const message = answer?.message ?? answer?.errors.email ?? answer?.errors.token ?? null;
  return (
    <PlainPage title={m.signUp(l)}>
      {page.hasDraft && <p className="note">{m.draftKept(l)}</p>}
      <p>{m.signUpFor(l, { email: page.email })}</p>
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
