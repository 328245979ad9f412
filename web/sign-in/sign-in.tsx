import './sign-in.css';
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
import { AddressStep, CodeStep } from '../parts/forms/sign-in-steps.tsx';
import { PlainPage } from '../parts/frame/plain-page.tsx';
import { formAnswerOf, orFormAnswer, readForm } from '../parts/requests/forms.ts';
import { findFrame } from '../parts/requests/frame.ts';
import { describeBegun, findBoardOf, nameBegun, reasonOf, takeBegun } from '../parts/requests/joining.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { homeOf } from '../parts/requests/member.ts';
import { sendOrStay } from '../parts/requests/not-saved.ts';
import { passkeySiteOf } from '../parts/requests/passkey-site.ts';
import { findLoginUrl } from '../parts/requests/sso.ts';
import { signInTitle } from './begun.tsx';

export async function loader({ context, request, url }: LoaderFunctionArgs) {
  const visit = context.get(visitContext);
  const next = parseNext(url.searchParams.get('next'));
  if (await visit.access.current()) throw redirect(next ?? (await homeOf(visit)));
  return {
    next,
    frame: await findFrame(visit, next),
    begun: (await describeBegun(visit, await nameBegun(visit, request, next))).at(-1) ?? null,
    needsPassword: url.searchParams.has('factor'),
    isByPassword: url.searchParams.has('factor') || url.searchParams.has('password'),
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
  const { email = '', password = '', code = '', passkey = '', intent } = form;
  const next = parseNext(form.next);
  // A request from within another page stays there.
  const isWithin = form.within === 'page';
  return orFormAnswer(form, async () => {
    // Only the next request knows who is signed in: the cookie is in transit.
    const here = withNext('/sign-in', next);
    if (intent === 'link') {
      const begun = await nameBegun(visit, request, next);
      await visit.access.byMail.requestLink(email, next, begun, await reasonOf(visit, next, begun));
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
      throw redirect(state === 'password' ? withFlag(here, 'factor') : here, { headers });
    }
    if (intent === 'passkey-begin')
      return { passkey: await visit.access.passkeys.beginSignIn(await passkeySiteOf(visit)) };
    if (intent === 'passkey') {
      await visit.access.passkeys.signIn(await passkeySiteOf(visit), passkey);
      if (isWithin) return { isSignedIn: true };
      throw redirect(here);
    }
    const state = await visit.access.signIn(email, password);
    throw redirect(withNext(state === 'code' ? '/sign-in/code' : '/sign-in', next));
  });
}

export const clientAction = sendOrStay;

/** The sign-in page, for a password: because it is preferred, or because a mail was not enough (`factor`). */
export function withFlag(signIn: string, flag: 'password' | 'factor'): string {
  return `${signIn}${signIn.includes('?') ? '&' : '?'}${flag}`;
}

/** The ways to sign in: by a mailed code first; a password and other accounts are one step away. */
export default function SignIn() {
  const { next, frame, begun, isByPassword, needsPassword, waitsFor, sso, providers } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  const title = signInTitle(l, begun);
  if (waitsFor !== null && !isByPassword) {
    return (
      <PlainPage title={m.mailSent(l)}>
        {begun && <p className="muted">{title}</p>}
        <CodeStep answer={answer} next={next} waitsFor={waitsFor} />
      </PlainPage>
    );
  }
  const here = withNext('/sign-in', next);
  const isForAgent = next?.startsWith('/connect/') ?? false;
  return (
    <PlainPage title={title}>
      {frame && !begun && !isForAgent && <p className="muted">{m.signInHelp(l, { board: frame.board.name })}</p>}
      {needsPassword && <p className="note">{m.mailNotEnough(l)}</p>}
      {sso && (
        <Link className="button" reloadDocument to={withNext(sso.path, next)}>
          {sso.board === null ? m.ssoContinueUnnamed(l) : m.ssoContinue(l, { board: sso.board })}
        </Link>
      )}
      <AddressStep
        answer={answer}
        next={next}
        hasPassword={isByPassword}
        help={isByPassword ? undefined : m.linkHelp(l)}
      >
        {!isByPassword && <Link to={withFlag(here, 'password')}>{m.byPassword(l)}</Link>}
        {isByPassword && <Link to={withNext('/reset-password', next)}>{m.forgotPassword(l)}</Link>}
        {isByPassword && !needsPassword && <Link to={here}>{m.byCode(l)}</Link>}
      </AddressStep>
      {providers.length > 0 && <p className="or">{m.or(l)}</p>}
      {providers.map(({ id, name }) => (
        <Link key={id} className="button" reloadDocument to={withNext(`/sign-in/with/${id}`, next)}>
          {m.ssoContinue(l, { board: name })}
        </Link>
      ))}
    </PlainPage>
  );
}
