import type { CSSProperties } from 'react';
import type { MailState as State } from '#src/platform/mail/mails.ts';
import * as m from '../i18n/messages.ts';
import { useLocale } from '../parts/requests/locale.ts';

const colors: Record<State, string> = {
  waiting: 'var(--warn)',
  sent: 'var(--good)',
  bounced: 'var(--bad)',
  given_up: 'var(--bad)',
};

/** The state of a mail, in a word. */
export function MailState({ state }: { state: State }) {
  const l = useLocale();
  const words = {
    waiting: m.mailWaiting(l),
    sent: m.mailSentState(l),
    bounced: m.mailBounced(l),
    given_up: m.mailGivenUp(l),
  };
  return (
    <span className="status" style={{ '--status-color': colors[state] } as CSSProperties}>
      {words[state]}
    </span>
  );
}
