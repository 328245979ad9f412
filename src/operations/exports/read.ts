import { type CommentRow, findComments, findDescriptions } from '../../feedback/comments/comments.ts';
import { type CommentReactionRow, findReactions, listReactions } from '../../feedback/comments/reactions.ts';
import type { Field } from '../../feedback/fields/fields.ts';
import { readProperties } from '../../feedback/fields/properties.ts';
import { fileUrl, findFilesOfComments, findFilesOfPosts } from '../../feedback/files/files.ts';
import { findPosts, type PostRow, postUrl } from '../../feedback/posts/posts.ts';
import { listStatuses } from '../../feedback/statuses/statuses.ts';
import { findTagsOfPosts } from '../../feedback/tags/tagging.ts';
import { isVisibleComment } from '../../feedback/visibility/comments.ts';
import { isTeam, isVisiblePost, type Viewer, viewerFilterOf } from '../../feedback/visibility/posts.ts';
import { isLiveVote, type VoteRow } from '../../feedback/votes/votes.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Reader } from '../../platform/db/db.ts';
import type { Entry, ReadContent } from './entries.ts';
import { People } from './people.ts';

/** Rows to read at a time: enough to be fast, few enough that nothing else waits for them. */
const POSTS = 250;
const COMMENTS = 500;
const VOTES = 1_000;
const REACTIONS = 1_000;

/** Adjacent posts: those after the first id, up to the last. */
type Range = { boardId: string; after: string; last: string };

/**
 * All posts of the board that `viewer` may see, in the order of creation, each followed by its comments and votes if
 * requested; a part at a time, with no more in memory. Each part is as it was when it was read: rows added after it in
 * the meantime are in the export, changes before it are not, and no post appears twice.
 * @param fields the fields whose values posts include
 */
export async function* readEntries(
  context: RequestContext,
  viewer: Viewer,
  content: ReadContent,
  fields: readonly Field[],
): AsyncGenerator<readonly Entry[]> {
  const reader = context.db.slow;
  const boardId = context.board.id;
  const people = new People(reader, boardId, viewer);
  for (let after = ''; ; ) {
    const posts = await readPosts(reader, boardId, viewer, after);
    const last = posts.at(-1)?.id;
    if (last === undefined) return;
    const entries = await describe(context, viewer, people, fields, posts);
    if (content.comments || content.votes)
      yield* withDetails(context, viewer, people, content, entries, { boardId, after, last });
    else yield entries;
    after = last;
  }
}

type PostEntry = Extract<Entry, { kind: 'post' }>;

function readPosts(reader: Reader, boardId: string, viewer: Viewer, after: string): Promise<PostRow[]> {
  return reader
    .selectFrom('posts')
    .selectAll()
    .where('board_id', '=', boardId)
    .where('id', '>', after)
    .where(isVisiblePost(viewerFilterOf(viewer, boardId)))
    .orderBy('id')
    .limit(POSTS)
    .execute();
}

async function describe(
  { db: { slow }, board, baseUrl }: RequestContext,
  viewer: Viewer,
  people: People,
  fields: readonly Field[],
  posts: readonly PostRow[],
): Promise<PostEntry[]> {
  const ids = posts.map((post) => post.id);
  const texts = new Map(
    (await findDescriptions(slow, { boardId: board.id, postIds: ids })).map((comment) => [
      comment.post_id,
      comment.text,
    ]),
  );
  const statuses = new Map((await listStatuses(slow, board.id)).map((status) => [status.id, status]));
  const tags = await findTagsOfPosts(slow, board.id, ids, viewer);
  const files = Map.groupBy(await findFilesOfPosts(slow, { boardId: board.id, ids }), (file) => file.post_id);
  const properties = fields.length === 0 ? null : await readProperties(slow, board.id, ids, fields);
  const authors = await people.find(posts.map((post) => post.author_id));
  const rootIds = posts.map((post) => post.merged_root_id).filter((id) => id !== null);
  const roots = rootIds.length === 0 ? [] : await findPosts(slow, board.id, rootIds, viewer);
  const seenRoots = new Set(roots.map((root) => root.id));
  return posts.map((post) => ({
    kind: 'post',
    post,
    url: postUrl(post, board, baseUrl),
    text: texts.get(post.id) ?? null,
    status: statuses.get(post.status_id) ?? null,
    tags: tags.get(post.id) ?? [],
    files: (files.get(post.id) ?? []).map((file) => ({ ...file, url: fileUrl(file, baseUrl) })),
    properties: properties?.get(post.id) ?? [],
    commentCount: post.comment_count + (isTeam(viewer) ? post.hidden_comment_count : 0),
    mergedIntoId: post.merged_root_id !== null && seenRoots.has(post.merged_root_id) ? post.merged_root_id : null,
    person: authors.get(post.author_id) ?? null,
  }));
}

/** Each post with what belongs to it. Comments and votes are read for many posts at once, in the order of the posts. */
async function* withDetails(
  context: RequestContext,
  viewer: Viewer,
  people: People,
  content: ReadContent,
  posts: readonly PostEntry[],
  range: Range,
): AsyncGenerator<readonly Entry[]> {
  const reader = context.db.slow;
  const pages = readComments(reader, viewer, range);
  const described = content.comments ? describeComments(context, viewer, content, pages) : [];
  const comments = new Following(described, ({ comment }) => comment.post_id);
  const votes = new Following(content.votes ? readVotes(reader, range) : [], (row) => row.post_id);
  for (const post of posts) {
    yield [post];
    for await (const rows of comments.upTo(post.post.id)) {
      const users = await people.find(rows.map(({ comment }) => comment.user_id));
      yield rows.map((row) => ({ kind: 'comment', ...row, person: users.get(row.comment.user_id) ?? null }));
      if (content.reactions && isTeam(viewer)) yield* withReactions(reader, people, post.post, rows);
    }
    for await (const rows of votes.upTo(post.post.id)) {
      const users = await people.find(rows.map((row) => row.user_id));
      const shown = isTeam(viewer) ? rows : rows.map((vote) => ({ ...vote, evidence: null }));
      yield shown.map((vote) => ({ kind: 'vote', vote, person: users.get(vote.user_id) ?? null }));
    }
  }
}

/** Rows in the order of their posts, given out post by post. */
class Following<Row> {
  readonly #pages: AsyncIterator<readonly Row[]> | Iterator<readonly Row[]>;
  readonly #postIdOf: (row: Row) => string;
  #rows: readonly Row[] = [];
  #isAtEnd = false;

  constructor(pages: AsyncGenerator<readonly Row[]> | readonly Row[][], postIdOf: (row: Row) => string) {
    this.#pages = Array.isArray(pages) ? pages.values() : (pages as AsyncGenerator<readonly Row[]>);
    this.#postIdOf = postIdOf;
  }

  /** The rows of a post; those of earlier posts, which are not in the export, are skipped. */
  async *upTo(postId: string): AsyncGenerator<readonly Row[]> {
    for (;;) {
      const end = this.#rows.findIndex((row) => this.#postIdOf(row) > postId);
      const taken = end === -1 ? this.#rows : this.#rows.slice(0, end);
      this.#rows = this.#rows.slice(taken.length);
      const ofPost = taken.filter((row) => this.#postIdOf(row) === postId);
      if (ofPost.length > 0) yield ofPost;
      if (this.#rows.length > 0 || this.#isAtEnd) return;
      const next = await this.#pages.next();
      this.#isAtEnd = next.done === true;
      this.#rows = next.done ? [] : next.value;
    }
  }
}

type DescribedComment = Omit<Extract<Entry, { kind: 'comment' }>, 'kind' | 'person'>;

/** Comments with their files and the numbers of their reactions, which are read for many of them at once. */
async function* describeComments(
  { db, board, ...context }: RequestContext,
  viewer: Viewer,
  content: ReadContent,
  pages: AsyncGenerator<CommentRow[]>,
): AsyncGenerator<DescribedComment[]> {
  const reading = { ...context, db: { ...db, read: db.slow }, board, actor: viewer };
  for await (const rows of pages) {
    const ids = rows.map((row) => row.id);
    const found = ids.length > 0 ? await findFilesOfComments(db.slow, { boardId: board.id, ids }) : [];
    const files = Map.groupBy(found, (file) => file.comment_id);
    const reactions = content.reactions ? await findReactions(reading, ids) : null;
    yield rows.map((comment) => ({
      comment,
      files: (files.get(comment.id) ?? []).map((file) => ({ ...file, url: fileUrl(file, context.baseUrl) })),
      reactions: reactions?.get(comment.id) ?? [],
    }));
  }
}

/** The reactions to some comments on a post. Only exports for the team have them: others see how many there are. */
async function* withReactions(
  reader: Reader,
  people: People,
  { board_id: boardId, id: postId }: PostRow,
  comments: readonly DescribedComment[],
): AsyncGenerator<readonly Entry[]> {
  const commentIds = comments.filter(({ reactions }) => reactions.length > 0).map(({ comment }) => comment.id);
  if (commentIds.length === 0) return;
  for (let after: CommentReactionRow | null = null; ; ) {
    const rows = await listReactions(reader, { boardId, commentIds, after, limit: REACTIONS });
    const users = await people.find(rows.map((row) => row.user_id));
    yield rows.map((reaction) => ({ kind: 'reaction', postId, reaction, person: users.get(reaction.user_id) ?? null }));
    after = rows.at(-1) ?? after;
    if (rows.length < REACTIONS) return;
  }
}

/** The comments of posts, without descriptions, the oldest of each post first. */
async function* readComments(
  reader: Reader,
  viewer: Viewer,
  { boardId, after, last }: Range,
): AsyncGenerator<CommentRow[]> {
  // After the last instant there are no more comments on a post.
  let from: Pick<CommentRow, 'post_id' | 'date_created' | 'id'> = {
    post_id: after,
    date_created: Number.MAX_SAFE_INTEGER,
    id: '',
  };
  for (;;) {
    const { post_id, date_created, id } = from;
    const rows = await reader
      .selectFrom('comments')
      .selectAll()
      .where('board_id', '=', boardId)
      .where('post_id', '>=', post_id)
      .where('post_id', '<=', last)
      .where('is_first', '=', 0)
      .where(isVisibleComment(viewerFilterOf(viewer, boardId)))
      .where((e) => e(e.refTuple('post_id', 'date_created', 'id'), '>', e.tuple(post_id, date_created, id)))
      .orderBy('post_id')
      .orderBy('date_created')
      .orderBy('id')
      .limit(COMMENTS)
      .execute();
    yield await withoutHiddenParents(reader, boardId, viewer, rows);
    from = rows.at(-1) ?? from;
    if (rows.length < COMMENTS) return;
  }
}

/** Comments, without the ids of parents that were deleted or that the viewer may not see. */
async function withoutHiddenParents(
  reader: Reader,
  boardId: string,
  viewer: Viewer,
  comments: CommentRow[],
): Promise<CommentRow[]> {
  const ids = [...new Set(comments.flatMap((comment) => comment.parent_id ?? []))];
  if (ids.length === 0) return comments;
  const seen = new Set((await findComments(reader, boardId, ids, viewer)).map((comment) => comment.id));
  return comments.map((comment) => (seen.has(comment.parent_id ?? '') ? comment : { ...comment, parent_id: null }));
}

/** The votes on posts; those on a merged post appear with the post it was merged into. */
async function* readVotes(reader: Reader, { boardId, after, last }: Range): AsyncGenerator<VoteRow[]> {
  for (let from: Pick<VoteRow, 'post_id' | 'user_id'> = { post_id: after, user_id: '~' }; ; ) {
    const cursor = from;
    const rows = await reader
      .selectFrom('votes')
      .selectAll()
      .where('board_id', '=', boardId)
      .where('post_id', '>=', cursor.post_id)
      .where('post_id', '<=', last)
      .where(isLiveVote)
      .where((e) => e(e.refTuple('post_id', 'user_id'), '>', e.tuple(cursor.post_id, cursor.user_id)))
      .orderBy('post_id')
      .orderBy('user_id')
      .limit(VOTES)
      .execute();
    yield rows;
    from = rows.at(-1) ?? from;
    if (rows.length < VOTES) return;
  }
}
