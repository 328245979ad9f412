import * as m from '../i18n/messages.ts';
import { Checkbox, PageForm, Submit } from '../parts/forms/form.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import type { PlanView } from './acting.ts';

type PublishProps = { plan: PlanView; answer: FormAnswer | undefined };

/** Publishes the entry, and sets the ideas that it links to completed, unless the team chooses not to. */
export function Publish({ plan: { open, status, mailed }, answer }: PublishProps) {
  const l = useLocale();
  return (
    <PageForm answer={answer} intent="publish" action="?" className="stack tight">
      {open > 0 && <Checkbox name="complete" label={m.completeIdeas(l, { count: open, status })} defaultChecked />}
      {mailed > 0 && <p>{m.emailsGoOnce(l, { count: mailed })}</p>}
      <Submit>{m.publishNow(l)}</Submit>
    </PageForm>
  );
}

/** After an entry is published: for a minute, its emails can still be stopped. */
export function StopMails({ title, answer }: { title: string; answer: FormAnswer | undefined }) {
  const l = useLocale();
  return (
    <PageForm answer={answer} intent="stop-mails" action="?" className="note row">
      <span>{m.mailsHeld(l, { title })}</span>
      <Submit kind="plain">{m.stopMails(l)}</Submit>
    </PageForm>
  );
}
