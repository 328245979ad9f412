import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router';
import { type MailPreferences, setMailPreferences } from '#src/feedback/notifying/preferences.ts';
import type { AccountRow } from '#src/identity/accounts/tables.ts';
import { findFormerBoard } from '#src/identity/board/addresses.ts';
import { requireBoard } from '#src/identity/board/board.ts';
import { listMemberships } from '#src/identity/team/members.ts';
import { type Action, may } from '#src/identity/users/authority.ts';
import type { ActorContext, RequestContext } from '#src/identity/users/request-context.ts';
import type { UserRow } from '#src/identity/users/users.ts';
import type { Visit } from '#src/pages/visit.ts';
import { keptFields } from '../../lib/kept-fields.ts';
import { withNext } from '../../lib/next.ts';
import { visitContext } from '../../lib/visit.ts';
import { isFailure } from './failure.ts';
import { orFormAnswer, readForm } from './forms.ts';

type Args = Pick<LoaderFunctionArgs, 'context' | 'params' | 'request' | 'url'>;

/** A form whose sender was signed out in the meantime: what was typed, to be sent again after signing in. */
export type HeldForm = { path: string; fields: [string, string][] };

/** The signed-in account; an anonymous visitor is sent to sign in and comes back. A form of theirs is held for them. */
export async function requireSignedIn({ context, request, url }: Pick<Args, 'context' | 'request' | 'url'>) {
  const signedIn = await context.get(visitContext).access.current();
  if (signedIn) return signedIn;
  const path = url.pathname + url.search;
  if (request.method !== 'POST') throw redirect(withNext('/sign-in', path));
  const fields = keptFields(await readForm(request));
  throw data({ path, fields } satisfies HeldForm, { status: 401 });
}

/**
 * The board of a URL. Visitors who may not see it get the same page as if there were none; if they are signed out, a
 * form that they sent is held.
 */
export async function openBoard({ context, params, request, url }: Args): Promise<RequestContext> {
  const visit = context.get(visitContext);
  try {
    return await visit.openBoard(params.pid);
  } catch (error) {
    if (!isFailure(error)) throw error;
    if (request.method !== 'POST') await redirectFormer(visit, params.pid, url);
    const signedIn = await visit.access.current();
    if (request.method === 'POST' && !signedIn) await requireSignedIn({ context, request, url });
    throw data({ signedInAs: signedIn?.account.email ?? null } satisfies ClosedDoor, { status: 404 });
  }
}

/** Redirects from a former address of a board to its present one, if the visitor may see the board. */
async function redirectFormer(visit: Visit, pid: string | undefined, url: URL): Promise<void> {
  const board = await findFormerBoard(visit.db.read, pid ?? '');
  if (!board || !(await visit.people.mayEnter(board))) return;
  throw redirect(`${url.pathname.replace(/^\/b\/[^/]+/, `/b/${board.pid}`)}${url.search}`, 301);
}

/** What the page shows for a board that does not exist or that the visitor may not see; null if they are signed out. */
export type ClosedDoor = { signedInAs: string | null };

type Member = { visit: Visit; context: ActorContext };

/** The visit and the context of the signed-in user, if they have this right on the board. */
export async function requireMember(args: Args, action: Action): Promise<Member> {
  const visit = args.context.get(visitContext);
  const boardContext = await openBoard(args);
  const actor = await visit.people.on(boardContext.board);
  if (!actor) await requireSignedIn(args);
  if (!actor || !may(actor, action)) throw new Response(null, { status: 403 });
  return { visit, context: { ...boardContext, actor } };
}

/** The loader of a page for members with this right. */
export function memberLoader<T>(action: Action, load: (member: Member, args: LoaderFunctionArgs) => T | Promise<T>) {
  return async (args: LoaderFunctionArgs): Promise<T> => load(await requireMember(args, action), args);
}

/** The action of a form for members with this right; see `formAction`. */
export function memberAction<T>(action: Action, work: FormWork<Member, T>) {
  return formAction((args) => requireMember(args, action), work);
}

type FormWork<Opened, T> = (opened: Opened & { form: Record<string, string> }, args: ActionFunctionArgs) => Promise<T>;

/** The action of a form on what `open` finds or refuses. What features refuse comes back to the form with its input. */
export function formAction<Opened, T>(open: (args: ActionFunctionArgs) => Promise<Opened>, work: FormWork<Opened, T>) {
  return async (args: ActionFunctionArgs) => {
    const opened = await open(args);
    const form = await readForm(args.request);
    return orFormAnswer(form, () => work({ ...opened, form }, args));
  };
}

/** What `formAction` opens for forms of no board. */
export async function openVisit({ context }: Pick<Args, 'context'>): Promise<{ visit: Visit }> {
  return { visit: context.get(visitContext) };
}

/** The owner of a personal settings page: an account, which may have no user on the board yet, or a user of single sign-on. */
export type OwnSettings = { visit: Visit; context: RequestContext; user: UserRow | null; account: AccountRow | null };

/** The viewer of a personal settings page; anonymous visitors are redirected to sign in. */
export async function requireSelf(args: Args): Promise<OwnSettings> {
  const visit = args.context.get(visitContext);
  const context = await openBoard(args);
  const user = await visit.people.on(context.board);
  const account = (await visit.access.current())?.account ?? null;
  if (!user && !account) await requireSignedIn(args);
  return { visit, context, user, account };
}

/** As `requireSelf`, for pages about the account; users of single sign-on are redirected to their profile. */
export async function requireOwnAccount(args: Args): Promise<OwnSettings & { account: AccountRow }> {
  const own = await requireSelf(args);
  const { account } = own;
  if (!account) throw redirect(`/b/${own.context.board.pid}/settings/profile`);
  return { ...own, account };
}

type Self = Pick<OwnSettings, 'visit' | 'user' | 'account'>;

/** The viewer's users on all boards. */
export async function listOwnPeople({ visit, user, account }: Self): Promise<UserRow[]> {
  if (account) return listMemberships(visit.db.read, account.id);
  return user ? [user] : [];
}

/** Changes the viewer's language or time zone on all boards. */
export async function changeOwnPeople(self: Self, changes: Pick<MailPreferences, 'locale' | 'timeZone'>) {
  const { db, clock, baseUrl, personChanged } = self.visit;
  for (const person of await listOwnPeople(self)) {
    const board = await requireBoard(db.read, person.board_id);
    personChanged(await setMailPreferences({ db, clock, baseUrl, board }, person, changes));
  }
}

/** Where a user goes after signing in: to the settings of their board, or to the board. */
export async function homeOf(visit: Visit): Promise<string> {
  const { db, access } = visit;
  const signedIn = await access.current();
  const memberships = signedIn ? await listMemberships(db.read, signedIn.account.id) : [];
  const first = memberships.find(({ role }) => role === 'OWNER' || role === 'ADMIN');
  if (!first) return '/';
  const board = await requireBoard(db.read, first.board_id);
  return `/b/${board.pid}/settings`;
}
