import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import * as m from '../i18n/messages.ts';
import { formAnswerOf, orFormAnswer, readForm } from '../lib/forms.ts';
import { useLocale } from '../lib/locale.ts';
import { homeOf } from '../lib/member.ts';
import { parseNext } from '../lib/next.ts';
import { visitContext } from '../lib/visit.ts';
import { PageForm, Submit, TextField } from '../ui/form.tsx';
import { PlainPage } from '../ui/plain-page.tsx';

export async function loader({ context, url }: LoaderFunctionArgs) {
  const visit = context.get(visitContext);
  const next = parseNext(url.searchParams.get('next'));
  if (await visit.access.current()) throw redirect(next ?? (await homeOf(visit)));
  return { next };
}

export async function action({ context, request }: ActionFunctionArgs) {
  const visit = context.get(visitContext);
  const form = await readForm(request);
  const { email = '', password = '', intent } = form;
  return orFormAnswer(form, async () => {
    if (intent === 'link') {
      await visit.access.requestLink(email);
      return { linkSentTo: email };
    }
    const next = parseNext(form.next);
    const state = await visit.access.signIn(email, password);
    const query = next ? `?next=${encodeURIComponent(next)}` : '';
    // Who that is, only the next request knows: the cookie is on its way.
    throw redirect(state === 'code' ? `/sign-in/code${query}` : `/sign-in${query}`);
  });
}

export default function SignIn() {
  const { next } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const answer = formAnswerOf(result);
  const l = useLocale();
  if (result && 'linkSentTo' in result) {
    return (
      <PlainPage title={m.mailSent(l)}>
        <p>{m.linkSentTo(l, { email: result.linkSentTo })}</p>
      </PlainPage>
    );
  }
  return (
    <PlainPage title={m.signIn(l)}>
      <PageForm answer={answer} intent="password">
        <input type="hidden" name="next" value={next ?? ''} />
        <TextField name="email" type="email" label={m.email(l)} autoComplete="username" required />
        <TextField name="password" type="password" label={m.password(l)} autoComplete="current-password" required />
        <Submit>{m.signIn(l)}</Submit>
      </PageForm>
      <p className="small">
        <Link to="/reset-password">{m.forgotPassword(l)}</Link>
      </p>
      <hr className="rule" />
      <PageForm answer={answer} intent="link">
        <TextField name="email" type="email" label={m.emailForLink(l)} autoComplete="email" required />
        <Submit kind="plain">{m.sendLink(l)}</Submit>
      </PageForm>
    </PlainPage>
  );
}
