import { redirect, useActionData, useSearchParams } from 'react-router';
import * as m from '../i18n/messages.ts';
import { parseNext, withNext } from '../lib/next.ts';
import { PageForm, Submit, TextField } from '../parts/forms/form.tsx';
import { PlainPage } from '../parts/frame/plain-page.tsx';
import { formAnswerOf } from '../parts/requests/forms.ts';
import { loadFrame } from '../parts/requests/frame.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { formAction, openVisit } from '../parts/requests/member.ts';

export const loader = loadFrame;

export const action = formAction(openVisit, async ({ visit, form }, { url }) => {
  await visit.access.secondFactor.signIn(form.code ?? '');
  const next = parseNext(url.searchParams.get('next'));
  throw redirect(withNext('/sign-in', next));
});

/** The second step of signing in. */
export default function SecondFactor() {
  const answer = formAnswerOf(useActionData<typeof action>());
  const [search] = useSearchParams();
  const l = useLocale();
  return (
    <PlainPage title={m.secondFactor(l)}>
      <PageForm answer={answer} action={`?${search}`}>
        <TextField name="code" label={m.code(l)} help={m.codeHelp(l)} autoComplete="one-time-code" required />
        <Submit>{m.signIn(l)}</Submit>
      </PageForm>
    </PlainPage>
  );
}
