import type { OwnerProof } from '#src/identity/accounts/owner-check.ts';
import type { Enrolment } from '#src/identity/accounts/second-factor.ts';
import * as m from '../i18n/messages.ts';
import type { QrPath } from '../lib/qr.ts';
import { PageForm, Submit, TextField } from '../parts/forms/form.tsx';
import { NewPasswordField } from '../parts/forms/settings-fields.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { CopyText } from '../parts/team/copy.tsx';
import { QrCode } from '../parts/team/qr-code.tsx';
import { OwnPassword } from './owner.tsx';

type SecondFactorProps = {
  isOn: boolean;
  needs: OwnerProof;
  passwordLength: { min: number; max: number };
  answer: FormAnswer | undefined;
};

/** Turns the second factor on or off. It requires a password, so users without one choose it here. */
export function SecondFactor({ isOn, needs, passwordLength, answer }: SecondFactorProps) {
  const l = useLocale();
  const shown = answer?.errors.password
    ? { ...answer, errors: { ...answer.errors, currentPassword: answer.errors.password } }
    : answer;
  if (answer?.values.intent === 'factor-code') {
    return (
      <PageForm answer={answer} intent="factor-code">
        <p>{m.factorAgain(l)}</p>
        <FactorCode />
      </PageForm>
    );
  }
  return (
    <PageForm answer={shown} intent={isOn ? 'factor-end' : 'factor'}>
      <p className="muted">{isOn ? m.factorOn(l) : m.factorOff(l)}</p>
      {needs === 'none' && (
        <>
          <p>{m.factorPassword(l)}</p>
          <NewPasswordField label={m.newPassword(l)} length={passwordLength} required />
        </>
      )}
      <OwnPassword needs={needs} />
      <Submit kind={isOn ? 'danger' : 'primary'}>{isOn ? m.factorEnd(l) : m.factorBegin(l)}</Submit>
    </PageForm>
  );
}

/** Shows what an authenticator app needs, and the form for its first code. */
export function SecondFactorEnrolment({ secret, uri, qr, backupCodes }: Enrolment & { qr: QrPath }) {
  const l = useLocale();
  return (
    <div className="stack">
      <p>{m.factorScan(l)}</p>
      <QrCode code={qr} label={m.factorQr(l)} />
      <p>
        <a className="button" href={uri}>
          {m.factorOpen(l)}
        </a>
      </p>
      <CopyText text={secret} label={m.factorSecret(l)} />
      <CopyText text={backupCodes.join('\n')} label={m.backupCodes(l)} />
      <PageForm answer={undefined} intent="factor-code">
        <FactorCode />
      </PageForm>
    </div>
  );
}

function FactorCode() {
  const l = useLocale();
  return (
    <>
      <TextField name="code" label={m.code(l)} autoComplete="one-time-code" inputMode="numeric" required />
      <Submit>{m.confirm(l)}</Submit>
    </>
  );
}
