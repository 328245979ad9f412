import { useActionData, useSearchParams } from 'react-router';
import * as m from '../i18n/messages.ts';
import { parseNext } from '../lib/next.ts';
import { PageForm, Submit, TextField } from '../parts/forms/form.tsx';
import { PlainPage } from '../parts/frame/plain-page.tsx';
import { formAnswerOf } from '../parts/requests/forms.ts';
import { loadFrame } from '../parts/requests/frame.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { formAction, openVisit } from '../parts/requests/member.ts';

export const loader = loadFrame;

export const action = formAction(openVisit, async ({ visit, form }, { url }) => {
  const { email = '' } = form;
  const next = parseNext(url.searchParams.get('next'));
  await visit.access.requestReset(email, next);
  return { sentTo: email };
});

/** Requests a mail to choose a new password. */
export default function ResetPassword() {
  const result = useActionData<typeof action>();
  const [search] = useSearchParams();
  const l = useLocale();
  if (result && 'sentTo' in result) {
    return (
      <PlainPage title={m.mailSent(l)}>
        <p>{m.linkSentTo(l, { email: result.sentTo })}</p>
      </PlainPage>
    );
  }
  return (
    <PlainPage title={m.newPassword(l)}>
      <PageForm answer={formAnswerOf(result)} action={`?${search}`}>
        <TextField name="email" type="email" label={m.email(l)} autoComplete="email" required />
        <Submit>{m.sendResetLink(l)}</Submit>
      </PageForm>
    </PlainPage>
  );
}
