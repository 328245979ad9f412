import type { Call } from '../call.ts';
import { insertComment } from '../comments/comments.ts';
import type { Tx } from '../db/db.ts';
import { locked, prepare } from '../db/prepare.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { emit } from '../events/events.ts';
import { addProperties, type PropertyInputs, parseProperties } from '../fields/properties.ts';
import { attachFiles, parseFileIds } from '../files/attaching.ts';
import { makeId } from '../lib/ids.ts';
import { makeExcerpt, requireText, requireTextOr } from '../lib/text.ts';
import { indexPost } from '../search/indexing.ts';
import { addToPostCount, listStatuses, requireStatusOf, type StatusRow } from '../statuses/statuses.ts';
import { subscribe } from '../subscriptions/subscriptions.ts';
import { addTags, parseTagIds, requireTags } from '../tags/tagging.ts';
import { lockTags } from '../tags/tags.ts';
import { requireRight } from '../users/authority.ts';
import { requireUserByRef, type UserRef } from '../users/users.ts';
import { postCreated } from './posts.events.ts';
import { EXCERPT_CHARACTERS, hotScore, POST_TEXT, POST_TITLE, type PostRow } from './posts.ts';
import { seesPost } from './visibility.ts';

export type NewPost = {
  /** An id that the caller has made, for what may be sent twice: it is added once. */
  id?: string | undefined;
  title: string;
  /** The description, which becomes the post's first comment. */
  comment?: string | null | undefined;
  /** Ids of the actor's own uploads. */
  files?: readonly (string | null | undefined)[] | null | undefined;
  properties?: PropertyInputs | null | undefined;
  /** Whether the writer is asked for fields, so that required ones need a value. Forms of the pages do not ask. */
  asksFields?: boolean;
  tagIds?: readonly string[] | null | undefined;
  statusId?: string | null | undefined;
  author?: UserRef | null | undefined;
  dateCreated?: number | null | undefined;
  externalId?: string | null | undefined;
  /** Marks a post as an example that people may remove. */
  isSample?: boolean;
};

/** Adds a post, or returns the one that has this `externalId` already. */
export async function createPost(call: Call, input: NewPost): Promise<PostRow> {
  const title = requireText(input.title, POST_TITLE);
  const text = requireTextOr(input.comment ?? null, POST_TEXT);
  const externalId = requireTextOr(input.externalId ?? null, { field: 'externalId', min: 1, max: 255 });
  const tagIds = parseTagIds(input.tagIds ?? null) ?? [];
  const fileIds = parseFileIds(input.files);
  const now = call.clock.now();
  const dateCreated = input.dateCreated ?? now;
  if (input.author || input.dateCreated != null) requireRight(call.actor, 'act.for');
  if (input.statusId != null) requireRight(call.actor, 'post.status');
  if (dateCreated > now) throw badRequest('dateCreated must not be in the future', 'dateCreated');

  return call.db.transaction(async (tx) => {
    const status = await requireInitialStatus(tx, call.board.id, input.statusId ?? null);
    const twin = { externalId, id: input.id ?? null };
    const existing = await findTwin(tx, call, status, tagIds, twin);
    if (existing) return existing;
    // What comes from elsewhere is taken as it is there.
    const isComplete = input.asksFields === true && input.dateCreated == null;
    const properties = await parseProperties(tx, call, input.properties ?? [], { isComplete });
    const author = input.author ? await requireUserByRef(tx, call.board.id, input.author, 'author') : call.actor;
    // What needs no lock comes first: from here on, others who post on the board wait.
    const id = input.id ?? makeId();
    const draft = { board_id: call.board.id, id };
    if (text !== null)
      await insertComment(tx, { post: draft, userId: author.id, text, isFirst: true, dateCreated, now });
    await attachFiles(tx, call, fileIds, { post_id: id });
    await indexPost(tx, { ...draft, title }, text);
    await subscribe(tx, draft, author.id, now);
    await addToPostCount(tx, call.board.id, status.id, { posts: 1, held: 0 });
    const tags = await requireTags(tx, call, tagIds);
    const post = await insertPost(tx, {
      boardId: call.board.id,
      id,
      number: await takeNumber(tx, call.board.id),
      title,
      excerpt: text === null ? null : makeExcerpt(text, EXCERPT_CHARACTERS),
      authorId: author.id,
      statusId: status.id,
      externalId,
      isSample: input.isSample ? 1 : 0,
      hot: hotScore(0, 0, dateCreated),
      dateCreated,
      now,
      dateCompleted: status.type === 'COMPLETED' ? dateCreated : 0,
    });
    await addTags(tx, post, tags);
    await addProperties(tx, post, properties);
    const subject = { call, post, text, status, tags, user: author };
    await emit(tx, call, postCreated, subject, { postId: post.id, actorId: call.actor.id });
    return post;
  });
}

/**
 * The post that was made with this external id, or by the same form. The board is locked, so that two calls at once
 * cannot both find nothing; and before it what a new post would lock.
 */
async function findTwin(
  tx: Tx,
  { actor }: Call,
  status: StatusRow,
  tagIds: readonly string[],
  { externalId, id }: { externalId: string | null; id: string | null },
): Promise<PostRow | null> {
  if (externalId === null && id === null) return null;
  const boardId = status.board_id;
  const statusRow = tx.selectFrom('statuses').select('id').where('board_id', '=', boardId).where('id', '=', status.id);
  await locked(tx, statusRow).execute();
  await lockTags(tx, boardId, tagIds);
  await locked(tx, tx.selectFrom('boards').select('id').where('id', '=', boardId)).execute();
  const query = tx.selectFrom('posts').selectAll().where('board_id', '=', boardId);
  if (id !== null) {
    const sent = await query.where('id', '=', id).executeTakeFirst();
    if (sent && sent.author_id !== actor.id) throw conflict('There is a post with this id already');
    if (sent) return sent;
  }
  const post = externalId && (await query.where('external_id', '=', externalId).executeTakeFirst());
  if (!post) return null;
  if (post.date_deleted) throw conflict('The post with this externalId is deleted; restorePost brings it back');
  if (seesPost(actor, post, await requireStatusOf(tx, post))) return post;
  throw conflict('There is a post with this externalId that this user may not see');
}

async function requireInitialStatus(tx: Tx, boardId: string, statusId: string | null): Promise<StatusRow> {
  const statuses = await listStatuses(tx, boardId);
  const status = statuses.find((s) => (statusId === null ? s.type === 'UNASSIGNED' : s.id === statusId));
  if (!status) throw notFound('Status');
  if (status.type === 'MERGED') throw badRequest('A post gets the status MERGED by mergePosts only', 'statusId');
  return status;
}

async function takeNumber(tx: Tx, boardId: string): Promise<number> {
  const [board] = await nextNumber(tx, { boardId });
  if (!board) throw new Error('The board is gone');
  return board.post_number;
}

const nextNumber = prepare<{ boardId: string }, { post_number: number }>((tx, param) =>
  tx
    .updateTable('boards')
    .set((e) => ({ post_number: e('post_number', '+', 1), post_count: e('post_count', '+', 1) }))
    .where('id', '=', param('boardId'))
    .returning('post_number'),
);

type InsertValues = {
  boardId: string;
  id: string;
  number: number;
  title: string;
  excerpt: string | null;
  authorId: string;
  statusId: string;
  externalId: string | null;
  isSample: 0 | 1;
  hot: number;
  dateCreated: number;
  now: number;
  dateCompleted: number;
};

const insertOne = prepare<InsertValues, PostRow>((tx, param) =>
  tx
    .insertInto('posts')
    .values({
      board_id: param('boardId'),
      id: param('id'),
      number: param('number'),
      title: param('title'),
      excerpt: param('excerpt'),
      author_id: param('authorId'),
      status_id: param('statusId'),
      external_id: param('externalId'),
      is_sample: param('isSample'),
      hot: param('hot'),
      date_created: param('dateCreated'),
      date_updated: param('now'),
      date_completed: param('dateCompleted'),
    })
    .returningAll(),
);

async function insertPost(tx: Tx, values: InsertValues): Promise<PostRow> {
  return (await insertOne(tx, values))[0] as PostRow;
}
