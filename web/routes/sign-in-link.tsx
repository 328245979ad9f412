import { type ActionFunctionArgs, redirect, useActionData, useSearchParams } from 'react-router';
import * as m from '../i18n/messages.ts';
import { formAnswerOf, orFormAnswer } from '../lib/forms.ts';
import { useLocale } from '../lib/locale.ts';
import { parseNext, withNext } from '../lib/next.ts';
import { visitContext } from '../lib/visit.ts';
import { LinkPage } from '../ui/link-page.tsx';

export async function action({ context, params, url }: ActionFunctionArgs) {
  return orFormAnswer({}, async () => {
    await context.get(visitContext).access.redeemLink(params.token ?? '');
    const next = parseNext(url.searchParams.get('next'));
    throw redirect(withNext('/sign-in', next));
  });
}

/** Signs in by the link of a mail. */
export default function SignInLink() {
  const answer = formAnswerOf(useActionData<typeof action>());
  const [search] = useSearchParams();
  const l = useLocale();
  return (
    <LinkPage title={m.signIn(l)} help={m.linkReady(l)} submit={m.signIn(l)} search={`?${search}`} answer={answer} />
  );
}
