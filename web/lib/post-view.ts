import { isWritten } from '#src/feedback/comments/comments.ts';
import { cursorOf, listComments } from '#src/feedback/comments/list.ts';
import { findPost } from '#src/feedback/posts/posts.ts';
import { isHeld } from '#src/feedback/visibility/posts.ts';
import { type Action, may } from '#src/identity/users/authority.ts';
import { findUsers } from '#src/identity/users/users.ts';
import { renderBeginning, renderMarkdown } from '#src/pages/rendering.ts';
import type { CommentRow } from '../../src/feedback/comments/comments.ts';
import type { PostRow } from '../../src/feedback/posts/posts.ts';
import type { StatusRow } from '../../src/feedback/statuses/statuses.ts';
import type { FileView } from '../ui/file-list.tsx';
import { readFiles } from './files.ts';
import { type ChangeView, hasMessage, readChanges } from './history.ts';
import type { View } from './joining.ts';

/** Maximum number of comments on a page, including replies, and bytes of their HTML. */
const COMMENTS = 100;
const MAX_BYTES = 200_000;
/** A longer comment is shown from its beginning, with a link to all of it. */
const FOLDING = { from: 3_000, shown: 2_000 };

/** A comment as its post shows it; `history` marks those written by Earshot. */
export type CommentView = {
  id: string;
  kind: 'comment' | 'official' | 'internal' | 'history';
  /** For `history`: what changed. */
  change: ChangeView | null;
  parentId: string | null;
  author: string | null;
  date: number;
  html: string;
  /** Whether that is only its beginning, and its total number of characters. */
  isCut: boolean;
  length: number;
  /** Whether a long comment is shown in full, because the viewer requested it. */
  isOpened: boolean;
  files: FileView[];
  isEdited: boolean;
  isHeld: boolean;
  mayDelete: boolean;
  mayModerate: boolean;
  /** The original text, for a viewer who may edit it and is doing so. */
  source: string | null;
  mayEdit: boolean;
};

/** A comment and the replies to it. */
export type Thread = { comment: CommentView; replies: CommentView[] };

/**
 * Which comments of a post a page shows: the order, the starting position, the one to show in full, and the one to
 * edit.
 */
export type CommentsAsked = {
  order: 'OLDEST' | 'NEWEST';
  after: string | null;
  whole: string | null;
  edit: string | null;
};

/** A page of the discussion of a post, with the newest official answer above it. */
export async function viewDiscussion(view: View, post: PostRow, statuses: readonly StatusRow[], asked: CommentsAsked) {
  const { board } = view.context;
  const query = { columns: null, types: null };
  const list = (cursor: string | null) =>
    listComments(view.context, post.id, { ...query, order: asked.order, cursor, limit: COMMENTS });
  const page = await list(asked.after).catch((error) => {
    if (asked.after === null) throw error;
    return list(null);
  });
  const official = await listComments(view.context, post.id, {
    ...{ ...query, types: ['OFFICIAL'] as const },
    ...{ order: 'NEWEST' as const, cursor: null, limit: 1 },
  });
  const rows = page.nodes.filter((comment) => comment.is_first === 0 && !isOldHistory(comment));
  const shown = [...rows, ...official.nodes];
  const authorIds = shown.map((comment) => comment.user_id);
  const nameOf = await namesOf(view, authorIds);
  const commentIds = [...new Set(shown.map(({ id }) => id))];
  const changeOf = await readChanges(view, shown.filter(isHistory), statuses);
  const filesOf = await readFiles(view.visit, board.id, post.id, commentIds);
  const describe = async (row: CommentRow) => ({
    ...(await viewComment(view, row, nameOf(row.user_id), asked)),
    change: isHistory(row) ? changeOf(row) : null,
    files: filesOf(row.id),
  });
  const [answer] = official.nodes;
  const comments = await takeWhileRoom(rows, describe);
  const last = rows[comments.length - 1];
  const isCut = last !== undefined && comments.length < rows.length;
  return {
    threads: makeThreads(comments),
    official: answer ? await describe(answer) : null,
    next: isCut ? cursorOf(asked.order)(last) : page.cursor,
    filesOfPost: filesOf(post.id),
  };
}

function isHistory(row: CommentRow): boolean {
  return !isWritten(row);
}

/** Whether a comment only says what happened to a post before it was merged into this one. */
function isOldHistory(row: CommentRow): boolean {
  return isHistory(row) && row.origin_id !== null && !hasMessage(row);
}

/** As many comments as fit on a page, and at least one; one that is shown in full on request does not count. */
async function takeWhileRoom(rows: readonly CommentRow[], describe: (row: CommentRow) => Promise<CommentView>) {
  const comments: CommentView[] = [];
  let bytes = 0;
  for (const row of rows) {
    const comment = await describe(row);
    if (!comment.isOpened) bytes += Buffer.byteLength(comment.html);
    if (bytes > MAX_BYTES && comments.length > 0) break;
    comments.push(comment);
  }
  return comments;
}

async function viewComment(
  { context: { actor } }: View,
  row: CommentRow,
  author: string | null,
  asked: CommentsAsked,
): Promise<Omit<CommentView, 'files' | 'change'>> {
  const kind = kindOf(row);
  const isOpened = asked.whole === row.id;
  const text = kind === 'history' && !hasMessage(row) ? '' : row.text;
  const { html, isCut } = isOpened
    ? { html: await renderMarkdown(text), isCut: false }
    : await renderBeginning(text, FOLDING);
  const mayEdit = actor !== null && kind !== 'history' && may(actor, 'comment.edit', row.user_id);
  return {
    id: row.id,
    kind,
    parentId: row.parent_id,
    author,
    date: row.date_created,
    ...{ html, isCut, isOpened: isOpened && row.text.length > FOLDING.from, length: row.text.length },
    isEdited: row.date_updated !== null,
    isHeld: isHeld(row.moderation_status),
    mayEdit,
    mayDelete: actor !== null && may(actor, 'comment.delete', row.user_id),
    mayModerate: actor !== null && may(actor, 'post.moderate'),
    source: mayEdit && asked.edit === row.id ? row.text : null,
  };
}

function kindOf({ type }: CommentRow): CommentView['kind'] {
  if (type === 'BASIC') return 'comment';
  if (type === 'OFFICIAL') return 'official';
  return type === 'INTERNAL' ? 'internal' : 'history';
}

/** Replies under their parents, the oldest first; a reply whose parent is missing is shown by itself. */
function makeThreads(comments: readonly CommentView[]): Thread[] {
  const tops = new Set(comments.filter(({ parentId }) => parentId === null).map(({ id }) => id));
  const replies = Map.groupBy(comments, ({ parentId }) => (parentId !== null && tops.has(parentId) ? parentId : ''));
  return (replies.get('') ?? []).map((comment) => ({
    comment,
    replies: (replies.get(comment.id) ?? []).toSorted((a, b) => a.date - b.date),
  }));
}

/** The names of people by their ids, in one statement. */
export async function namesOf(
  { visit: { db }, context: { board } }: Pick<View, 'visit' | 'context'>,
  ids: readonly (string | null)[],
) {
  const known = [...new Set(ids.filter((id) => id !== null))];
  const users = known.length > 0 ? await findUsers(db.read, board.id, known, ['name']) : [];
  return (id: string | null) => users.find((user) => user.id === id)?.name ?? null;
}

/** Whether moderators trust or block the author of a post, for those who may change it; null for everyone else. */
export async function viewAuthorStanding({ visit: { db }, context: { board, actor } }: View, post: PostRow) {
  if (actor === null || post.author_id === null || !may(actor, 'user.standing')) return null;
  const [author] = await findUsers(db.read, board.id, [post.author_id], ['standing', 'role']);
  return author?.role === 'MEMBER' ? { id: author.id, standing: author.standing } : null;
}

/** What the viewer may do with a post. */
export function rightsOn({ context: { actor } }: View, post: PostRow) {
  const can = (action: Action) => actor !== null && may(actor, action, post.author_id);
  return {
    edit: can('post.edit'),
    remove: can('post.delete'),
    status: can('post.status'),
    tags: can('post.tags'),
    lock: can('post.lock'),
    moderate: can('post.moderate'),
    merge: can('post.merge'),
    official: can('comment.official'),
    internal: can('comment.internal'),
  };
}

export type PostRights = ReturnType<typeof rightsOn>;

/** The statuses that can be assigned to a post: all except MERGED. */
export function givenStatuses(statuses: readonly StatusRow[]) {
  return statuses.filter(({ type }) => type !== 'MERGED').map(({ id, name }) => ({ id, name }));
}

/** The post that another one was merged into; null if the viewer may not see it. */
export async function viewTarget({ visit: { db }, context: { board, actor } }: View, post: PostRow) {
  if (post.merged_root_id === null) return null;
  const target = await findPost(db.read, board.id, post.merged_root_id, actor);
  return target ? { number: target.number, title: target.title } : null;
}
