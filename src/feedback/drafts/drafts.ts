import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import { AppError } from '../../platform/errors.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { isId, makeId } from '../../platform/lib/ids.ts';
import { countAttempt } from '../../platform/limits/throttle.ts';
import { requireLine, requireText, requireTextOr } from '../../platform/texts/text.ts';
import { COMMENT_TEXT } from '../comments/comments.ts';
import { createComment } from '../comments/writing.ts';
import type { PropertyInput } from '../fields/properties.ts';
import { POST_TEXT, POST_TITLE } from '../posts/posts.ts';
import { vote } from '../votes/votes.ts';
import { createVotedPost } from './posting.ts';

/** What a visitor has started on a board; the ids ensure that it is done once. */
export type Draft =
  | { kind: 'vote'; postId: string }
  | { kind: 'post'; id: string; title: string; text: string | null; properties?: readonly PropertyInput[] }
  | { kind: 'comment'; id: string; postId: string; parentId: string | null; text: string };

type DraftTable = {
  board_id: string;
  id: string;
  /** SHA-256 of the secret that identifies the visitor's browser. */
  browser: string;
  /** A draft as JSON. */
  content: string;
  /** Why it could not be completed. */
  refusal: string | null;
  date_created: number;
  date_expires: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    drafts: DraftTable;
  }
}

export type DraftRow = Selectable<DraftTable>;

/** How long a draft is kept: twice as long as a sign-in link, but not until someone else uses the browser. */
export const DRAFT_MS = HOUR_MS;
/** Drafts of one browser on one board; with more, the oldest are dropped. */
const MAX_DRAFTS = 20;

/**
 * Stores what an anonymous visitor has started until they have signed in.
 * @param browser a secret that only the visitor's browser has
 * @throws BAD_REQUEST for texts that could not be posted either
 */
export async function keepDraft({ db, clock, board }: RequestContext, browser: string, draft: Draft): Promise<void> {
  const now = clock.now();
  const row = {
    board_id: board.id,
    id: makeId(),
    browser: hashOf(browser),
    content: JSON.stringify(parseDraft(draft)),
    date_created: now,
    date_expires: now + DRAFT_MS,
  };
  await db.transaction(async (tx) => {
    await tx.deleteFrom('drafts').where('date_expires', '<=', now).execute();
    await tx.insertInto('drafts').values(row).execute();
    const own = tx
      .selectFrom('drafts')
      .select('id')
      .where('board_id', '=', board.id)
      .where('browser', '=', row.browser);
    const all = await own.orderBy('id', 'desc').execute();
    for (const { id } of all.slice(MAX_DRAFTS)) {
      await tx.deleteFrom('drafts').where('board_id', '=', board.id).where('id', '=', id).execute();
    }
  });
}

function parseDraft(draft: Draft): Draft {
  switch (draft.kind) {
    case 'vote':
      return draft;
    case 'post': {
      const text = requireTextOr(draft.text, POST_TEXT);
      return { ...draft, title: requireLine(draft.title, POST_TITLE), text };
    }
    case 'comment':
      return { ...draft, text: requireText(draft.text, COMMENT_TEXT) };
  }
}

/** The drafts of a browser, the oldest first. */
export function listDrafts({ db, clock, board }: RequestContext, browser: string): Promise<DraftRow[]> {
  const query = db.read.selectFrom('drafts').selectAll().where('board_id', '=', board.id);
  const own = query.where('browser', '=', hashOf(browser)).where('date_expires', '>', clock.now());
  return own.orderBy('id').execute();
}

/** Some drafts of a board, by their ids. */
export type DraftSet = { boardId: string; ids: string[] };

/** The drafts of a set that are still pending, the oldest first. */
export function listDraftsOf({ db, clock }: Pick<RequestContext, 'db' | 'clock'>, set: DraftSet): Promise<DraftRow[]> {
  const query = db.read.selectFrom('drafts').selectAll().where('board_id', '=', set.boardId);
  return query.where('id', 'in', set.ids).where('date_expires', '>', clock.now()).orderBy('id').execute();
}

/** Gives the drafts of a set to another browser: the one that used the mail that was sent for them. */
export async function moveDrafts({ db }: Pick<RequestContext, 'db'>, set: DraftSet, browser: string): Promise<void> {
  await db.transaction((tx) => {
    const query = tx.updateTable('drafts').set({ browser: hashOf(browser) });
    return query.where('board_id', '=', set.boardId).where('id', 'in', set.ids).execute();
  });
}

/** The posts that a browser has voted for, which counts once its user has signed in. */
export async function listPendingVotes(context: RequestContext, browser: string): Promise<Set<string>> {
  const drafts = (await listDrafts(context, browser)).map(readDraft);
  return new Set(drafts.flatMap((draft) => (draft.kind === 'vote' ? [draft.postId] : [])));
}

/** Withdraws a pending vote of a browser. */
export async function discardVote(context: RequestContext, browser: string, postId: string): Promise<void> {
  for (const row of await listDrafts(context, browser)) {
    const draft = readDraft(row);
    if (draft.kind === 'vote' && draft.postId === postId) await discardDraft(context, browser, row.id);
  }
}

/** What a row holds. */
export function readDraft(row: DraftRow): Draft {
  return JSON.parse(row.content);
}

/** The result of a draft: the post that it was about or has become, and the comment. */
export type Applied = { kind: Draft['kind']; postId: string; commentId: string | null };

/**
 * Completes a draft in the name of the actor. What can no longer be done stays with the reason, so that nothing that a
 * visitor wrote is lost.
 */
export async function applyDrafts(context: ActorContext, browser: string): Promise<Applied[]> {
  const applied: Applied[] = [];
  for (const row of await listDrafts(context, browser)) {
    try {
      await countContribution(context, readDraft(row).kind);
      applied.push(await applyDraft(context, readDraft(row)));
      await discardDraft(context, browser, row.id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await context.db.transaction((tx) => {
        const query = tx.updateTable('drafts').set({ refusal: error.message });
        return query.where('board_id', '=', row.board_id).where('id', '=', row.id).execute();
      });
    }
  }
  return applied;
}

/** Which limit counts what members contribute on the pages, at once or as a draft. */
const limits = { post: 'posts of', comment: 'comments of', vote: 'votes of' } as const;

/** Counts a contribution of the actor; the team has no limit. @throws RATE_LIMIT_EXCEEDED */
export async function countContribution({ db, clock, actor }: ActorContext, kind: Draft['kind']): Promise<void> {
  if (actor.role === 'MEMBER') await countAttempt(db, clock, limits[kind], actor.id);
}

async function applyDraft(context: ActorContext, draft: Draft): Promise<Applied> {
  switch (draft.kind) {
    case 'vote':
      return { kind: 'vote', postId: (await vote(context, draft.postId, 'UP')).id, commentId: null };
    case 'post': {
      const { id, title, text, properties } = draft;
      return {
        kind: 'post',
        postId: (await createVotedPost(context, { id, title, comment: text, properties })).id,
        commentId: null,
      };
    }
    case 'comment': {
      const { id, postId, parentId, text } = draft;
      const comment = await createComment(context, postId, { id, parentId, text });
      return { kind: 'comment', postId: comment.post_id, commentId: comment.id };
    }
  }
}

/** Deletes a draft of a browser; it is not an error if it no longer exists. */
export async function discardDraft({ db, board }: RequestContext, browser: string, id: string): Promise<void> {
  if (!isId(id)) return;
  await db.transaction((tx) => {
    const query = tx.deleteFrom('drafts').where('board_id', '=', board.id).where('id', '=', id);
    return query.where('browser', '=', hashOf(browser)).execute();
  });
}

function hashOf(browser: string): string {
  return hash('sha256', browser, 'base64url');
}
