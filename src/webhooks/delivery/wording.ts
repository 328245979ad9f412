import { findPosts, postUrl } from '../../feedback/posts/posts.ts';
import { listStatuses } from '../../feedback/statuses/statuses.ts';
import { isPublicComment } from '../../feedback/visibility/comments.ts';
import { type BoardRow, requireBoard } from '../../identity/board/board.ts';
import type { Tx } from '../../platform/db/db.ts';
import { type ChatSubject, describeEvent, type Surroundings } from '../chat/describing.ts';
import { writeMessage } from '../chat/forms.ts';
import { isChat } from '../chat/kinds.ts';
import type { Claim, Claimed } from './claim.ts';
import { releaseQueues } from './post-queues.ts';

/**
 * Words the messages of claimed deliveries to chats, once: with its first claim a delivery keeps its bytes for every
 * retry. What anonymous visitors may not see any more is skipped with every claim: retries can go on for days.
 */
export async function wordChats(tx: Tx, { claims, hasMoved }: Claimed, now: number, baseUrl: string): Promise<Claimed> {
  const worded: Claim[] = [];
  for (const claim of claims) {
    const { webhook, delivery } = claim;
    if (!isChat(webhook.kind)) {
      worded.push(claim);
      continue;
    }
    const board = await requireBoard(tx, delivery.board_id);
    const subject = claim.eventBody === '' ? null : (JSON.parse(claim.eventBody) as ChatSubject);
    const surroundings = subject && (await readSurroundings(tx, claim, subject, board, baseUrl));
    const message = subject && surroundings && describeEvent(subject, surroundings);
    if (!message) await skip(tx, claim, now);
    else if (delivery.body !== null) worded.push(claim);
    else worded.push(await keepBody(tx, claim, writeMessage(webhook.kind, message)));
  }
  return { claims: worded, hasMoved: hasMoved || worded.length < claims.length };
}

/** What a message needs to know; null if what it is about is not public. */
async function readSurroundings(
  tx: Tx,
  { delivery }: Claim,
  { event, data }: ChatSubject,
  board: BoardRow,
  baseUrl: string,
): Promise<Surroundings | null> {
  const { board_id: boardId, post_id: subjectId } = delivery;
  const publicStatusIds = new Set<string>();
  if (subjectId === null) return null;
  if (event === 'changelog.published') {
    return (await isPublished(tx, boardId, subjectId)) ? { board, post: null, publicStatusIds } : null;
  }
  const [post] = await findPosts(tx, boardId, [subjectId], null);
  if (!post || (event === 'comment.created' && !(await hasComment(tx, boardId, data.comment?.id ?? '')))) return null;
  for (const status of await listStatuses(tx, boardId)) {
    if (status.post_visibility === 'PUBLIC') publicStatusIds.add(status.id);
  }
  return { board, post: { title: post.title, url: postUrl(post, board, baseUrl) }, publicStatusIds };
}

async function isPublished(tx: Tx, boardId: string, id: string): Promise<boolean> {
  const entry = tx.selectFrom('changelog_entries').select('date_published').where('board_id', '=', boardId);
  return (await entry.where('id', '=', id).executeTakeFirst())?.date_published != null;
}

async function hasComment(tx: Tx, boardId: string, id: string): Promise<boolean> {
  const query = tx.selectFrom('comments').select(['type', 'moderation_status']).where('board_id', '=', boardId);
  const comment = await query.where('id', '=', id).where('date_deleted', 'is', null).executeTakeFirst();
  return comment !== undefined && isPublicComment(comment);
}

async function keepBody(tx: Tx, claim: Claim, body: string): Promise<Claim> {
  const { delivery } = claim;
  const row = tx.updateTable('deliveries').set({ body }).where('board_id', '=', delivery.board_id);
  await row.where('id', '=', delivery.id).execute();
  return { ...claim, delivery: { ...delivery, body }, body };
}

async function skip(tx: Tx, { delivery }: Claim, now: number): Promise<void> {
  const { board_id: boardId } = delivery;
  const done = { date_due: null, date_done: now, lease_token: null };
  const set = { state: 'skipped', outcome: 'not public', body: null, ...done } as const;
  await tx.updateTable('deliveries').set(set).where('board_id', '=', boardId).where('id', '=', delivery.id).execute();
  await releaseQueues(tx, boardId, [delivery], now);
}
