import {
  type ActionFunctionArgs,
  data,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { findSsoSettings } from '#src/identity/sso/settings.ts';
import { SSO_TYPE, signInByToken } from '#src/identity/sso/sign-in.ts';
import { checkBoardToken } from '#src/operations/sso/board-token.ts';
import { badRequest } from '#src/platform/errors.ts';
import type { TokenPerson } from '../../src/identity/sso/token.ts';
import type { RequestContext } from '../../src/identity/users/request-context.ts';
import type { Visit } from '../../src/pages/visit.ts';
import * as m from '../i18n/messages.ts';
import { findBoardOfHost } from '../lib/board-of-host.ts';
import { isFailure, orErrorPage, wordsOf } from '../lib/failure.ts';
import { formAnswerOf, orFormAnswer } from '../lib/forms.ts';
import { useLocale } from '../lib/locale.ts';
import { localize } from '../lib/localize.ts';
import { parseNext, withNext } from '../lib/next.ts';
import { beginLogin, findLoginUrl, isOwnLogin, parseReturnUrl } from '../lib/sso.ts';
import { visitContext } from '../lib/visit.ts';
import { PageForm, Submit } from '../ui/form.tsx';
import { PlainPage } from '../ui/plain-page.tsx';

type Args = Pick<LoaderFunctionArgs, 'context' | 'params' | 'request' | 'url'>;

/** The token stands in the address of this page, so no other site may learn that. */
const PRIVATE = { 'referrer-policy': 'no-referrer' };

/** What the page shows: a reason, a question, or the way to a login. */
const NOBODY: { refusal: string | null; login: string | null; current: string | null; name: string | null } = {
  refusal: null,
  login: null,
  current: null,
  name: null,
};

export function headers() {
  return PRIVATE;
}

/** Signs in the bearer of a token; who has none is sent to where the board gives them. */
export async function loader(args: Args) {
  const { visit, context } = await openBoard(args);
  const { token } = args.params;
  if (token === undefined) return goToLogin(visit, context, args.url);
  const { person, refusal } = await checkBoardToken(context, visit.tokenKeys, token);
  if (!person) return data({ ...NOBODY, refusal: localize(refusal.text, refusal.parts) }, { status: 403 });
  const current = isOwnLogin(args.request, args.url.searchParams.get('state'))
    ? null
    : await findOther(visit, context, person);
  if (current === null) return signInOrRefuse(visit, context, person, args.url);
  return { ...NOBODY, current, name: person.profile.name ?? person.id };
}

/** The same, once the visitor has agreed to be another person than before. */
export async function action(args: ActionFunctionArgs) {
  const { visit, context } = await openBoard(args);
  const { person, refusal } = await checkBoardToken(context, visit.tokenKeys, args.params.token ?? '');
  return orFormAnswer({}, async () => {
    if (!person) throw badRequest(refusal, 'token');
    return signIn(visit, context, person, args.url);
  });
}

async function openBoard({ context, params }: Args): Promise<{ visit: Visit; context: RequestContext }> {
  const visit = context.get(visitContext);
  const pid = params.pid ?? (await findBoardOfHost(visit))?.pid;
  return { visit, context: await orErrorPage(visit.openBoard(pid)) };
}

/**
 * The way to the login of a board is a page of its own: browsers refuse to follow a form to another site, and a form is how
 * a visitor begins to vote or to write.
 */
async function goToLogin(visit: Visit, { board }: RequestContext, url: URL) {
  const next = parseReturnUrl(visit, board, parseNext(url.searchParams.get('next')));
  const loginUrl = await findLoginUrl(visit, board);
  if (!loginUrl) throw redirect(withNext('/sign-in', next));
  const { address, cookie } = beginLogin(loginUrl, visit, next);
  return data({ ...NOBODY, login: address }, { headers: { 'set-cookie': cookie } });
}

/** The name of who is signed in here already, if that is not the person of the token. */
async function findOther(visit: Visit, { board }: RequestContext, { id }: TokenPerson): Promise<string | null> {
  const account = (await visit.access.current())?.account;
  if (account) return account.name;
  const user = await visit.people.on(board);
  return user && !(user.sso_type === SSO_TYPE && user.sso_id === id) ? (user.name ?? user.sso_id) : null;
}

async function signInOrRefuse(...args: Parameters<typeof signIn>) {
  try {
    return await signIn(...args);
  } catch (error) {
    if (!isFailure(error)) throw error;
    return data({ ...NOBODY, refusal: wordsOf(error) }, { status: 403 });
  }
}

async function signIn(visit: Visit, context: RequestContext, person: TokenPerson, url: URL): Promise<never> {
  const settings = await findSsoSettings(visit.db.read, context.board.id);
  const user = await signInByToken(context, person, settings?.is_role_allowed === 1);
  visit.personChanged(user);
  await visit.people.signIn(user);
  const next = parseReturnUrl(visit, context.board, url.searchParams.get('returnUrl'));
  throw redirect(next, { status: 303, headers: PRIVATE });
}

export default function Sso() {
  const { refusal, login, current, name } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  if (login !== null) {
    return (
      <PlainPage title={m.ssoLeaving(l)}>
        <meta httpEquiv="refresh" content={`0;url=${login}`} />
        <p>
          <a href={login}>{m.ssoToLogin(l, { host: new URL(login).host })}</a>
        </p>
      </PlainPage>
    );
  }
  if (refusal !== null) {
    return (
      <PlainPage title={m.ssoRefused(l)}>
        <p className="note" data-kind="error" role="alert">
          {refusal}
        </p>
        <p>{m.ssoRefusedHelp(l)}</p>
        <p>
          <Link to="/">{m.toBoard(l)}</Link>
        </p>
      </PlainPage>
    );
  }
  return (
    <PlainPage title={m.ssoOther(l, { name: name ?? '' })}>
      <PageForm answer={answer}>
        <p>{m.ssoOtherHelp(l, { current: current ?? '', name: name ?? '' })}</p>
        <Submit>{m.goOnAs(l, { name: name ?? '' })}</Submit>
      </PageForm>
      <p>
        <Link to="/">{m.ssoStay(l, { current: current ?? '' })}</Link>
      </p>
    </PlainPage>
  );
}
