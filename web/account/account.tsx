import { type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { LINK_MINUTES, PASSWORD } from '#src/identity/accounts/rules.ts';
import { disconnect, listConnected } from '#src/operations/chat-in/connecting.ts';
import { chatNames, chats } from '#src/operations/chat-in/settings.ts';
import type { Visit } from '#src/pages/visit.ts';
import * as m from '../i18n/messages.ts';
import { makeQrPath } from '../lib/qr.ts';
import { PageForm, Submit, TextField } from '../parts/forms/form.tsx';
import { NewPasswordField } from '../parts/forms/settings-fields.tsx';
import { formAnswerOf } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { formAction, requireOwnAccount } from '../parts/requests/member.ts';
import { passkeySiteOf } from '../parts/requests/passkey-site.ts';
import { reportDone } from '../parts/requests/toasts.ts';
import { PageTitle } from '../parts/show/page-title.tsx';
import { Chats } from './chats.tsx';
import { confirmOwner, viewOwner } from './owner.ts';
import { ConfirmOwner, OwnPassword } from './owner.tsx';
import { Passkeys } from './passkeys.tsx';
import { SecondFactor, SecondFactorEnrolment } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { visit, context, user, account } = await requireOwnAccount(args);
  const current = await visit.access.current();
  const sessions = await visit.access.listSessions();
  const passkeys = await visit.access.passkeys.list();
  const connected = user ? await listConnected(context, user.id) : [];
  return {
    email: account.email,
    isEmailProven: account.is_email_verified === 1,
    hasSecondFactor: account.is_second_factor_on === 1,
    owner: await viewOwner(visit),
    passwordLength: PASSWORD,
    linkMinutes: LINK_MINUTES,
    now: visit.clock.now(),
    passkeys: passkeys.map(({ id, domain, user_agent, date_created, date_used }) => ({
      id,
      domain,
      userAgent: user_agent,
      addedAt: date_created,
      usedAt: date_used,
    })),
    chats: connected.map(({ identity, name }) => ({ identity, name, place: placeOf(identity) })),
    sessions: sessions.map(({ id, address, user_agent, date_created, date_updated }) => ({
      id,
      address,
      userAgent: user_agent,
      signedInAt: date_created,
      usedAt: date_updated,
      isThis: id === current?.session.id,
    })),
  };
}

export const action = formAction(requireOwnAccount, async ({ visit, context, user, account, form }) => {
  const { access } = visit;
  const { intent = '', password = '', currentPassword = '', code = '', id = '', email = '', passkey = '' } = form;
  const here = `/b/${context.board.pid}/settings/account`;
  await confirmOwner(visit, form, here);
  if (intent === 'factor') return { enrolment: await beginFactor(visit, currentPassword, password) };
  if (intent === 'email') {
    await access.requestEmailChange(email, currentPassword, here);
    return { mailedTo: email };
  }
  if (intent === 'confirm') {
    await access.requestConfirmation(account, here);
    return { mailedTo: account.email };
  }
  if (intent === 'passkey-begin') {
    return { passkey: await access.passkeys.beginAdding(await passkeySiteOf(visit), currentPassword) };
  }
  if (intent === 'passkey') await access.passkeys.add(await passkeySiteOf(visit), passkey);
  if (intent === 'passkey-end') await access.passkeys.remove(id, currentPassword);
  if (intent === 'factor-code') await access.secondFactor.confirm(code);
  if (intent === 'factor-end') await access.secondFactor.end(currentPassword);
  if (intent === 'password') await access.changePassword(currentPassword, password);
  if (intent === 'chat' && user) await disconnect(context, user.id, id);
  if (intent === 'session') await access.endSessions({ id });
  if (intent === 'sessions') await access.endSessions('others');
  throw redirect(reportDone(visit, `${here}?done=${intent.startsWith('session') ? 'signedOut' : 'saved'}`));
});

/** The chat, workspace and id of someone in a chat, for people to read. */
function placeOf(identity: string): string {
  const [name, ...ids] = identity.split(' ');
  const chat = chats.find((each) => each === name);
  return [chat && chatNames[chat], ...ids].filter(Boolean).join(' · ');
}

/** An account without a password gets one first, since signing in will require it. */
async function beginFactor({ access }: Visit, currentPassword: string, newPassword: string) {
  const hasPassword = (await access.ownerCheck.needs()) === 'password';
  if (!hasPassword) await access.changePassword('', newPassword);
  const enrolment = await access.secondFactor.begin(hasPassword ? currentPassword : newPassword);
  return { ...enrolment, qr: makeQrPath(enrolment.uri) };
}

/** How the user signs in (address, password, second factor), and where they are signed in. */
export default function Account() {
  const { email, owner, passwordLength, ...account } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const answer = formAnswerOf(result);
  const l = useLocale();
  const mustConfirm = owner.needs === 'code';
  return (
    <div className="stack sections">
      <PageTitle>{m.account(l)}</PageTitle>
      {mustConfirm && <ConfirmOwner email={email} isWaiting={owner.isWaiting} answer={answer} />}
      <section className="stack" aria-labelledby="email">
        <h2 id="email">{m.email(l)}</h2>
        {result && 'mailedTo' in result ? (
          <p className="note" role="status">
            {m.emailLinkSent(l, { email: result.mailedTo, minutes: account.linkMinutes })}
          </p>
        ) : (
          <>
            <p>{m.emailNow(l, { email })}</p>
            {!account.isEmailProven && (
              <PageForm answer={answer} intent="confirm">
                <p className="note">{m.emailUnproven(l)}</p>
                <Submit kind="plain">{m.emailProve(l)}</Submit>
              </PageForm>
            )}
            {!mustConfirm && (
              <PageForm answer={answer} intent="email">
                <TextField
                  name="email"
                  type="email"
                  label={m.emailNew(l)}
                  help={m.emailNewHelp(l)}
                  autoComplete="email"
                  maxLength={254}
                  required
                />
                <OwnPassword needs={owner.needs} />
                <Submit>{m.emailChange(l)}</Submit>
              </PageForm>
            )}
          </>
        )}
      </section>
      <section className="stack" aria-labelledby="password">
        <h2 id="password">{m.password(l)}</h2>
        {owner.needs !== 'password' && <p className="muted">{m.passwordNone(l)}</p>}
        {!mustConfirm && (
          <PageForm answer={answer} intent="password">
            <OwnPassword needs={owner.needs} />
            <NewPasswordField label={m.newPassword(l)} length={passwordLength} required />
            <Submit>{owner.needs === 'password' ? m.changePassword(l) : m.setPassword(l)}</Submit>
          </PageForm>
        )}
      </section>
      <section className="stack" aria-labelledby="factor">
        <h2 id="factor">{m.secondFactor(l)}</h2>
        {result && 'enrolment' in result ? (
          <SecondFactorEnrolment {...result.enrolment} />
        ) : mustConfirm ? (
          <p className="muted">{m.factorOff(l)}</p>
        ) : (
          <SecondFactor
            isOn={account.hasSecondFactor}
            needs={owner.needs}
            passwordLength={passwordLength}
            answer={answer}
          />
        )}
      </section>
      <Passkeys
        passkeys={account.passkeys}
        options={result && 'passkey' in result ? result.passkey : null}
        needs={owner.needs}
        isEmailProven={account.isEmailProven}
        now={account.now}
        answer={answer}
      />
      <Chats chats={account.chats} answer={answer} />
      <Sessions sessions={account.sessions} now={account.now} answer={answer} />
    </div>
  );
}
