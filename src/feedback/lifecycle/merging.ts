import { emit } from '../../events/events.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext, ServiceContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { isOneOf, locked } from '../../platform/db/prepare.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { announceComments } from '../comments/announcing.ts';
import { type Notifying, recordNotice } from '../notices/notices.ts';
import { type PostRow, setPost } from '../posts/posts.ts';
import { recordPostChange } from '../posts/recording.ts';
import { listStatuses, type StatusRow, statusOfType } from '../statuses/statuses.ts';
import { isAsOpenAs, isHeld, seesStatus } from '../visibility/posts.ts';
import { countMoves } from './counting.ts';
import { dropMergeComments, moveCommentsBack, moveCommentsTo, shareRows, takeBackRows } from './merged-rows.ts';
import { insertChange } from './moving.ts';
import { postStatusUpdated } from './posts.events.ts';
import { recountPost } from './recounting.ts';

const MAX_SOURCES = 50;

/**
 * Merges posts into another one: their votes, comments and followers go there, each user counting once, and they get
 * the status MERGED. A post into which others were merged brings them along.
 * @param notifying its id is that of the notice about the first post
 * @throws CONFLICT when a post is deleted, merged or held back, the target is locked or among the sources, or merging
 * would show a post to more people than may see it now
 */
export async function mergePosts(
  context: ActorContext,
  rawIds: readonly string[],
  targetId: string,
  { id: noticeId, ...notifying }: Notifying = {},
): Promise<PostRow> {
  requireRight(context.actor, 'post.merge');
  const sourceIds = [...new Set(rawIds)];
  if (sourceIds.length < 1 || sourceIds.length > MAX_SOURCES) {
    throw badRequest(`sourceIds must have 1 to ${MAX_SOURCES} posts; it has ${sourceIds.length}`, 'sourceIds');
  }
  if (sourceIds.includes(targetId)) throw conflict(msg('mergeIntoItself'));
  return context.db.transaction(async (tx) => {
    const statuses = await lockMerging(tx, context.board.id);
    const children = await findMergedIds(tx, context.board.id, 'merged_root_id', sourceIds.filter(isId));
    const posts = await lockPosts(tx, context.board.id, [...sourceIds, targetId, ...children]);
    const find = (id: string) => requireMergeable(context, statuses, posts.get(id));
    const sources = sourceIds.map(find);
    const target = find(targetId);
    if (target.is_locked) throw conflict(msg('mergeTargetLocked'));
    const merged = statusOfType(statuses, 'MERGED');
    for (const source of sources) requireAsOpen(statuses, source, [target.status_id, merged.id]);
    const branches = children.flatMap((id) => posts.get(id) ?? []);
    for (const source of sources) await mergeOne(tx, context, source, target, merged, branches);
    await countMoves(
      tx,
      sources.map((post) => ({ post, from: post.status_id, to: merged.id })),
    );
    const after = await recountPost(tx, await setPost(tx, target, { date_updated: context.clock.now() }));
    for (const source of sources) {
      await emitMove(tx, context, source.id, statuses, source.status_id, merged.id);
      const id = source === sources[0] ? noticeId : undefined;
      const notice = { kind: 'MERGE' as const, postId: source.id, actorId: context.actor.id, details: { targetId } };
      await recordNotice(tx, context, { ...notifying, ...notice, id });
    }
    return after;
  });
}

async function mergeOne(
  tx: Tx,
  context: ActorContext,
  source: PostRow,
  target: PostRow,
  merged: StatusRow,
  branches: readonly PostRow[],
): Promise<void> {
  const now = context.clock.now();
  await shareRows(tx, source, target.id);
  await moveCommentsTo(tx, source, target.id, now);
  const changed = await setPost(tx, source, {
    merged_into_id: target.id,
    merged_root_id: target.id,
    status_id: merged.id,
    unmerged_status_id: source.status_id,
    date_updated: now,
  });
  for (const post of branches) {
    if (post.merged_root_id === source.id) await setPost(tx, post, { merged_root_id: target.id });
  }
  await recordPostChange(tx, context, source, { mergedIntoId: null }, { mergedIntoId: target.id });
  const went = { type: 'MERGE_SOURCE' as const, number: target.number };
  await insertChange(tx, context, source, went, { aboutId: target.id });
  const came = { type: 'MERGE_TARGET' as const, number: source.number, votes: source.upvotes };
  await insertChange(tx, context, target, came, { aboutId: source.id });
  await recountPost(tx, changed);
}

/**
 * Takes a merged post out of the one it was merged into, with everything that it had before and the posts that were
 * merged into it. What came to the target since then stays there.
 * @throws CONFLICT when the post is not merged
 */
export async function unmergePost(context: ActorContext, id: string): Promise<PostRow> {
  requireRight(context.actor, 'post.merge');
  return context.db.transaction(async (tx) => {
    const statuses = await lockMerging(tx, context.board.id);
    const post = (await readPosts(tx, context.board.id, isId(id) ? [id] : [])).get(id);
    if (!post || post.date_deleted !== null || !seesUnmerged(context, statuses, post)) throw notFound('Post');
    if (post.merged_into_id === null) throw conflict(msg('mergePostNotMerged'));
    return unmergeLocked(tx, context, statuses, post);
  });
}

/** Takes a merged post out of its target, for a caller who has locked merging. */
export async function unmergeLocked(
  tx: Tx,
  context: ServiceContext,
  statuses: readonly StatusRow[],
  { id, board_id: boardId, merged_root_id: rootId }: PostRow,
): Promise<PostRow> {
  const related = await findMergedIds(tx, boardId, 'merged_root_id', [rootId ?? id]);
  const posts = await lockPosts(tx, boardId, [...related, rootId ?? id]);
  const post = posts.get(id);
  const root = posts.get(rootId ?? id);
  if (!post || !root) throw new Error(`Post ${id} is merged into a post that does not exist`);
  const branch = branchOf(post, posts);
  const now = context.clock.now();
  const status = statuses.find((s) => s.id === post.unmerged_status_id) ?? statusOfType(statuses, 'UNASSIGNED');
  const state = { merged_into_id: null, merged_root_id: null, unmerged_status_id: null };
  const changed = await setPost(tx, post, { ...state, status_id: status.id, date_updated: now });
  for (const child of branch) {
    if (child.id !== post.id) await setPost(tx, child, { merged_root_id: post.id });
  }
  await recordPostChange(tx, context, post, { mergedIntoId: post.merged_into_id }, { mergedIntoId: null });
  await takeBackRows(tx, post, posts);
  await dropMergeComments(tx, post, root);
  const branchIds = branch.map((member) => member.id);
  await moveCommentsBack(tx, root, post, branchIds, now);
  await recountPost(tx, await setPost(tx, root, { date_updated: now }));
  const after = await recountPost(tx, changed);
  await countMoves(tx, [{ post, from: post.status_id, to: status.id }]);
  await emitMove(tx, context, post.id, statuses, post.status_id, status.id);
  // The changes to its comments while the target was not announced.
  if (after.is_announced) await announceComments(tx, context, after);
  return after;
}

/** The post and those merged into it, directly or through others. */
function branchOf(post: PostRow, posts: ReadonlyMap<string, PostRow>): PostRow[] {
  const children = [...posts.values()].filter((other) => other.merged_into_id === post.id);
  return [post, ...children.flatMap((child) => branchOf(child, posts))];
}

/**
 * Serializes merges on one board: only merging changes which post is merged into which. The lock is on the status
 * MERGED, before any post: who changes its counts for a merged post calls `lockMergingOf` first.
 */
export async function lockMerging(tx: Tx, boardId: string): Promise<StatusRow[]> {
  const query = tx.selectFrom('statuses').select('id').where('board_id', '=', boardId).where('type', '=', 'MERGED');
  await locked(tx, query).execute();
  return listStatuses(tx, boardId);
}

/** As `lockMerging` if the post is merged, for a change that its status counts. */
export async function lockMergingOf(tx: Tx, boardId: string, postId: string): Promise<void> {
  const post = (await readPosts(tx, boardId, isId(postId) ? [postId] : [])).get(postId);
  if (post?.merged_into_id) await lockMerging(tx, boardId);
}

/** Posts by their ids, deleted ones included, locked in the order of their ids. */
export async function lockPosts(tx: Tx, boardId: string, ids: readonly string[]): Promise<Map<string, PostRow>> {
  return readPosts(tx, boardId, ids, (query) => locked(tx, query));
}

type PostsQuery = ReturnType<typeof selectPosts>;

async function readPosts(
  tx: Tx,
  boardId: string,
  ids: readonly string[],
  lock: (query: PostsQuery) => PostsQuery = (query) => query,
): Promise<Map<string, PostRow>> {
  const posts = await lock(selectPosts(tx, boardId, ids.filter(isId))).execute();
  return new Map(posts.map((post) => [post.id, post]));
}

function selectPosts(tx: Tx, boardId: string, ids: readonly string[]) {
  const query = tx.selectFrom('posts').selectAll().where('board_id', '=', boardId);
  return query.where(isOneOf(tx, 'id', ids)).orderBy('id');
}

/** Ids of the posts that are merged into these, directly or indirectly. */
export async function findMergedIds(
  reader: Reader,
  boardId: string,
  column: 'merged_into_id' | 'merged_root_id',
  ids: readonly string[],
): Promise<string[]> {
  const query = reader.selectFrom('posts').select('id').where('board_id', '=', boardId);
  return (await query.where(isOneOf(reader, column, ids)).execute()).map((row) => row.id);
}

function requireMergeable(context: ActorContext, statuses: readonly StatusRow[], post: PostRow | undefined): PostRow {
  if (!post || !seesUnmerged(context, statuses, post)) throw notFound('Post');
  if (post.date_deleted !== null) throw conflict(msg('mergePostDeleted'));
  if (post.merged_into_id !== null) throw conflict(msg('mergePostMerged'));
  if (isHeld(post.moderation_status)) throw conflict(msg('mergePostHeld'));
  return post;
}

/** A merged post has the status MERGED, and its comments are on the target: who sees these sees them, too. */
function requireAsOpen(statuses: readonly StatusRow[], source: PostRow, statusIds: readonly string[]): void {
  const visibilitiesOf = (ids: readonly string[]) =>
    statuses.filter(({ id }) => ids.includes(id)).map((status) => status.post_visibility);
  const [own] = visibilitiesOf([source.status_id]);
  if (own && visibilitiesOf(statusIds).every((other) => isAsOpenAs(own, other))) return;
  throw conflict(msg('mergeWouldShowMore', source.number));
}

/** Whether the actor could see the post if it were not deleted. */
function seesUnmerged({ actor }: ActorContext, statuses: readonly StatusRow[], post: PostRow): boolean {
  return statuses.some((status) => status.id === post.status_id && seesStatus(actor, status));
}

async function emitMove(
  tx: Tx,
  context: ServiceContext,
  postId: string,
  statuses: readonly StatusRow[],
  fromId: string,
  toId: string,
): Promise<void> {
  const post = (await readPosts(tx, context.board.id, [postId])).get(postId);
  const previousStatus = statuses.find((s) => s.id === fromId);
  const status = statuses.find((s) => s.id === toId);
  if (!post || !status || !previousStatus || post.is_announced === 0) return;
  const { actor } = context;
  const subject = { context, post, status, previousStatus, user: actor };
  await emit(tx, context, postStatusUpdated, subject, { postId, actorId: actor?.id ?? null });
}
