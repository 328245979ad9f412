import type { LoaderFunctionArgs } from 'react-router';
import { countWaiting } from '#src/feedback/finding/triage.ts';
import { hasNews } from '#src/feedback/notifying/inbox.ts';
import { isOwnPicture } from '#src/identity/accounts/rules.ts';
import { type BoardRow, findBoardByDomain, listBoards } from '#src/identity/board/board.ts';
import { makeBrand, penOf } from '#src/identity/board/brand.ts';
import { type Action, may } from '#src/identity/users/authority.ts';
import { isPrivate, mayBegin } from '#src/identity/users/entry.ts';
import type { UserRow } from '#src/identity/users/users.ts';
import type { Visit } from '#src/pages/visit.ts';
import { parseLocale } from '../../i18n/format.ts';
import { parseNext, pidOf } from '../../lib/next.ts';
import { visitContext } from '../../lib/visit.ts';
import { isFailure } from './failure.ts';
import { findLoginUrl } from './sso.ts';

/** What is around a page of a board: the board, and who looks at it. */
export type Frame = Awaited<ReturnType<typeof viewFrame>>;

/** Describes a board and its viewer. */
export async function viewFrame(visit: Visit, board: BoardRow) {
  const { pid, name, description, brand_color, logo_url: logo, favicon_url: icon } = board;
  const user = await visit.people.on(board);
  return {
    isStatic: visit.isStatic,
    isEmbedded: visit.embed !== null,
    /** Language and time zone of the page: those of the viewer, or of the board. */
    locale: parseLocale(visit.languageOn(board, user)),
    timeZone: user?.time_zone ?? board.time_zone,
    board: {
      pid,
      name,
      description,
      brand: brandOf(brand_color),
      logo,
      icon,
      mayBegin: mayBegin(board),
      hasRoadmap: board.is_roadmap_enabled === 1,
      hasChangelog: board.changelog_count > 0,
      hasFeeds: !isPrivate(board),
      signInPath: (await findLoginUrl(visit, board)) ? `/b/${pid}/sso` : '/sign-in',
    },
    visitor: await describeVisitor(visit, board, user),
    /** The address that the browser waits for a mailed code of. */
    waitsFor: await visit.access.byMail.findWaiting(),
  };
}

/**
 * The frame of a page of no board: of the one that it goes on to, else of the board that this host is for; null when the
 * visitor may not see it, and where there are several.
 */
export async function findFrame(visit: Visit, next: string | null): Promise<Frame | null> {
  const pid = pidOf(next) ?? (await findPidOfHost(visit));
  if (pid === null) return null;
  try {
    return await viewFrame(visit, (await visit.openBoard(pid)).board);
  } catch (error) {
    if (isFailure(error)) return null;
    throw error;
  }
}

/** The board with this custom domain, or the only board. */
async function findPidOfHost({ db, host }: Visit): Promise<string | null> {
  const own = await findBoardByDomain(db.read, host);
  if (own) return own.pid;
  const [first, ...others] = await listBoards(db.read);
  return first && others.length === 0 ? first.pid : null;
}

/** A loader for pages that need nothing else. */
export async function loadFrame({ context, url }: Pick<LoaderFunctionArgs, 'context' | 'url'>) {
  const next = parseNext(url.searchParams.get('next'));
  return { frame: await findFrame(context.get(visitContext), next) };
}

/** The board's color as the custom properties that `tokens.css` makes its shades of. */
function brandOf(color: string | null): Record<string, string> | null {
  if (!color) return null;
  const { l, c, h, darkChroma } = penOf(makeBrand(color));
  return { '--hue': `${h}`, '--pen-light': `${l}`, '--pen-chroma': `${c}`, '--pen-chroma-dark': `${darkChroma}` };
}

/** The signed-in viewer of the board; null for an anonymous one. */
async function describeVisitor({ access, people, db, clock, baseUrl }: Visit, board: BoardRow, user: UserRow | null) {
  const account = (await access.current())?.account;
  if (!account && !user) return null;
  const can = (action: Action) => user !== null && may(user, action);
  const name = account?.name ?? user?.name ?? '';
  const image = account?.image ?? user?.image ?? null;
  return {
    id: await people.idOn(board),
    name,
    picture: isOwnPicture(image) ? image : null,
    isPerson: user !== null,
    hasNews: user !== null && (await hasNews({ db, clock, baseUrl, board, actor: user })),
    isManager: can('board.edit'),
    isModerator: can('post.moderate'),
    waiting: user !== null && can('post.assign') ? await countWaiting({ db, clock, baseUrl, board, actor: user }) : 0,
  };
}
