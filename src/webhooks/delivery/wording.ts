import { findComment } from '../../feedback/comments/comments.ts';
import { findPosts, postUrl } from '../../feedback/posts/posts.ts';
import { listStatuses } from '../../feedback/statuses/statuses.ts';
import { listTags } from '../../feedback/tags/tags.ts';
import { type BoardRow, requireBoard } from '../../identity/board/board.ts';
import type { Tx } from '../../platform/db/db.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { type ChatSubject, describeEvent, mayNameHidden, type Surroundings } from '../chat/describing.ts';
import { writeMessage } from '../chat/forms.ts';
import { type ChatEvent, chatEvents, isChat } from '../chat/kinds.ts';
import type { Claim, Claimed } from './claim.ts';
import { releaseQueues } from './post-queues.ts';

/**
 * Words the messages of claimed deliveries to chats, once: with its first claim a delivery keeps its bytes for every
 * retry. Retries can go on for days, so with every claim what anonymous visitors may not see any more is skipped, and a
 * message that may name a status or tag that was hidden since is worded again.
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
    if (subject && !chatEvents.includes(subject.event)) {
      await leave(tx, claim, now);
      continue;
    }
    const surroundings = subject && (await readSurroundings(tx, claim, subject, board, baseUrl));
    const message = subject && surroundings && describeEvent(subject, surroundings);
    if (!message) await skip(tx, claim, now);
    else if (delivery.body !== null && !mayNameHidden(subject, surroundings)) worded.push(claim);
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
  if (subjectId === null) return null;
  if (event === 'changelog.published') {
    return (await isPublished(tx, boardId, subjectId)) ? { board, post: null, publicIds: new Set() } : null;
  }
  const [post] = await findPosts(tx, boardId, [subjectId], null);
  if (!post || (event === 'comment.created' && !(await findComment(tx, boardId, data.comment?.id ?? '', null))))
    return null;
  const publicIds = await listPublicIds(tx, boardId, event);
  return { board, post: { title: post.title, url: postUrl(post, board, baseUrl) }, publicIds };
}

/** The statuses and tags that the message of such an event may name. */
async function listPublicIds(tx: Tx, boardId: string, event: ChatEvent): Promise<Set<string>> {
  if (event === 'post.tags.updated') return new Set((await listTags(tx, boardId, null)).map(({ id }) => id));
  if (event !== 'post.status.updated') return new Set();
  const statuses = await listStatuses(tx, boardId);
  return new Set(statuses.filter((status) => status.post_visibility === 'PUBLIC').map(({ id }) => id));
}

async function isPublished(tx: Tx, boardId: string, id: string): Promise<boolean> {
  const entry = tx.selectFrom('changelog_entries').select('date_published').where('board_id', '=', boardId);
  return (await entry.where('id', '=', id).executeTakeFirst())?.date_published != null;
}

async function keepBody(tx: Tx, claim: Claim, body: string): Promise<Claim> {
  const { delivery } = claim;
  const row = tx.updateTable('deliveries').set({ body }).where('board_id', '=', delivery.board_id);
  await row.where('id', '=', delivery.id).execute();
  return { ...claim, delivery: { ...delivery, body }, body };
}

/** Leaves a delivery of a kind of event that this version cannot word to a newer one that uses the same store. */
async function leave(tx: Tx, { delivery }: Claim, now: number): Promise<void> {
  const later = tx.updateTable('deliveries').set({ date_due: now + MINUTE_MS, lease_token: null });
  await later.where('board_id', '=', delivery.board_id).where('id', '=', delivery.id).execute();
}

async function skip(tx: Tx, { delivery }: Claim, now: number): Promise<void> {
  const { board_id: boardId } = delivery;
  const done = { date_due: null, date_done: now, lease_token: null };
  const set = { state: 'skipped', outcome: 'not public', body: null, ...done } as const;
  await tx.updateTable('deliveries').set(set).where('board_id', '=', boardId).where('id', '=', delivery.id).execute();
  await releaseQueues(tx, boardId, [delivery], now);
}
