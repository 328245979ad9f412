import { type LoaderFunctionArgs, redirect } from 'react-router';
import {
  countContribution,
  DRAFT_MS,
  type Draft,
  type DraftSet,
  keepDraft,
  listDrafts,
  listDraftsOf,
  moveDrafts,
  readDraft,
} from '#src/feedback/drafts/drafts.ts';
import { findPost } from '#src/feedback/posts/posts.ts';
import type { Viewer } from '#src/feedback/visibility/posts.ts';
import type { SignInReason } from '#src/identity/accounts/rules.ts';
import { type BoardRow, findBoard, requireBoard } from '#src/identity/board/board.ts';
import { joinBoard } from '#src/identity/team/members.ts';
import { mayBegin } from '#src/identity/users/entry.ts';
import type { ActorContext, RequestContext } from '#src/identity/users/request-context.ts';
import type { Visit } from '#src/pages/visit.ts';
import { serverCookie } from '#src/platform/http/cookie.ts';
import { networkOf } from '#src/platform/http/ip.ts';
import { deriveId, makeToken } from '#src/platform/lib/ids.ts';
import { countAttempt } from '#src/platform/limits/throttle.ts';
import { parseLocale } from '../../i18n/format.ts';
import { readCookie } from '../../lib/cookies.ts';
import { parseNext, pidOf, withNext } from '../../lib/next.ts';
import { visitContext } from '../../lib/visit.ts';
import { openBoard, requireSignedIn } from './member.ts';
import { findLoginUrl } from './sso.ts';

type Args = Pick<LoaderFunctionArgs, 'context' | 'params' | 'request' | 'url'>;

/** The cookie that identifies a browser until its user has signed in; see `src/feedback/drafts/`. */
const BROWSER_COOKIE = 'earshot.browser';

/** A board with its viewer: a member, or an anonymous one (null), who sees what is public. */
export type View = {
  visit: Visit;
  context: RequestContext & { actor: Viewer };
  /** The secret that identifies the browser until its user has signed in; null while it has started nothing. */
  browser: string | null;
};

/** The board of a URL, for its viewer. */
export async function openView(args: Args): Promise<View> {
  const visit = args.context.get(visitContext);
  const boardContext = await openBoard(args);
  const actor = await visit.people.on(boardContext.board);
  return { visit, context: { ...boardContext, actor }, browser: readBrowser(args.request) };
}

/** The context of a signed-in user, who is a member of the board from now on; null for an anonymous one. */
export async function findParticipant(args: Args): Promise<{ visit: Visit; context: ActorContext } | null> {
  const visit = args.context.get(visitContext);
  const boardContext = await openBoard(args);
  const signedIn = await visit.access.current();
  const { board } = boardContext;
  const actor = signedIn
    ? await joinBoard(boardContext, signedIn.account, readLanguage(visit, board))
    : await visit.people.on(board);
  return actor && { visit, context: { ...boardContext, actor } };
}

/** The language in which a visitor has read a board until they join it; null if it is the board's. */
export function readLanguage(visit: Visit, board: BoardRow): string | null {
  const language = parseLocale(visit.languageOn(board, null));
  return language === board.locale ? null : language;
}

/**
 * As `findParticipant`, to run the action of a form. An anonymous visitor is sent to sign in, and the form is kept as a
 * draft; if nothing may be started before signing in, it is held, see `requireSignedIn`.
 */
export async function takePart(args: Args, draft: Draft): Promise<{ visit: Visit; context: ActorContext }> {
  const participant = await findParticipant(args);
  const { visit, context } = participant ?? (await openView(args));
  const { db, clock } = visit;
  if (participant) {
    const { context: own } = participant;
    await countContribution(own, draft.kind);
    await countAttempt(db, clock, 'changes from', networkOf(visit.address));
    return participant;
  }
  const headers = await keepForLater(args, draft);
  throw redirect(await signInTo(visit, context.board, '/continue'), { headers });
}

/** Where visitors of a board sign in, to continue to a page of it. */
export async function signInTo(visit: Visit, board: BoardRow, page: string): Promise<string> {
  const home = `/b/${board.pid}`;
  return withNext((await findLoginUrl(visit, board)) ? `${home}/sso` : '/sign-in', `${home}${page}`);
}

/**
 * Stores what an anonymous visitor has started, if allowed. @returns the headers by which their browser is recognized
 * again
 */
export async function keepForLater(args: Args, draft: Draft): Promise<HeadersInit> {
  const { visit, context, browser: known } = await openView(args);
  if (!mayBegin(context.board)) {
    if (draft.kind === 'vote') throw redirect(await signInTo(visit, context.board, pageOf(args, context.board)));
    await requireSignedIn(args);
  }
  await countAttempt(visit.db, visit.clock, 'drafts from', networkOf(visit.address));
  const browser = known ?? makeToken(32);
  await keepDraft(context, browser, ofBrowser(draft, browser));
  return { 'set-cookie': browserCookie(visit, browser) };
}

/** The id of a form is that of its page, which others may have at the same time, see `PageCache`: theirs are other drafts. */
function ofBrowser(draft: Draft, browser: string): Draft {
  return draft.kind === 'vote' ? draft : { ...draft, id: deriveId(draft.id, browser) };
}

/** The page of a board from which a form was sent, as the rest of its path; empty for its first page. */
function pageOf({ request }: Args, { pid }: BoardRow): string {
  const { pathname = '', search = '' } = URL.parse(request.headers.get('referer') ?? '') ?? {};
  const home = `/b/${pid}`;
  const page = pathname.startsWith(`${home}/`) || pathname === home ? pathname.slice(home.length) + search : '';
  return parseNext(home + page) === null ? '' : page;
}

/** Counts a change on the pages of a post, such as an edit. @throws RATE_LIMIT_EXCEEDED */
export async function countChange({
  visit,
  context: { actor },
}: {
  visit: Visit;
  context: ActorContext;
}): Promise<void> {
  const { db, clock, address } = visit;
  await countAttempt(db, clock, actor.role === 'MEMBER' ? 'changes of' : 'team changes of', actor.id);
  await countAttempt(db, clock, 'changes from', networkOf(address));
}

/** The secret that identifies the browser of a request. */
export function readBrowser(request: Request): string | null {
  return readCookie(request, BROWSER_COOKIE) || null;
}

function browserCookie({ baseUrl }: Visit, browser: string): string {
  return serverCookie(baseUrl, BROWSER_COOKIE, browser, DRAFT_MS / 1_000);
}

/** The board that a path leads to; null when it leads to none. */
export async function findBoardOf({ db }: Visit, path: string | null): Promise<BoardRow | null> {
  const pid = pidOf(path);
  return pid === null ? null : findBoard(db.read, pid);
}

/** Names what a browser has started on the board that a path leads to, for the sign-in mail. */
export async function nameBegun(visit: Visit, request: Request, next: string | null): Promise<string | null> {
  const browser = readBrowser(request);
  const board = browser && leadsToDrafts(next) ? await findBoardOf(visit, next) : null;
  if (!board || !browser) return null;
  const { db, clock, baseUrl } = visit;
  const ids = (await listDrafts({ db, clock, baseUrl, board }, browser)).map(({ id }) => id);
  return ids.length > 0 ? JSON.stringify({ boardId: board.id, ids } satisfies DraftSet) : null;
}

/** Whether a browser has drafts on a board. */
export async function hasBegun(context: RequestContext, request: Request): Promise<boolean> {
  const browser = readBrowser(request);
  return browser !== null && (await listDrafts(context, browser)).length > 0;
}

/** A draft, as the page describes it before it is completed; the title of a post that not everyone sees is empty. */
export type Begun = { kind: Draft['kind']; title: string; text: string | null };

/** The drafts that a mail was sent for and that are still pending. */
export async function describeBegun(visit: Visit, begun: string | null): Promise<Begun[]> {
  if (begun === null) return [];
  const rows = await listDraftsOf(visit, JSON.parse(begun));
  return Promise.all(
    rows.map(async (row) => {
      const draft = readDraft(row);
      if (draft.kind === 'post') return { kind: draft.kind, title: draft.title, text: draft.text };
      const title = (await findTitle(visit, row.board_id, draft.postId)) ?? '';
      return { kind: draft.kind, title, text: draft.kind === 'comment' ? draft.text : null };
    }),
  );
}

/** The title of a post, if everyone who may see its board sees it. */
async function findTitle({ db, people }: Visit, boardId: string, postId: string): Promise<string | null> {
  if (!(await people.mayEnter(await requireBoard(db.read, boardId)))) return null;
  return (await findPost(db.read, boardId, postId, null))?.title ?? null;
}

/** What signing in is for, as the mail says it. @param begun what was started, see `nameBegun` */
export async function reasonOf(visit: Visit, next: string | null, begun: string | null): Promise<SignInReason> {
  const board = await findBoardOf(visit, next);
  const started = (await describeBegun(visit, begun)).at(-1) ?? null;
  return { boardId: board?.id ?? null, language: visit.asked, begun: started };
}

/** Gives this browser the drafts that a mail was sent for. @returns the headers by which it is recognized again */
export async function takeBegun(visit: Visit, request: Request, begun: string | null): Promise<HeadersInit> {
  if (begun === null) return {};
  const browser = readBrowser(request) ?? makeToken(32);
  await moveDrafts(visit, JSON.parse(begun), browser);
  return { 'set-cookie': browserCookie(visit, browser) };
}

/** Whether drafts are completed at a path, so that the page before it can say that they are kept. */
export function leadsToDrafts(path: string | null): boolean {
  return path !== null && /^\/b\/[^/]+\/continue$/.test(path);
}
