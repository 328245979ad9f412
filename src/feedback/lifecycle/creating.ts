import { sql } from 'kysely';
import { emit } from '../../events/events.ts';
import { type BoardRow, lockBoard } from '../../identity/board/board.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { requireUserByRef, type UserRef, type UserRow } from '../../identity/users/users.ts';
import { pipelined, type Tx } from '../../platform/db/db.ts';
import { locked, prepare, prepareInsert, prepareVariants } from '../../platform/db/prepare.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import { isId, makeId } from '../../platform/lib/ids.ts';
import { makeExcerpt, requireLine, requireTextOr } from '../../platform/lib/text.ts';
import { moderationOfNew } from '../approval/approval.ts';
import { insertComment } from '../comments/comments.ts';
import { addProperties, type FieldValues, type PropertyInputs, parseProperties } from '../fields/properties.ts';
import { attachFiles, parseFileIds } from '../files/attaching.ts';
import { notifyOfModeration, notifyOfPost } from '../notices/notices.ts';
import { EXCERPT_CHARACTERS, hotScore, POST_TEXT, POST_TITLE, type PostRow } from '../posts/posts.ts';
import { indexPost } from '../search/indexing.ts';
import { addToPostCount, requireStatusOf, type StatusRow } from '../statuses/statuses.ts';
import { subscribe, WAYS } from '../subscriptions/subscriptions.ts';
import { addTags, parseTagIds, requireTags } from '../tags/tagging.ts';
import { lockTags } from '../tags/tags.ts';
import { isHeld, type ModerationStatus, seesPost } from '../visibility/posts.ts';
import { postCreated } from './posts.events.ts';

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
export async function createPost(context: ActorContext, input: NewPost): Promise<PostRow> {
  const draft = parseDraft(context, input);
  return context.db.transaction(async (tx) => {
    const found = await lookUp(tx, context, draft);
    return found.existing ?? addPost(tx, context, draft, found);
  });
}

/** What is right of a new post by itself. */
type Draft = ReturnType<typeof parseDraft>;

function parseDraft(context: ActorContext, input: NewPost) {
  requireRight(context.actor, 'take.part');
  const title = requireLine(input.title, POST_TITLE);
  const text = requireTextOr(input.comment ?? null, POST_TEXT);
  const externalId = requireTextOr(input.externalId ?? null, { field: 'externalId', min: 1, max: 255 });
  const tagIds = parseTagIds(input.tagIds ?? null) ?? [];
  const fileIds = parseFileIds(input.files);
  const now = context.clock.now();
  const dateCreated = input.dateCreated ?? now;
  if (input.author || input.dateCreated != null) requireRight(context.actor, 'act.for');
  if (input.statusId != null) requireRight(context.actor, 'post.status');
  if (dateCreated > now) throw badRequest('dateCreated must not be in the future', 'dateCreated');
  const givenId = input.id ?? null;
  // Made with the same external id, or by the same form.
  const mayExist = externalId !== null || givenId !== null;
  // What comes from elsewhere is taken as it is there.
  const isImported = input.dateCreated != null;
  const isComplete = input.asksFields === true && !isImported;
  const id = givenId ?? makeId();
  return {
    ...input,
    id,
    givenId,
    title,
    text,
    externalId,
    tagIds,
    fileIds,
    now,
    dateCreated,
    mayExist,
    isComplete,
    isImported,
  };
}

/** What the store knows of what a new post names. */
type Found = {
  existing: null;
  status: StatusRow;
  properties: FieldValues[];
  author: UserRow;
  moderation: ModerationStatus;
};

/** Asks for all of it at once. A post that exists already is given even if the rest is not there any more. */
async function lookUp(tx: Tx, context: ActorContext, draft: Draft): Promise<Found | { existing: PostRow }> {
  const boardId = context.board.id;
  const asked = {
    status: requireInitialStatus(tx, boardId, draft),
    existing: draft.mayExist ? findExisting(tx, context, draft) : null,
    properties: parseProperties(tx, context, draft.properties ?? [], draft),
    author: draft.author ? requireUserByRef(tx, boardId, draft.author, 'author') : context.actor,
    moderation: moderationOfNew(tx, context),
  };
  await Promise.allSettled(Object.values(asked));
  const status = await asked.status;
  const existing = await asked.existing;
  if (existing) return { existing };
  const author = await asked.author;
  if (!draft.isImported) requireRight(author, 'take.part');
  return { existing, status, properties: await asked.properties, author, moderation: await asked.moderation };
}

async function addPost(tx: Tx, context: ActorContext, draft: Draft, found: Found): Promise<PostRow> {
  const { id, title, text, dateCreated, now } = draft;
  const { status, properties, author, moderation } = found;
  const held = isHeld(moderation);
  const place = { board_id: context.board.id, id };
  await attachFiles(tx, context, draft.fileIds, { post_id: id });
  // Only the last of these locks the board: from there on, others who post on it wait.
  const description = { post: place, userId: author.id, isFirst: true, dateCreated, now };
  const { tags, numbers } = await pipelined({
    comment: text === null ? null : insertComment(tx, { ...description, text }),
    index: indexPost(tx, { ...place, title }, text),
    subscription: subscribe(tx, place, author.id, WAYS.WROTE, now),
    count: addToPostCount(tx, context.board.id, status.id, { posts: 1, held: Number(held) }),
    notice: notifyOf(tx, context, draft, found),
    tags: requireTags(tx, context, draft.tagIds),
    numbers: takeNumbers(tx, context.board.id, { isAnnounced: !held }),
  });
  const { post_number: number, event_seq: seq } = numbers;
  const announced = { id, title, number, upvotes: 0 };
  const subject = { context, post: announced, text, status, tags, user: author };
  const [[post]] = await pipelined([
    insertPost(tx, {
      ...place,
      number,
      title,
      excerpt: text === null ? null : makeExcerpt(text, EXCERPT_CHARACTERS),
      author_id: author.id,
      status_id: status.id,
      external_id: draft.externalId,
      is_sample: draft.isSample ? 1 : 0,
      moderation_status: moderation,
      is_announced: held ? 0 : 1,
      hot: hotScore(0, 0, dateCreated),
      date_created: dateCreated,
      date_updated: now,
      date_completed: status.type === 'COMPLETED' ? dateCreated : 0,
    }),
    addTags(tx, place, tags),
    addProperties(tx, place, properties),
    held ? null : emit(tx, context, postCreated, subject, { postId: id, actorId: context.actor.id, seq }),
  ]);
  return post as PostRow;
}

/** The team is notified of a post that is there, or that waits for it. */
async function notifyOf(tx: Tx, context: ActorContext, draft: Draft, { moderation, author }: Found): Promise<void> {
  if (draft.isImported) return;
  if (!isHeld(moderation)) return notifyOfPost(tx, context, draft.id, author.id);
  await notifyOfModeration(tx, context, { postId: draft.id, status: moderation });
}

type InitialStatus = { boardId: string; statusId: string | null };

const initialStatus = prepareVariants<{ isNamed: boolean; isLocked: boolean }, InitialStatus, StatusRow>(
  ({ isNamed, isLocked }) =>
    prepare((tx, param) => {
      const ofBoard = tx.selectFrom('statuses').selectAll().where('board_id', '=', param('boardId'));
      const status = isNamed
        ? ofBoard.where('id', '=', param('statusId'))
        : ofBoard.where('type', '=', sql.lit('UNASSIGNED'));
      return isLocked ? locked(tx, status) : status;
    }),
);

/** The status that a post begins in: the one that is named, or UNASSIGNED. */
async function requireInitialStatus(tx: Tx, boardId: string, { statusId, mayExist }: Draft): Promise<StatusRow> {
  if (statusId != null && !isId(statusId)) throw notFound('Status');
  const find = initialStatus({ isNamed: statusId != null, isLocked: mayExist });
  const [status] = await find(tx, { boardId, statusId: statusId ?? null });
  if (!status) throw notFound('Status');
  if (status.type === 'MERGED') throw badRequest('Only mergePosts can set the status MERGED', 'statusId');
  return status;
}

/**
 * The post that was made with this external id, or by the same form. The board is locked, so that two calls at once
 * cannot both find nothing; and before it what a new post would lock, of which its status is locked already.
 */
async function findExisting(
  tx: Tx,
  context: ActorContext,
  { externalId, givenId, tagIds }: Draft,
): Promise<PostRow | null> {
  const boardId = context.board.id;
  const found = await pipelined({
    tags: lockTags(tx, boardId, tagIds),
    board: lockBoard(tx, boardId),
    sent: givenId === null ? [] : postById(tx, { boardId, value: givenId }),
    imported: externalId === null ? [] : postByExternalId(tx, { boardId, value: externalId }),
  });
  const [sent] = found.sent;
  const [post] = found.imported;
  if (sent && sent.author_id !== context.actor.id) throw conflict('There is already a post with this id');
  if (sent) return sent;
  if (!post) return null;
  if (post.date_deleted) throw conflict('The post with this externalId is deleted; restorePost brings it back');
  if (seesPost(context.actor, post, await requireStatusOf(tx, post))) return post;
  throw conflict('There is a post with this externalId that this user may not see');
}

const postBy = (column: 'id' | 'external_id') =>
  prepare<{ boardId: string; value: string }, PostRow>((tx, param) =>
    tx.selectFrom('posts').selectAll().where('board_id', '=', param('boardId')).where(column, '=', param('value')),
  );
const postById = postBy('id');
const postByExternalId = postBy('external_id');

type Numbers = Pick<BoardRow, 'post_number' | 'event_seq'>;

/** The numbers of a new post and of the event that tells of it, if there is one. */
async function takeNumbers(tx: Tx, boardId: string, announcement: { isAnnounced: boolean }): Promise<Numbers> {
  const [board] = await nextNumbers(announcement)(tx, { boardId });
  if (!board) throw new Error('The board is gone');
  return board;
}

const nextNumbers = prepareVariants<{ isAnnounced: boolean }, { boardId: string }, Numbers>(({ isAnnounced }) =>
  prepare((tx, param) =>
    tx
      .updateTable('boards')
      .set((e) => ({
        post_number: e('post_number', '+', 1),
        post_count: e('post_count', '+', 1),
        event_seq: e('event_seq', '+', isAnnounced ? 1 : 0),
      }))
      .where('id', '=', param('boardId'))
      .returning(['post_number', 'event_seq']),
  ),
);

const insertPost = prepareInsert(
  'posts',
  [
    'board_id',
    'id',
    'number',
    'title',
    'excerpt',
    'author_id',
    'status_id',
    'external_id',
    'is_sample',
    'moderation_status',
    'is_announced',
    'hot',
    'date_created',
    'date_updated',
    'date_completed',
  ],
  (insert) => insert.returningAll(),
);
