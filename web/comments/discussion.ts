import { hasMessage } from '#src/feedback/comments/changes.ts';
import { type CommentRow, isWritten } from '#src/feedback/comments/comments.ts';
import { cursorOf, listComments } from '#src/feedback/comments/list.ts';
import { findReactions, type ReactionCount } from '#src/feedback/comments/reactions.ts';
import type { PostRow } from '#src/feedback/posts/posts.ts';
import type { StatusRow } from '#src/feedback/statuses/statuses.ts';
import { isHeld } from '#src/feedback/visibility/posts.ts';
import { may } from '#src/identity/users/authority.ts';
import { renderBeginning, renderMarkdown } from '#src/pages/rendering.ts';
import { asTyped, mentionedIn, type NameOf, nameMentions } from '#src/platform/texts/mentions.ts';
import { parseLocale } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { type FileView, readFiles } from '../parts/requests/files.ts';
import type { View } from '../parts/requests/joining.ts';
import { type AuthorView, peopleOf } from '../parts/requests/people.ts';
import { versionsOf } from '../parts/requests/versions.ts';
import { doubtsOf, type PostView } from '../posts/posts.ts';
import { type ChangeView, readChanges } from './history.ts';
import { findParents, makeThreads, type Thread } from './threads.ts';

/** Maximum number of comments on a page, including replies, and bytes of their HTML. */
export const COMMENTS = 100;
const MAX_BYTES = 200_000;
/** A longer comment is shown from its beginning, with a link to all of it. */
const FOLDING = { from: 3_000, shown: 2_000 };
/** The newest status changes, of which the progress of a post is made, and among which its newest answer is. */
const CHANGES = 50;

/** A comment as its post shows it; `history` is what the service wrote down. */
export type CommentView = {
  id: string;
  kind: 'comment' | 'official' | 'internal' | 'history';
  /** For `history`: what changed. */
  change: ChangeView | null;
  parentId: string | null;
  /** Null once the user is erased. */
  author: AuthorView | null;
  date: number;
  html: string;
  /** Whether that is only its beginning, and how many characters there are. */
  isCut: boolean;
  length: number;
  /** Whether a long comment is shown in full because the viewer asked for it. */
  isOpened: boolean;
  files: FileView[];
  reactions: ReactionCount[];
  isEdited: boolean;
  /** That it waits, and for moderators why. */
  held: string | null;
  mayDelete: boolean;
  mayModerate: boolean;
  /** The source text, for a viewer who may change it and asks to. */
  source: string | null;
  /** The version of it. */
  versions: Record<string, string>;
  mayEdit: boolean;
};

/** A page of the discussion of a post. */
export type DiscussionView = {
  threads: Thread<CommentView>[];
  /** The newest official answer, or message that came with a status, which stands above the discussion. */
  answer: CommentView | null;
  /** Where the next page begins. */
  next: string | null;
  filesOfPost: FileView[];
  /** The newest changes of the status. */
  changes: readonly CommentRow[];
};

/** What the discussion and the forms in it need of the post's page. */
export type DiscussedPost = Pick<PostView, 'closed' | 'comments'> & {
  order: CommentsAsked['order'];
  discussion: Omit<DiscussionView, 'changes'>;
  mayWrite: boolean;
  isSignedIn: boolean;
  formId: string;
  lengths: { text: number };
};

/** Which comments of a post a page shows: order, start, the one to show in full, and the one to edit. */
export type CommentsAsked = {
  order: 'OLDEST' | 'NEWEST';
  after: string | null;
  whole: string | null;
  edit: string | null;
};

/** A page of the discussion of a post, with its newest answer. */
export async function viewDiscussion(
  view: View,
  post: PostRow,
  statuses: readonly StatusRow[],
  asked: CommentsAsked,
): Promise<DiscussionView> {
  const page = await listPage(view, post, asked);
  const told = await listComments(view.context, post.id, {
    columns: null,
    types: ['OFFICIAL', 'STATUS_CHANGE'],
    order: 'NEWEST',
    cursor: null,
    limit: CHANGES,
  });
  const answer = told.nodes.find((row) => isWritten(row) || hasMessage(row)) ?? null;
  const rows = page.nodes.filter((row) => row.is_first === 0 && !isOldHistory(row));
  const shown = answer ? [...rows, answer] : rows;
  const describe = await describing(view, post, statuses, asked, shown);
  const comments = await takeWhileRoom(rows, describe);
  const last = rows[comments.length - 1];
  const isCut = last !== undefined && comments.length < rows.length;
  return {
    threads: makeThreads(comments, await findParents(view.context, comments)),
    answer: answer && (await describe(answer)),
    next: isCut ? cursorOf(asked.order)(last) : page.cursor,
    filesOfPost: (await readFiles(view.visit, post.board_id, post.id, []))(post.id),
    changes: told.nodes.filter((row) => row.type === 'STATUS_CHANGE' && row.origin_id === null),
  };
}

function listPage({ context }: View, post: PostRow, { order, after }: CommentsAsked) {
  const list = (cursor: string | null) =>
    listComments(context, post.id, { columns: null, types: null, order, cursor, limit: COMMENTS });
  return list(after).catch((error) => {
    if (after === null) throw error;
    return list(null);
  });
}

/** Whether a comment only says what happened to a post before it was merged into this one. */
function isOldHistory(row: CommentRow): boolean {
  return !isWritten(row) && row.origin_id !== null && !hasMessage(row);
}

type Describe = (row: CommentRow) => Promise<CommentView>;

/** Reads what belongs to the comments, and gives what describes each of them. */
async function describing(
  view: View,
  post: PostRow,
  statuses: readonly StatusRow[],
  asked: CommentsAsked,
  rows: readonly CommentRow[],
): Promise<Describe> {
  const ids = [...new Set(rows.map(({ id }) => id))];
  const personOf = await peopleOf(
    view,
    rows.flatMap(({ user_id, text }) => [user_id, ...mentionedIn(text)]),
  );
  const nameOf = (id: string) => personOf(id)?.name;
  const history = rows.filter((row) => !isWritten(row));
  const changeOf = await readChanges(view, history, statuses);
  const filesOf = await readFiles(view.visit, post.board_id, post.id, ids);
  const reactions = ids.length > 0 ? await findReactions(view.context, ids) : null;
  const { actor } = view.context;
  const doubtful = actor && may(actor, 'post.moderate') ? rows : [];
  const doubtOf = await doubtsOf(view, doubtful, (row) => row.user_id);
  return async (row) => ({
    ...named(await viewComment(view, row, asked), nameOf),
    held: isHeld(row.moderation_status) ? describeHeld(view, doubtful.length > 0 ? doubtOf(row) : null) : null,
    author: personOf(row.user_id),
    change: isWritten(row) ? null : changeOf(row),
    files: filesOf(row.id),
    reactions: reactions?.get(row.id) ?? [],
  });
}

/** A comment with the current names of those whom it mentions; its source has them as people type them. */
function named(comment: Own, nameOf: NameOf): Own {
  const { html, source } = comment;
  const shown = source === null ? null : asTyped(source, nameOf);
  const versions = shown === null ? {} : versionsOf({ text: shown });
  return { ...comment, html: nameMentions(html, nameOf), source: shown, versions };
}

/** As many comments as fit on a page, and at least one; one that is shown in full on request does not count. */
async function takeWhileRoom(rows: readonly CommentRow[], describe: Describe): Promise<CommentView[]> {
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

type Own = Omit<CommentView, 'files' | 'change' | 'author' | 'reactions' | 'held'>;

async function viewComment(view: View, row: CommentRow, asked: CommentsAsked): Promise<Own> {
  const { visit } = view;
  const { actor } = view.context;
  const kind = kindOf(row);
  const isOpened = asked.whole === row.id;
  const text = kind === 'history' && !hasMessage(row) ? '' : row.text;
  const { html, isCut } =
    isOpened || visit.isStatic
      ? { html: await renderMarkdown(text), isCut: false }
      : await renderBeginning(text, FOLDING);
  const mayModerate = actor !== null && may(actor, 'post.moderate');
  const mayEdit = actor !== null && kind !== 'history' && may(actor, 'comment.edit', row.user_id);
  return {
    id: row.id,
    kind,
    parentId: row.parent_id,
    date: row.date_created,
    html,
    isCut,
    isOpened: isOpened && row.text.length > FOLDING.from,
    length: row.text.length,
    isEdited: row.date_updated !== null,
    mayEdit,
    mayDelete: actor !== null && may(actor, 'comment.delete', row.user_id),
    mayModerate,
    source: mayEdit && asked.edit === row.id ? row.text : null,
    versions: {},
  };
}

function describeHeld(view: View, doubt: string | null): string {
  const waits = m.waitsForApproval(parseLocale(view.visit.language()));
  return doubt ? `${waits} · ${doubt}` : waits;
}

function kindOf({ type }: CommentRow): CommentView['kind'] {
  if (type === 'BASIC') return 'comment';
  if (type === 'OFFICIAL') return 'official';
  return type === 'INTERNAL' ? 'internal' : 'history';
}
