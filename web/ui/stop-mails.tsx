import * as m from '../i18n/messages.ts';
import type { FormAnswer } from '../lib/forms.ts';
import { useLocale } from '../lib/locale.ts';
import { PageForm, Submit } from './form.tsx';

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
