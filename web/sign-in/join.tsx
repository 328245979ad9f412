import { Link, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { PASSWORD } from '#src/identity/accounts/rules.ts';
import { requireBoard } from '#src/identity/board/board.ts';
import { LAST_SETUP_STEP } from '#src/identity/settings/settings.ts';
import { acceptInvitation, requireInvitation } from '#src/identity/team/invitations.ts';
import type { Role } from '#src/identity/users/users.ts';
import type { Visit } from '#src/pages/visit.ts';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { withNext } from '../lib/next.ts';
import { visitContext } from '../lib/visit.ts';
import { PageForm, Submit, TextField } from '../parts/forms/form.tsx';
import { NewPasswordField } from '../parts/forms/settings-fields.tsx';
import { PlainPage } from '../parts/frame/plain-page.tsx';
import { isFailure, wordsOf } from '../parts/requests/failure.ts';
import { formAnswerOf } from '../parts/requests/forms.ts';
import { viewFrame } from '../parts/requests/frame.ts';
import { readLanguage } from '../parts/requests/joining.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { formAction, openVisit } from '../parts/requests/member.ts';
import { roleName } from '../parts/show/role.ts';

export async function loader({ context, params }: LoaderFunctionArgs) {
  const visit = context.get(visitContext);
  const token = params.token ?? '';
  const signedIn = await visit.access.current();
  try {
    const { board, email, role } = await findInvitation(visit, token);
    return {
      state: 'open' as const,
      frame: await viewFrame(visit, board),
      board: board.name,
      role,
      email,
      isSetup: board.setup_step !== 0,
      steps: LAST_SETUP_STEP,
      account: signedIn ? { name: signedIn.account.name, email: signedIn.account.email } : null,
      path: `/join/${token}`,
      passwordLength: PASSWORD,
    };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { state: 'closed' as const, frame: null, reason: wordsOf(error) };
  }
}

async function findInvitation({ db, clock }: Visit, token: string) {
  const invitation = await requireInvitation(db.read, token, clock.now());
  return { ...invitation, board: await requireBoard(db.read, invitation.board_id) };
}

export const action = formAction(openVisit, async ({ visit, form }, { params }) => {
  const token = params.token ?? '';
  const invitation = await findInvitation(visit, token);
  const signedIn = await visit.access.current();
  const { name = '', password = '' } = form;
  const email = invitation.email ?? form.email ?? '';
  const proof = invitation.email === null ? 'typed' : 'proven';
  const account = signedIn?.account ?? (await visit.access.create({ name, email, password }, proof));
  const context = await visit.openDoor(invitation.board.pid);
  visit.personChanged(await acceptInvitation(context, token, account, readLanguage(visit, context.board)));
  const home = `/b/${invitation.board.pid}`;
  // Now, since the mail belongs to a board of the account.
  // The setup may rename the board before the link is used, so that mail leads to wherever it is then.
  if (!signedIn && proof === 'typed') await visit.access.requestConfirmation(account, '/');
  if (invitation.role === 'MEMBER') throw redirect(home);
  if (invitation.role === 'MODERATOR') throw redirect(`${home}/triage/unanswered?welcome`);
  throw redirect(`${home}/${invitation.board.setup_step === 0 ? 'settings' : 'setup'}`);
});

/** Where an invitation leads: the first owner's starts the setup of the board. */
export default function Join() {
  const invitation = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  if (invitation.state === 'closed') {
    return (
      <PlainPage title={m.linkUseless(l)}>
        <p>{invitation.reason}</p>
        <p>
          <Link to="/sign-in">{m.toSignIn(l)}</Link>
        </p>
      </PlainPage>
    );
  }
  const { role, email, isSetup, steps, account, path, passwordLength } = invitation;
  return (
    <PlainPage title={titleOf(l, invitation)}>
      {isSetup && <p className="muted small">{m.stepOf(l, { step: 1, steps })}</p>}
      {role !== 'MEMBER' && <p>{isSetup ? m.setupOwnerHelp(l) : m.joinHelp(l, { role: roleName(l, role) })}</p>}
      {account ? (
        <PageForm answer={answer}>
          <Submit>{m.joinAs(l, { email: account.email })}</Submit>
        </PageForm>
      ) : (
        <PageForm answer={answer}>
          <TextField name="name" label={m.yourName(l)} autoComplete="name" maxLength={100} required />
          {email === null ? (
            <TextField name="email" type="email" label={m.email(l)} autoComplete="email" required />
          ) : (
            <TextField name="email" type="email" label={m.email(l)} value={email} readOnly autoComplete="username" />
          )}
          <NewPasswordField label={m.password(l)} length={passwordLength} required />
          <Submit>{isSetup ? m.goOn(l) : m.makeAccount(l)}</Submit>
          <p className="small">
            {m.haveAccount(l)} <Link to={withNext('/sign-in', path)}>{m.signIn(l)}</Link>
          </p>
        </PageForm>
      )}
    </PlainPage>
  );
}

function titleOf(l: Locale, { isSetup, role, board }: { isSetup: boolean; role: Role; board: string }): string {
  if (isSetup) return m.setupOwner(l);
  return role === 'MEMBER' ? m.joinBoardTitle(l, { board }) : m.joinTitle(l, { board });
}
