import { useEffect, useState } from 'react';
import { useSubmit } from 'react-router';
import type { OwnerProof } from '#src/identity/accounts/owner-check.ts';
import { formatDaysAgo, formatTimeIn } from '../i18n/measures.ts';
import * as m from '../i18n/messages.ts';
import { createPasskey, hasPasskeys } from '../lib/passkeys.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useLocale, useTimeZone } from '../parts/requests/locale.ts';
import { describeDevice } from './device.ts';
import { OwnPassword } from './owner.tsx';

export type PasskeyView = {
  id: string;
  domain: string;
  userAgent: string | null;
  addedAt: number;
  usedAt: number | null;
};

type PasskeysProps = {
  passkeys: PasskeyView[];
  /** What the browser needs to create one, once the user has asked for it. */
  options: PublicKeyCredentialCreationOptionsJSON | null;
  needs: OwnerProof;
  isEmailProven: boolean;
  now: number;
  answer: FormAnswer | undefined;
};

/** Lists the passkeys of the account, each with a button that removes it, and adds one. */
export function Passkeys({ passkeys, options, needs, isEmailProven, now, answer }: PasskeysProps) {
  const l = useLocale();
  const [isOffered, setIsOffered] = useState(false);
  const isUnmade = useCreation(options);
  const refusal = isUnmade ? m.passkeyNotAdded(l) : answer?.values.intent === 'passkey' && answer.message;
  useEffect(() => setIsOffered(hasPasskeys()), []);
  return (
    <section className="stack" aria-labelledby="passkeys">
      <h2 id="passkeys">{m.passkeys(l)}</h2>
      <p className="muted">{m.passkeysHelp(l)}</p>
      {passkeys.length > 0 && (
        <ul className="rows">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="row-item">
              <Passkey passkey={passkey} now={now} />
              {needs !== 'code' && <Removal id={passkey.id} needs={needs} answer={answer} />}
            </li>
          ))}
        </ul>
      )}
      {needs !== 'code' && !isEmailProven && <p className="note">{m.passkeyUnproven(l)}</p>}
      {needs !== 'code' && isEmailProven && isOffered && (
        <PageForm answer={answer} intent="passkey-begin">
          {refusal && (
            <p className="note" data-kind="error" role="alert">
              {refusal}
            </p>
          )}
          <OwnPassword needs={needs} />
          <Submit>{m.passkeyAdd(l)}</Submit>
        </PageForm>
      )}
    </section>
  );
}

/** Lets the browser create a passkey, and sends it. @returns whether none was created */
function useCreation(options: PasskeysProps['options']): boolean {
  const submit = useSubmit();
  const [isRefused, setIsRefused] = useState(false);
  useEffect(() => {
    if (!options) return;
    setIsRefused(false);
    createPasskey(options).then(
      (passkey) => submit({ intent: 'passkey', passkey }, { method: 'post' }),
      () => setIsRefused(true),
    );
  }, [options, submit]);
  return isRefused;
}

function Passkey({ passkey, now }: { passkey: PasskeyView; now: number }) {
  const l = useLocale();
  const timeZone = useTimeZone();
  const { browser, system } = describeDevice(passkey.userAgent);
  const name = browser ?? m.unknownBrowser(l);
  const { usedAt } = passkey;
  return (
    <div className="person">
      <span>{system === null ? name : m.browserOn(l, { browser: name, system })}</span>
      <span className="muted small">
        {usedAt === null ? m.passkeyNew(l) : m.sessionUsed(l, { when: formatDaysAgo(l, usedAt, now, timeZone) })} ·{' '}
        <bdi>{passkey.domain}</bdi>
      </span>
      <time className="muted small" dateTime={new Date(passkey.addedAt).toISOString()}>
        {m.passkeyAdded(l, { when: formatTimeIn(l, passkey.addedAt, timeZone) })}
      </time>
    </div>
  );
}

/** Removes a passkey; where the password is needed, its field opens first. */
function Removal({ id, needs, answer }: { id: string; needs: OwnerProof; answer: FormAnswer | undefined }) {
  const l = useLocale();
  const own = answer?.values.id === id ? answer : undefined;
  const form = (
    <PageForm answer={own} intent="passkey-end" className={needs === 'password' ? 'stack' : 'inline'}>
      <input type="hidden" name="id" value={id} />
      <OwnPassword needs={needs} />
      <Submit kind={needs === 'password' ? 'danger' : 'plain'}>{m.remove(l)}</Submit>
    </PageForm>
  );
  if (needs !== 'password') return form;
  return (
    <details open={own !== undefined || undefined}>
      <summary>{m.remove(l)}</summary>
      {form}
    </details>
  );
}
