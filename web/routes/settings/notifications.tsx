import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { setMailPreferences } from '#src/feedback/notifying/preferences.ts';
import * as m from '../../i18n/messages.ts';
import { formAnswerOf, orFormAnswer, readForm } from '../../lib/forms.ts';
import { useBoard, useLocale } from '../../lib/locale.ts';
import { preferencesOf, viewPreferences } from '../../lib/mail-preferences.ts';
import { requireSelf } from '../../lib/member.ts';
import { reportDone } from '../../lib/toasts.ts';
import { MailPreferences } from '../../ui/mail-preferences.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireSelf(args);
  return { email: user?.email ?? null, preferences: user && viewPreferences(user) };
}

export async function action(args: ActionFunctionArgs) {
  const { visit, context, user } = await requireSelf(args);
  const form = await readForm(args.request);
  return orFormAnswer(form, async () => {
    if (user) visit.personChanged(await setMailPreferences(context, user, preferencesOf(form, user)));
    throw redirect(reportDone(visit, `/b/${context.board.pid}/settings/notifications?done=saved`));
  });
}

/** What mail the user gets from the board. */
export default function Notifications() {
  const { email, preferences } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const board = useBoard();
  const l = useLocale();
  return (
    <div className="stack">
      <PageTitle>{m.notifications(l)}</PageTitle>
      {preferences === null ? (
        <p className="empty">{m.notificationsNone(l)}</p>
      ) : (
        <>
          <p>
            {email === null ? m.notificationsNowhere(l) : m.notificationsTo(l, { board: board?.name ?? '', email })}
          </p>
          <MailPreferences preferences={preferences} answer={answer} />
        </>
      )}
    </div>
  );
}
