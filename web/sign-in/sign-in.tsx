import {
  type ActionFunctionArgs,
  data,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import type { Visit } from '#src/pages/visit.ts';
import * as m from '../i18n/messages.ts';
import { parseNext, withNext } from '../lib/next.ts';
import { visitContext } from '../lib/visit.ts';
import { PageForm, Submit, TextField } from '../parts/forms/form.tsx';
import { MailedCode } from '../parts/forms/mailed-code.tsx';
import { PlainPage } from '../parts/frame/plain-page.tsx';
import { type FormAnswer, formAnswerOf, orFormAnswer, readForm } from '../parts/requests/forms.ts';
import { findFrame } from '../parts/requests/frame.ts';
import {
  type Begun,
  describeBegun,
  findBoardOf,
  leadsToDrafts,
  nameBegun,
  takeBegun,
} from '../parts/requests/joining.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { homeOf } from '../parts/requests/member.ts';
import { sendOrStay } from '../parts/requests/not-saved.ts';
import { findLoginUrl } from '../parts/requests/sso.ts';
import { Icon } from '../parts/show/icon.tsx';
import { signInTitle } from './begun.tsx';

export async function loader({ context, request, url }: LoaderFunctionArgs) {
  const visit = context.get(visitContext);
  const next = parseNext(url.searchParams.get('next'));
  if (await visit.access.current()) throw redirect(next ?? (await homeOf(visit)));
  return {
    next,
    frame: await findFrame(visit, next),
    begun: (await describeBegun(visit, await nameBegun(visit, request, next))).at(-1) ?? null,
    hasDraft: leadsToDrafts(next),
    needsPassword: url.searchParams.has('factor'),
    waitsFor: await visit.access.byMail.findWaiting(),
    providers: visit.access.withProvider.providers.map(({ id, name }) => ({ id, name })),
    sso: await findSso(visit, next),
  };
}

/**
 * The single sign-on of the board that a visitor comes from; its name is shown only to visitors who may see the board.
 */
async function findSso(visit: Visit, next: string | null) {
  const board = await findBoardOf(visit, next);
  if (!board || !(await findLoginUrl(visit, board))) return null;
  return { path: `/b/${board.pid}/sso`, board: (await visit.people.mayEnter(board)) ? board.name : null };
}

export async function action({ context, request }: ActionFunctionArgs) {
  const visit = context.get(visitContext);
  const form = await readForm(request);
  const { email = '', password = '', code = '', intent } = form;
  const next = parseNext(form.next);
  // A request from within another page stays there.
  const isWithin = form.within === 'page';
  return orFormAnswer(form, async () => {
    // Only the next request knows who is signed in: the cookie is in transit.
    const here = withNext('/sign-in', next);
    if (intent === 'link') {
      await visit.access.byMail.requestLink(email, next, await nameBegun(visit, request, next));
      if (isWithin) return { waitsFor: email };
      throw redirect(here);
    }
    if (intent === 'again') {
      await visit.access.byMail.stopWaiting();
      if (isWithin) return { waitsFor: null };
      throw redirect(here);
    }
    if (intent === 'code') {
      const { state, begun } = await visit.access.byMail.redeemCode(code);
      const headers = await takeBegun(visit, request, begun);
      if (isWithin && state !== 'password') return data({ isSignedIn: true }, { headers });
      throw redirect(state === 'password' ? withFactor(here) : here, { headers });
    }
    const state = await visit.access.signIn(email, password);
    throw redirect(withNext(state === 'code' ? '/sign-in/code' : '/sign-in', next));
  });
}

export const clientAction = sendOrStay;

/** The sign-in page, which then explains why a mail was not enough. */
export function withFactor(signIn: string): string {
  return `${signIn}${signIn.includes('?') ? '&' : '?'}factor`;
}

export default function SignIn() {
  const { next, begun, hasDraft, needsPassword, waitsFor, sso, providers } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  if (waitsFor !== null) return <EnterCode {...{ waitsFor, next, begun, answer }} />;
  return (
    <PlainPage title={signInTitle(l, begun)}>
      {needsPassword ? (
        <p className="note">{m.mailNotEnough(l)}</p>
      ) : (
        hasDraft && (
          <p className="note waits">
            <Icon name="voted" />
            {m.draftKept(l)}
          </p>
        )
      )}
      {sso && (
        <Link className="button" reloadDocument to={withNext(sso.path, next)}>
          {sso.board === null ? m.ssoContinueUnnamed(l) : m.ssoContinue(l, { board: sso.board })}
        </Link>
      )}
      {!needsPassword && (
        <>
          <PageForm answer={answer} intent="link" aria-label={m.sendLink(l)}>
            <input type="hidden" name="next" value={next ?? ''} />
            <TextField
              name="email"
              type="email"
              label={m.email(l)}
              help={m.linkHelp(l)}
              autoComplete="email"
              required
            />
            <Submit>{m.sendLink(l)}</Submit>
          </PageForm>
          <p className="or">{m.or(l)}</p>
        </>
      )}
      {providers.map(({ id, name }) => (
        <Link key={id} className="button" reloadDocument to={withNext(`/sign-in/with/${id}`, next)}>
          {m.ssoContinue(l, { board: name })}
        </Link>
      ))}
      <PageForm answer={answer} intent="password" aria-label={m.signIn(l)}>
        <input type="hidden" name="next" value={next ?? ''} />
        <TextField name="email" type="email" label={m.email(l)} autoComplete="username" required />
        <TextField name="password" type="password" label={m.password(l)} autoComplete="current-password" required />
        <Submit kind={needsPassword ? 'primary' : 'plain'}>{m.signIn(l)}</Submit>
      </PageForm>
      <p className="small">
        <Link to={withNext('/reset-password', next)}>{m.forgotPassword(l)}</Link>
      </p>
    </PlainPage>
  );
}

type EnterCodeProps = {
  waitsFor: string;
  next: string | null;
  begun: Begun | null;
  answer: FormAnswer | undefined;
};

/** The page that waits for the code of the mail that it has sent. */
function EnterCode({ waitsFor, next, begun, answer }: EnterCodeProps) {
  const l = useLocale();
  return (
    <PlainPage title={m.mailSent(l)}>
      {begun && <p className="muted">{signInTitle(l, begun)}</p>}
      <p>{m.codeOnItsWay(l, { email: waitsFor })}</p>
      <PageForm answer={answer} intent="code" aria-label={m.enterCode(l)}>
        <input type="hidden" name="next" value={next ?? ''} />
        <MailedCode help={m.mailedCodeHelp(l)} />
        <Submit>{m.signIn(l)}</Submit>
      </PageForm>
      <p className="muted small">{m.mailedEarlier(l)}</p>
      <PageForm answer={answer} intent="again">
        <input type="hidden" name="next" value={next ?? ''} />
        <Submit kind="plain">{m.otherAddress(l)}</Submit>
      </PageForm>
    </PlainPage>
  );
}
