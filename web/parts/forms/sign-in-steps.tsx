import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import * as m from '../../i18n/messages.ts';
import { hasPasskeys } from '../../lib/passkeys.ts';
import type { FormAnswer } from '../requests/forms.ts';
import { useLocale } from '../requests/locale.ts';
import { Sentence } from '../show/sentence.tsx';
import { PageForm, Submit, TextField } from './form.tsx';
import { MailedCode } from './mailed-code.tsx';

/** How long the button to send another mail waits, in seconds. */
const AGAIN_SECONDS = 30;

/** Loaded where it is shown: not before scripts run, and only in browsers that have passkeys. */
const UsePasskey = lazy(async () => ({ default: (await import('./use-passkey.tsx')).UsePasskey }));

/** How the steps are sent: to the page that they are on, or from within another page, which stays (`within`). */
type StepProps = {
  answer: FormAnswer | undefined;
  /** The path to go on to. */
  next: string | null;
  within?: undefined | { action: string; navigate: false; fetcherKey: string };
  /** What else can be done, beside the links of the step. */
  children?: ReactNode;
};

/** The first step of signing in by mail: the address; on a page of its own with a password, if that is preferred. */
export function AddressStep({
  answer,
  next,
  within,
  hasPassword = false,
  help,
  children,
}: StepProps & { hasPassword?: boolean; help?: string | undefined }) {
  const l = useLocale();
  const [isPasskeyOffered, setIsPasskeyOffered] = useState(false);
  useEffect(() => setIsPasskeyOffered(hasPasskeys()), []);
  return (
    <PageForm answer={answer} intent={hasPassword ? 'password' : 'link'} aria-label={m.signIn(l)} {...within}>
      <Onward next={next} isWithin={within !== undefined} />
      <TextField
        name="email"
        type="email"
        label={m.email(l)}
        help={help}
        autoComplete={hasPassword ? 'username' : 'email'}
        autoFocus
        required
      />
      {hasPassword && (
        <TextField name="password" type="password" label={m.password(l)} autoComplete="current-password" required />
      )}
      <Submit>{hasPassword ? m.signIn(l) : m.goOn(l)}</Submit>
      <div className="step-links">
        {children}
        {isPasskeyOffered && (
          <Suspense>
            <UsePasskey answer={answer} next={next} within={within} />
          </Suspense>
        )}
      </div>
    </PageForm>
  );
}

/** The second step: the code of the mail, which can be sent again, or to another address. */
export function CodeStep({ answer, next, within, waitsFor, children }: StepProps & { waitsFor: string }) {
  const l = useLocale();
  const onward = <Onward next={next} isWithin={within !== undefined} />;
  return (
    <div className="stack">
      <p className="code-sent">
        <Sentence text={m.codeSentTo(l, { email: '{email}' })} parts={{ email: <b dir="ltr">{waitsFor}</b> }} />
      </p>
      <PageForm answer={answer} intent="code" aria-label={m.enterCode(l)} {...within}>
        {onward}
        <MailedCode isLabelHidden />
        <Submit>{m.confirm(l)}</Submit>
      </PageForm>
      <div className="step-links">
        <SendAgain answer={answer} waitsFor={waitsFor} within={within}>
          {onward}
        </SendAgain>
        <PageForm answer={answer} intent="again" className="inline" {...within}>
          {onward}
          <Submit kind="quiet">{m.changeAddress(l)}</Submit>
        </PageForm>
        {children}
      </div>
    </div>
  );
}

/** Tells the action where to continue, and whether the page stays. */
function Onward({ next, isWithin }: { next: string | null; isWithin: boolean }) {
  return (
    <>
      <input type="hidden" name="next" value={next ?? ''} />
      {isWithin && <input type="hidden" name="within" value="page" />}
    </>
  );
}

/** Sends another mail: not at once, since the first may be on its way. */
function SendAgain({ answer, within, waitsFor, children }: Omit<StepProps, 'next'> & { waitsFor: string }) {
  const l = useLocale();
  const [left, setLeft] = useState(0);
  useEffect(() => setLeft(AGAIN_SECONDS), []);
  useEffect(() => {
    const timer = left > 0 ? setTimeout(() => setLeft(left - 1), 1_000) : undefined;
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <PageForm answer={answer} intent="link" className="inline" onSubmit={() => setLeft(AGAIN_SECONDS)} {...within}>
      {children}
      <input type="hidden" name="email" value={waitsFor} />
      <Submit kind="quiet" isDisabled={left > 0}>
        {left > 0 ? m.sendAgainIn(l, { seconds: left }) : m.sendAgain(l)}
      </Submit>
    </PageForm>
  );
}
