import { type ActionFunctionArgs, useActionData, useSearchParams } from 'react-router';
import * as m from '../i18n/messages.ts';
import { parseNext } from '../lib/next.ts';
import { visitContext } from '../lib/visit.ts';
import { PageForm, Submit, TextField } from '../parts/forms/form.tsx';
import { PlainPage } from '../parts/frame/plain-page.tsx';
import { formAnswerOf, orFormAnswer, readForm } from '../parts/requests/forms.ts';
import { loadFrame } from '../parts/requests/frame.ts';
import { useLocale } from '../parts/requests/locale.ts';

export const loader = loadFrame;

export async function action({ context, request, url }: ActionFunctionArgs) {
  const form = await readForm(request);
  const { email = '' } = form;
  const next = parseNext(url.searchParams.get('next'));
  return orFormAnswer(form, async () => {
    await context.get(visitContext).access.requestReset(email, next);
    return { sentTo: email };
  });
}

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
