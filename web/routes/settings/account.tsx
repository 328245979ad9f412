import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { LINK_MINUTES, PASSWORD } from '#src/identity/accounts/rules.ts';
import { formatTime } from '../../i18n/format.ts';
import * as m from '../../i18n/messages.ts';
import { type FormAnswer, formAnswerOf, orFormAnswer, readForm } from '../../lib/forms.ts';
import { useLocale } from '../../lib/locale.ts';
import { openBoard, requireSignedIn } from '../../lib/member.ts';
import { makeQrPath, type QrPath } from '../../lib/qr.ts';
import { visitContext } from '../../lib/visit.ts';
import { CopyText } from '../../ui/copy.tsx';
import { NewPasswordField, PageForm, SaveBar, Submit, TextField } from '../../ui/form.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { QrCode } from '../../ui/qr-code.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { account, session } = await requireSignedIn(args);
  const { access } = args.context.get(visitContext);
  const sessions = await access.listSessions();
  return {
    name: account.name,
    email: account.email,
    isEmailProven: account.is_email_verified === 1,
    hasSecondFactor: account.is_second_factor_on === 1,
    passwordLength: PASSWORD,
    linkMinutes: LINK_MINUTES,
    sessions: sessions.map(({ id, address, user_agent, date_updated }) => ({
      id,
      address,
      browser: user_agent,
      lastSeen: date_updated,
      isThis: id === session.id,
    })),
  };
}

export async function action(args: ActionFunctionArgs) {
  const { account } = await requireSignedIn(args);
  const { access } = args.context.get(visitContext);
  // Errors are in the language of the board, although nothing here is about it.
  await openBoard(args);
  const form = await readForm(args.request);
  const { intent = '', name = '', password = '', currentPassword = '', code = '', id = '', email = '' } = form;
  const here = `/b/${args.params.pid}/settings/account`;
  return orFormAnswer(form, async () => {
    if (intent === 'factor') {
      const enrolment = await access.secondFactor.begin(currentPassword);
      return { enrolment: { ...enrolment, qr: makeQrPath(enrolment.uri) } };
    }
    if (intent === 'email') {
      await access.requestEmailChange(email, currentPassword);
      return { mailedTo: email };
    }
    if (intent === 'confirm') {
      await access.requestConfirmation(account);
      return { mailedTo: account.email };
    }
    if (intent === 'factor-code') await access.secondFactor.confirm(code);
    if (intent === 'factor-end') await access.secondFactor.end(currentPassword);
    if (intent === 'name') await access.changeName(name);
    if (intent === 'password') await access.changePassword(currentPassword, password);
    if (intent === 'session') await access.endSessions({ id });
    if (intent === 'sessions') await access.endSessions('others');
    throw redirect(`${here}?done=${intent.startsWith('session') ? 'signedOut' : 'saved'}`);
  });
}

/** The account's name, password, second factor and sessions. */
export default function Account() {
  const account = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const answer = formAnswerOf(result);
  const l = useLocale();
  return (
    <div className="stack sections">
      <PageTitle>{m.account(l)}</PageTitle>
      <PageForm answer={answer} intent="name" isGuarded>
        <TextField
          name="name"
          label={m.yourName(l)}
          defaultValue={account.name}
          autoComplete="name"
          maxLength={100}
          required
        />
        <SaveBar>
          <Submit>{m.save(l)}</Submit>
        </SaveBar>
      </PageForm>
      <section className="stack" aria-labelledby="email">
        <h2 id="email">{m.email(l)}</h2>
        {result && 'mailedTo' in result ? (
          <p className="note" role="status">
            {m.emailLinkSent(l, { email: result.mailedTo, minutes: account.linkMinutes })}
          </p>
        ) : (
          <>
            <p>{m.emailNow(l, { email: account.email })}</p>
            {!account.isEmailProven && (
              <PageForm answer={answer} intent="confirm">
                <p className="note">{m.emailUnproven(l)}</p>
                <Submit kind="plain">{m.emailProve(l)}</Submit>
              </PageForm>
            )}
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
              <CurrentPassword />
              <Submit>{m.emailChange(l)}</Submit>
            </PageForm>
          </>
        )}
      </section>
      <section className="stack" aria-labelledby="password">
        <h2 id="password">{m.password(l)}</h2>
        <PageForm answer={answer} intent="password">
          <CurrentPassword />
          <NewPasswordField label={m.newPassword(l)} length={account.passwordLength} required />
          <Submit>{m.changePassword(l)}</Submit>
        </PageForm>
      </section>
      <section className="stack" aria-labelledby="factor">
        <h2 id="factor">{m.secondFactor(l)}</h2>
        {result && 'enrolment' in result ? (
          <Enrolment {...result.enrolment} />
        ) : (
          <SecondFactor isOn={account.hasSecondFactor} answer={answer} />
        )}
      </section>
      <Sessions sessions={account.sessions} answer={answer} />
    </div>
  );
}

function CurrentPassword() {
  const l = useLocale();
  return (
    <TextField
      name="currentPassword"
      type="password"
      label={m.currentPassword(l)}
      autoComplete="current-password"
      required
    />
  );
}

function SecondFactor({ isOn, answer }: { isOn: boolean; answer: FormAnswer | undefined }) {
  const l = useLocale();
  const shown = answer?.errors.password
    ? { ...answer, errors: { ...answer.errors, currentPassword: answer.errors.password } }
    : answer;
  if (answer?.values.intent === 'factor-code') {
    return (
      <PageForm answer={answer} intent="factor-code">
        <p>{m.factorAgain(l)}</p>
        <TextField name="code" label={m.code(l)} autoComplete="one-time-code" inputMode="numeric" required />
        <Submit>{m.confirm(l)}</Submit>
      </PageForm>
    );
  }
  return (
    <PageForm answer={shown} intent={isOn ? 'factor-end' : 'factor'}>
      <p className="muted">{isOn ? m.factorOn(l) : m.factorOff(l)}</p>
      <CurrentPassword />
      <Submit kind={isOn ? 'danger' : 'primary'}>{isOn ? m.factorEnd(l) : m.factorBegin(l)}</Submit>
    </PageForm>
  );
}

type EnrolmentProps = { secret: string; uri: string; qr: QrPath; backupCodes: string[] };

function Enrolment({ secret, uri, qr, backupCodes }: EnrolmentProps) {
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
        <TextField name="code" label={m.code(l)} autoComplete="one-time-code" inputMode="numeric" required />
        <Submit>{m.confirm(l)}</Submit>
      </PageForm>
    </div>
  );
}

type SessionRow = Awaited<ReturnType<typeof loader>>['sessions'][number];

function Sessions({ sessions, answer }: { sessions: SessionRow[]; answer: FormAnswer | undefined }) {
  const l = useLocale();
  return (
    <section className="stack" aria-labelledby="sessions">
      <h2 id="sessions">{m.sessions(l)}</h2>
      <ul className="rows">
        {sessions.map(({ id, address, browser, lastSeen, isThis }) => (
          <li key={id} className="row-item">
            <div className="person">
              <span>
                {address ?? m.somewhere(l)} {isThis && <span className="muted">{m.thisBrowser(l)}</span>}
              </span>
              <span className="muted small">{browser}</span>
              <span className="muted small">{formatTime(l, lastSeen)}</span>
            </div>
            {!isThis && (
              <PageForm answer={answer} intent="session" className="inline">
                <input type="hidden" name="id" value={id} />
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
