import * as m from '../i18n/messages.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';

/** After a change that notifies users: for a minute, this can still be stopped. */
export function StopMails({ notice, answer }: { notice: string; answer: FormAnswer | undefined }) {
  const l = useLocale();
  return (
    <PageForm answer={answer} intent="stop-mails" action="?" className="note row">
      <input type="hidden" name="notice" value={notice} />
      <span>{m.mailsHeld(l)}</span>
      <Submit kind="plain">{m.stopMails(l)}</Submit>
    </PageForm>
  );
}
