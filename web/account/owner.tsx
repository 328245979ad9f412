import { Link } from 'react-router';
import type { OwnerProof } from '#src/identity/accounts/owner-check.ts';
import * as m from '../i18n/messages.ts';
import { withNext } from '../lib/next.ts';
import { PageForm, Submit, TextField } from '../parts/forms/form.tsx';
import { MailedCode } from '../parts/forms/mailed-code.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';

type ConfirmOwnerProps = { email: string; isWaiting: boolean; answer: FormAnswer | undefined };

/** Asks for a mailed code, where the account has no password and the session is not fresh. */
export function ConfirmOwner({ email, isWaiting, answer }: ConfirmOwnerProps) {
  const l = useLocale();
  return (
    <section className="note stack" aria-labelledby="owner">
      <h2 id="owner">{m.ownerConfirm(l)}</h2>
      <p>{isWaiting ? m.codeSentTo(l, { email }) : m.ownerConfirmHelp(l, { email })}</p>
      {isWaiting && (
        <PageForm answer={answer} intent="owner-code">
          <MailedCode />
          <Submit>{m.confirm(l)}</Submit>
        </PageForm>
      )}
      <PageForm answer={answer} intent="owner-mail">
        <Submit kind={isWaiting ? 'plain' : 'primary'}>{isWaiting ? m.ownerCodeAgain(l) : m.ownerCode(l)}</Submit>
      </PageForm>
    </section>
  );
}

/** The field for the password of an account that has one. */
export function OwnPassword({ needs }: { needs: OwnerProof }) {
  const board = useBoard();
  const l = useLocale();
  if (needs !== 'password') return null;
  return (
    <TextField
      name="currentPassword"
      type="password"
      label={m.currentPassword(l)}
      help={<Link to={withNext('/reset-password', `/b/${board?.pid}/settings/account`)}>{m.forgotPassword(l)}</Link>}
      autoComplete="current-password"
      required
    />
  );
}
