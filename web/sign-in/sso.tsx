import {
  type ActionFunctionArgs,
  data,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
  useParams,
} from 'react-router';
import { findFormerBoard } from '#src/identity/board/addresses.ts';
import { SSO_TYPE } from '#src/identity/sso/sign-in.ts';
import type { TokenPerson } from '#src/identity/sso/token.ts';
import type { RequestContext } from '#src/identity/users/request-context.ts';
import { REFUSED } from '#src/operations/sso/board-token.ts';
import type { Visit } from '#src/pages/visit.ts';
import { badRequest } from '#src/platform/errors.ts';
import type { LocalizedMessage } from '#src/platform/messages.ts';
import * as m from '../i18n/messages.ts';
import { localize } from '../lib/localize.ts';
import { parseNext, withNext } from '../lib/next.ts';
import { visitContext } from '../lib/visit.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { PlainPage } from '../parts/frame/plain-page.tsx';
import { findBoardOfHost } from '../parts/requests/board-of-host.ts';
import { isFailure, wordsOf } from '../parts/requests/failure.ts';
import { formAnswerOf, orFormAnswer } from '../parts/requests/forms.ts';
import { findFrame } from '../parts/requests/frame.ts';
import { hasBegun } from '../parts/requests/joining.ts';
import { useLocale } from '../parts/requests/locale.ts';
import {
  beginAs,
  beginLogin,
  checkToken,
  endLogin,
  findLoginUrl,
  isOwnLogin,
  parseReturnUrl,
} from '../parts/requests/sso.ts';

type Args = Pick<LoaderFunctionArgs, 'context' | 'params' | 'request' | 'url'>;

/** The token is in the URL of this page, so no other site may learn it. */
const PRIVATE = { 'referrer-policy': 'no-referrer' };

/** What the page shows: a reason, a question, or a link to a login; and the board, if the visitor may see it. */
type Shown = { refusal: string | null; login: string | null; current: string | null; name: string | null };

async function show(visit: Visit, pid: string | undefined, shown: Partial<Shown>) {
  const frame = await findFrame(visit, `/b/${pid}`);
  return { refusal: null, login: null, current: null, name: null, ...shown, frame };
}

export function headers() {
  return PRIVATE;
}

/** Signs in the bearer of a token; visitors without one are sent to the board's login. */
export async function loader(args: Args) {
  const { token } = args.params;
  const { visit, context } = await openDoor(args);
  if (!context) return refuseWithout(visit, token, args);
  if (token === undefined) return goToLogin(visit, context, args.url);
  const { person, refusal } = await checkToken(visit, context, token);
  const { board } = context;
  if (!person) return refuse(visit, board.pid, refusal);
  const current = await findOther(visit, context, person);
  const isAsked = current !== null || (await isBegunElsewhere(context, args));
  if (!isAsked) return signInOrRefuse(visit, context, person, args.url);
  return show(visit, board.pid, { current, name: person.profile.name ?? person.id });
}

/** Whether the visitor has begun something on the board, and another site sends them to go on as a person of its choice. */
async function isBegunElsewhere(context: RequestContext, { request, url }: Args): Promise<boolean> {
  return !isOwnLogin(request, context.board, url.searchParams.get('state')) && (await hasBegun(context, request));
}

async function refuse(visit: Visit, pid: string | undefined, { text, parts }: LocalizedMessage) {
  return data(await show(visit, pid, { refusal: localize(text, parts) }), { status: 403 });
}

/** Signs in with a token, once the visitor has agreed to switch users. */
export async function action(args: ActionFunctionArgs) {
  const { visit, context } = await openDoor(args);
  return orFormAnswer({}, async () => {
    if (!context) throw badRequest(REFUSED, 'token');
    const { person, refusal } = await checkToken(visit, context, args.params.token ?? '');
    if (!person) throw badRequest(refusal, 'token');
    return signIn(visit, context, person, args.url);
  });
}

/** The board of a URL, whether or not the visitor may see it yet; null if there is none. */
async function openDoor({ context, params }: Args): Promise<{ visit: Visit; context: RequestContext | null }> {
  const visit = context.get(visitContext);
  const pid = params.pid ?? (await findBoardOfHost(visit))?.pid;
  const door = await visit.openDoor(pid).catch(async (error: unknown) => {
    if (!isFailure(error)) throw error;
    // Products keep the address that they were given.
    const former = await findFormerBoard(visit.db.read, pid ?? '');
    return former && visit.openDoor(former.pid);
  });
  return { visit, context: door };
}

/** Where there is no board, the same happens as on a private one. */
async function refuseWithout(visit: Visit, token: string | undefined, { params, url }: Args) {
  const next = parseNext(url.searchParams.get('next')) ?? `/b/${params.pid}`;
  if (token === undefined) throw redirect(withNext('/sign-in', next));
  return refuse(visit, params.pid, REFUSED);
}

/**
 * The link to a board's login is a separate page: browsers refuse to redirect a form to another site, and voting or
 * writing starts with a form.
 */
async function goToLogin(visit: Visit, { board }: RequestContext, url: URL) {
  const next = parseReturnUrl(visit, board, parseNext(url.searchParams.get('next')));
  const loginUrl = await findLoginUrl(visit, board);
  if (!loginUrl) throw redirect(withNext('/sign-in', next));
  const { address, cookie } = beginLogin(loginUrl, visit, board, next);
  return data(await show(visit, board.pid, { login: address }), { headers: { 'set-cookie': cookie } });
}

/** The name of the user who is already signed in here, if it is not the user of the token. */
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
    return data(await show(args[0], args[1].board.pid, { refusal: wordsOf(error) }), { status: 403 });
  }
}

async function signIn(visit: Visit, context: RequestContext, person: TokenPerson, url: URL): Promise<never> {
  await beginAs(visit, context, person);
  const next = parseReturnUrl(visit, context.board, url.searchParams.get('returnUrl'));
  throw redirect(next, { status: 303, headers: { ...PRIVATE, 'set-cookie': endLogin(visit) } });
}

export default function Sso() {
  const { refusal, login, current, name } = useLoaderData<typeof loader>();
  const { pid } = useParams();
  const home = pid === undefined ? '/' : `/b/${pid}`;
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
          <Link to={home}>{m.toBoard(l)}</Link>
        </p>
      </PlainPage>
    );
  }
  return (
    <PlainPage title={m.ssoOther(l, { name: name ?? '' })}>
      <PageForm answer={answer}>
        <p>
          {current === null
            ? m.ssoBegunHelp(l, { name: name ?? '' })
            : m.ssoOtherHelp(l, { current, name: name ?? '' })}
        </p>
        <Submit>{m.goOnAs(l, { name: name ?? '' })}</Submit>
      </PageForm>
      <p>
        <Link to={home}>{current === null ? m.toBoard(l) : m.ssoStay(l, { current })}</Link>
      </p>
    </PlainPage>
  );
}
