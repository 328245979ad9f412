import { Link } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { PageForm, Submit } from '../../parts/forms/form.tsx';
import { Radios } from '../../parts/forms/settings-fields.tsx';
import type { FormAnswer } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { Verification } from './verification.tsx';
import type { ExchangeView, WebhookState } from './webhooks.ts';

type EnablingProps = {
  state: WebhookState;
  reason: string | null;
  waiting: number;
  verification: ExchangeView | null;
  answer: FormAnswer | undefined;
  isChat: boolean;
};

/** Enables a webhook, which verifies its receiver first, or disables it. Shows the receiver's last response. */
export function Enabling({ state, reason, waiting, verification, answer, isChat }: EnablingProps) {
  const l = useLocale();
  const isEnabled = state === 'active' || state === 'failing';
  return (
    <section className="stack" aria-labelledby="enabling">
      <h2 id="enabling">{isEnabled ? m.enabledTitle(l) : m.enableTitle(l)}</h2>
      {state === 'new' && (
        <p className="muted">
          {isChat ? (
            m.enableChat(l)
          ) : (
            <>
              {m.enableFirst(l)} <Link to="secrets">{m.secrets(l)}</Link> · <Link to="receiver">{m.receiver(l)}</Link>
            </>
          )}
        </p>
      )}
      {state === 'stopped' && (
        <p className="note" data-kind="error">
          {m.stoppedBecause(l)} {reason}
        </p>
      )}
      {isEnabled ? (
        <div className="row">
          <PageForm answer={answer} intent="test" className="inline">
            <Submit>{isChat ? m.sendTestMessage(l) : m.sendTest(l)}</Submit>
          </PageForm>
          <PageForm answer={answer} intent="disable" className="inline">
            <Submit kind="plain">{m.disable(l)}</Submit>
          </PageForm>
        </div>
      ) : (
        <PageForm answer={answer} intent="enable">
          {waiting > 0 && (
            <Radios
              name="backlog"
              legend={m.backlog(l, { count: waiting })}
              defaultValue="deliver"
              options={{ deliver: m.backlogDeliver(l), skip: m.backlogSkip(l) }}
            />
          )}
          <Submit>{m.enable(l)}</Submit>
        </PageForm>
      )}
      {verification && (
        <details open={!isEnabled || !verification.isGood}>
          <summary>{m.lastVerification(l)}</summary>
          <Verification exchange={verification} />
        </details>
      )}
    </section>
  );
}
