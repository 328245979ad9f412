import { formatDaysAgo, formatTimeIn } from '../i18n/measures.ts';
import * as m from '../i18n/messages.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useLocale, useTimeZone } from '../parts/requests/locale.ts';
import { describeDevice } from './device.ts';

export type SessionView = {
  id: string;
  address: string | null;
  userAgent: string | null;
  signedInAt: number;
  /** Accurate to a day. */
  usedAt: number;
  isThis: boolean;
};

type SessionsProps = { sessions: SessionView[]; now: number; answer: FormAnswer | undefined };

/** Lists the sessions of the account, each with a button that ends it. */
export function Sessions({ sessions, now, answer }: SessionsProps) {
  const l = useLocale();
  return (
    <section className="stack" aria-labelledby="sessions">
      <h2 id="sessions">{m.sessions(l)}</h2>
      <ul className="rows">
        {sessions.map((session) => (
          <li key={session.id} className="row-item">
            <Session session={session} now={now} />
            {!session.isThis && (
              <PageForm answer={answer} intent="session" className="inline">
                <input type="hidden" name="id" value={session.id} />
                <Submit kind="plain">{m.signOut(l)}</Submit>
              </PageForm>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <PageForm answer={answer} intent="sessions" className="inline">
          <Submit kind="plain">{m.signOutOthers(l)}</Submit>
        </PageForm>
      )}
    </section>
  );
}

function Session({ session, now }: { session: SessionView; now: number }) {
  const { address, userAgent, signedInAt, usedAt, isThis } = session;
  const l = useLocale();
  const timeZone = useTimeZone();
  const { browser, system } = describeDevice(userAgent);
  const name = browser ?? m.unknownBrowser(l);
  return (
    <div className="person">
      <span>
        {system === null ? name : m.browserOn(l, { browser: name, system })}{' '}
        {isThis && <span className="muted">{m.thisBrowser(l)}</span>}
      </span>
      <span className="muted small">
        {m.sessionUsed(l, { when: formatDaysAgo(l, usedAt, now, timeZone) })} · {address ?? m.somewhere(l)}
      </span>
      <time className="muted small" dateTime={new Date(signedInAt).toISOString()}>
        {m.sessionBegun(l, { when: formatTimeIn(l, signedInAt, timeZone) })}
      </time>
    </div>
  );
}
