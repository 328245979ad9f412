import { type ActionFunctionArgs, redirect, useActionData } from 'react-router';
import * as m from '../i18n/messages.ts';
import { formAnswerOf, orFormAnswer } from '../lib/forms.ts';
import { useLocale } from '../lib/locale.ts';
import { homeOf } from '../lib/member.ts';
import { visitContext } from '../lib/visit.ts';
import { LinkPage } from '../ui/link-page.tsx';

export async function action({ context, params }: ActionFunctionArgs) {
  const visit = context.get(visitContext);
  return orFormAnswer({}, async () => {
    for (const person of await visit.access.confirmEmailChange(params.token ?? '')) visit.personChanged(person);
    const home = await homeOf(visit);
    throw redirect(home === '/' ? '/sign-in' : `${home}/account?done=saved`);
  });
}

/** Confirms a new address by the link of a mail. */
export default function ChangeEmail() {
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  return <LinkPage title={m.emailConfirm(l)} help={m.emailConfirmHelp(l)} submit={m.confirm(l)} answer={answer} />;
}
