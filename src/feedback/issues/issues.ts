import type { Selectable } from 'kysely';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { listEach } from '../../platform/db/lists.ts';
import { rowLimit } from '../../platform/db/prepare.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { deriveId, isId, makeId } from '../../platform/lib/ids.ts';
import { encodeCursor, makePages, type Page, type PageArgs, parseCursor } from '../../platform/lib/page.ts';
import { msg } from '../../platform/messages.ts';
import { type PostKey, type PostRow, requirePostForChange, requireUnmerged } from '../posts/posts.ts';
import { recordPostChange } from '../posts/recording.ts';

/** What an issue of a tracker can be: worked on or not yet, done, or closed without having been done. */
export const issueStates = ['OPEN', 'COMPLETED', 'NOT_PLANNED'] as const;
export type IssueState = (typeof issueStates)[number];

type IssueLinkTable = {
  board_id: string;
  id: string;
  post_id: string;
  tracker_id: string;
  /** What the tracker calls the issue; null until Earshot has made it there. */
  issue: string | null;
  url: string | null;
  title: string | null;
  state: IssueState | null;
  /** When the issue changed last, by the clock of the tracker. */
  date_changed: number;
  /** The release that was published with it. */
  release: string | null;
  /** When it was linked or opened again: releases of before do not count. */
  date_opened: number;
  /** Whether the team has yet to decide what follows from the end of the issue. */
  asks: 0 | 1;
  is_removed: 0 | 1;
  /** Whether the issue is as the tracker has it; it is read again otherwise. */
  is_read: 0 | 1;
  /** What the tracker calls the comment that tells the issue of the post. */
  comment_id: string | null;
  /** What that comment says, see `operations/trackers/pending.ts`. */
  told: string | null;
  /** Requests that may have made the issue or the comment without a response. */
  attempts: number;
  failures: number;
  failure: string | null;
  /** Nothing is asked of the tracker earlier. */
  date_due: number;
  date_created: number;
  added_by: string | null;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    issue_links: IssueLinkTable;
  }
}

/** That a post is linked to an issue of a tracker. */
export type IssueLinkRow = Selectable<IssueLinkTable>;

/** Issues that a post can be linked to. */
const MAX_LINKS = 20;

/**
 * Links a post to an issue, or to a new one that Earshot will make (null); does nothing if it is linked already.
 * @throws FORBIDDEN, NOT_FOUND; CONFLICT if the post was merged or has too many links
 */
export async function addLink(
  context: ActorContext,
  postId: string,
  target: { trackerId: string; issue: string | null; url: string | null },
): Promise<PostRow> {
  const { actor, clock } = context;
  requireRight(actor, 'issue.link');
  return context.db.transaction(async (tx) => {
    const post = await requirePostForChange(tx, context, postId);
    requireUnmerged(post);
    const links = await linksOf(tx, post).execute();
    const isSame = (row: IssueLinkRow) => row.tracker_id === target.trackerId && row.issue === target.issue;
    const known = links.find((row) => isSame(row) && (row.issue !== null || row.is_removed === 0));
    const before = shownIds(links);
    if (known?.is_removed === 0) return post;
    if (before.length >= MAX_LINKS) throw conflict(msg('issueTooMany', MAX_LINKS));
    const now = clock.now();
    const { trackerId, issue, url } = target;
    // The same for the same issue, so that what a dry run shows is what is done.
    const id = known?.id ?? (issue === null ? makeId() : deriveId(post.id, trackerId, issue));
    if (known) await setLink(tx, known, { ...ANEW, is_removed: 0, date_opened: now, date_due: now });
    else {
      const dates = { date_due: now, date_opened: now, date_created: now };
      const row = { board_id: post.board_id, id, post_id: post.id, tracker_id: trackerId, issue, url };
      await tx
        .insertInto('issue_links')
        .values({ ...row, ...dates, ...NEW_LINK, added_by: actor.id })
        .execute();
    }
    await recordPostChange(tx, context, post, { issueIds: before }, { issueIds: [...before, id].toSorted() });
    tx.notify('issues');
    return post;
  });
}

/** What came before it was linked again is no news. */
const ANEW = { state: null, release: null, date_changed: 0, asks: 0, is_read: 0 } as const;

const NEW_LINK = {
  date_changed: 0,
  asks: 0,
  is_removed: 0,
  is_read: 0,
  attempts: 0,
  failures: 0,
} as const;

/** Ends a link of a post to an issue. The issue stays as it is, without the comment of Earshot. @throws FORBIDDEN, NOT_FOUND */
export async function removeLink(context: ActorContext, id: string): Promise<PostRow> {
  requireRight(context.actor, 'issue.link');
  return context.db.transaction(async (tx) => {
    const query = tx.selectFrom('issue_links').select('post_id').where('board_id', '=', context.board.id);
    const link = isId(id) ? await query.where('id', '=', id).executeTakeFirst() : undefined;
    if (!link) throw notFound('Issue');
    const post = await requirePostForChange(tx, context, link.post_id);
    const before = await findIssueIds(tx, post);
    if (!before.includes(id)) throw notFound('Issue');
    const after = before.filter((each) => each !== id);
    await showLinks(tx, context, post, after);
    return post;
  });
}

/** Shows these links of a post, and no others: for undo. @throws FORBIDDEN, NOT_FOUND; CONFLICT if one is gone */
export async function setLinks(context: ActorContext, postId: string, ids: readonly string[]): Promise<void> {
  requireRight(context.actor, 'issue.link');
  await context.db.transaction(async (tx) => {
    const post = await requirePostForChange(tx, context, postId);
    await showLinks(tx, context, post, ids);
  });
}

async function showLinks(tx: Tx, context: ActorContext, post: PostRow, ids: readonly string[]): Promise<void> {
  const links = await linksOf(tx, post).execute();
  if (!ids.every((id) => links.some((row) => row.id === id))) throw conflict(msg('issueGone'));
  for (const row of links) {
    const isRemoved = ids.includes(row.id) ? 0 : 1;
    if (row.is_removed === isRemoved) continue;
    const now = context.clock.now();
    const anew = isRemoved === 0 && { ...ANEW, date_opened: now };
    await setLink(tx, row, { is_removed: isRemoved, asks: 0, is_read: 0, date_due: now, ...anew });
  }
  await recordPostChange(tx, context, post, { issueIds: shownIds(links) }, { issueIds: ids.toSorted() });
  tx.notify('issues');
}

/** Ids of the links of a post, in order. */
export async function findIssueIds(reader: Reader, post: PostKey): Promise<string[]> {
  return shownIds(await linksOf(reader, post).execute());
}

function shownIds(links: readonly IssueLinkRow[]): string[] {
  return links.filter((row) => row.is_removed === 0).map((row) => row.id);
}

function linksOf(reader: Reader, { board_id, id }: PostKey) {
  const query = reader.selectFrom('issue_links').selectAll().where('board_id', '=', board_id);
  return query.where('post_id', '=', id).orderBy('id');
}

/** Changes columns of a link. */
export async function setLink(
  tx: Tx,
  { board_id, id }: Pick<IssueLinkRow, 'board_id' | 'id'>,
  set: Partial<IssueLinkRow>,
): Promise<void> {
  await tx.updateTable('issue_links').set(set).where('board_id', '=', board_id).where('id', '=', id).execute();
}

/** The issues that a post is linked to, and posts that were merged into it, in the order in which they were linked. */
export function findIssues(reader: Reader, { board_id, id }: PostKey): Promise<IssueLinkRow[]> {
  return reader
    .selectFrom('issue_links')
    .selectAll()
    .where('board_id', '=', board_id)
    .where('is_removed', '=', 0)
    .where('post_id', 'in', (e) =>
      e
        .selectFrom('posts')
        .select('posts.id')
        .where('posts.board_id', '=', board_id)
        .where((p) => p.or([p('posts.id', '=', id), p('posts.merged_root_id', '=', id)])),
    )
    .orderBy('date_created')
    .orderBy('id')
    .execute();
}

/** The team has decided what follows from the end of an issue: nothing more is asked. */
export async function stopAsking(context: ActorContext, post: PostKey): Promise<void> {
  requireRight(context.actor, 'issue.link');
  await context.db.transaction(async (tx) => {
    for (const row of await findIssues(tx, post)) if (row.asks === 1) await setLink(tx, row, { asks: 0 });
  });
}

/** Pages of the links of each post, by their ids. */
export async function listIssues(
  { db, board }: Pick<ActorContext, 'db' | 'board'>,
  postIds: readonly string[],
  { cursor, limit }: PageArgs,
): Promise<Map<string, Page<IssueLinkRow>>> {
  const [, after = ''] = parseCursor('issues', cursor) ?? [];
  const rows = await issuesOfEach(db.read, {}, { boardId: board.id, after, limit: limit + 1 }, postIds.filter(isId));
  return makePages(rows, 'post_id', postIds, limit, (row) => encodeCursor('issues', [0, row.id]));
}

type Values = { boardId: string; after: string; limit: number };

const issuesOfEach = listEach<object, Values, IssueLinkRow>((_, reader, param, postId) =>
  reader
    .selectFrom('issue_links')
    .selectAll()
    .where('board_id', '=', param('boardId'))
    .where('post_id', '=', postId)
    .where('is_removed', '=', 0)
    .where('id', '>', param('after'))
    .orderBy('id')
    .limit(rowLimit(param('limit'))),
);
