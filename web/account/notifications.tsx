import { type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { setMailPreferences } from '#src/feedback/notifying/preferences.ts';
import * as m from '../i18n/messages.ts';
import { preferencesOf, viewPreferences } from '../mails/preferences.ts';
import { MailPreferences } from '../mails/preferences.tsx';
import { formAnswerOf } from '../parts/requests/forms.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { formAction, requireSelf } from '../parts/requests/member.ts';
import { reportDone } from '../parts/requests/toasts.ts';
import { PageTitle } from '../parts/show/page-title.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireSelf(args);
  return { email: user?.email ?? null, preferences: user && viewPreferences(user) };
}

export const action = formAction(requireSelf, async ({ visit, context, user, form }) => {
  if (user) visit.personChanged(await setMailPreferences(context, user, preferencesOf(form, user)));
  throw redirect(reportDone(visit, `/b/${context.board.pid}/settings/notifications?done=saved`));
});

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
