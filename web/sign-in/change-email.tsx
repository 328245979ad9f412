import { type ActionFunctionArgs, redirect, useActionData, useSearchParams } from 'react-router';
import * as m from '../i18n/messages.ts';
import { parseNext, withNext } from '../lib/next.ts';
import { visitContext } from '../lib/visit.ts';
import { formAnswerOf, orFormAnswer } from '../parts/requests/forms.ts';
import { loadFrame } from '../parts/requests/frame.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { reportDone } from '../parts/requests/toasts.ts';
import { LinkPage } from './link-page.tsx';

export const loader = loadFrame;

export async function action({ context, params, url }: ActionFunctionArgs) {
  const visit = context.get(visitContext);
  return orFormAnswer({}, async () => {
    for (const person of await visit.access.confirmEmailChange(params.token ?? '')) visit.personChanged(person);
    const next = parseNext(url.searchParams.get('next'));
    const isSignedIn = (await visit.access.current()) !== null;
    if (!isSignedIn || !next) throw redirect(withNext('/sign-in', next));
    throw redirect(reportDone(visit, `${next}${next.includes('?') ? '&' : '?'}done=saved`));
  });
}

/** Confirms a new address by the link of a mail. */
export default function ChangeEmail() {
  const answer = formAnswerOf(useActionData<typeof action>());
  const [search] = useSearchParams();
  const l = useLocale();
  const words = { title: m.emailConfirm(l), help: m.emailConfirmHelp(l), submit: m.confirm(l) };
  return <LinkPage {...words} search={`?${search}`} answer={answer} />;
}
