import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AssignmentRow } from '../../feedback/assignments/assignments.ts';
import type { EntryRow } from '../../feedback/changelog/entries.ts';
import type { ReactionRow } from '../../feedback/changelog/reactions.ts';
import { type CommentRow, findDescriptions } from '../../feedback/comments/comments.ts';
import type { CommentReactionRow } from '../../feedback/comments/reactions.ts';
import { fileUrl, findFilesOfUploader } from '../../feedback/files/files.ts';
import type { IssueLinkRow } from '../../feedback/issues/issues.ts';
import type { NoticeRow } from '../../feedback/notices/notices.ts';
import { findPosts, type PostRow, postUrl } from '../../feedback/posts/posts.ts';
import { listStatuses } from '../../feedback/statuses/statuses.ts';
import { type SubscriptionRow, WAYS } from '../../feedback/subscriptions/subscriptions.ts';
import { conditionsOf, type ViewRow } from '../../feedback/views/views.ts';
import { seesStatus } from '../../feedback/visibility/posts.ts';
import type { VoteRow } from '../../feedback/votes/votes.ts';
import type { ChangeRow } from '../../identity/activity/activity.ts';
import { type CompanyOfUser, findCompaniesOf } from '../../identity/companies/company.ts';
import type { VisitorTokenRow } from '../../identity/keys/visitors.ts';
import type { NoteRow } from '../../identity/notes/notes.ts';
import type { BoardSessionRow } from '../../identity/sso/sessions.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { UserRow } from '../../identity/users/users.ts';
import { toInstant } from '../../platform/lib/instant.ts';
import type { MailRow } from '../../platform/mail/mails.ts';
import type { ChatUserRow } from '../chat-in/connecting.ts';

/** Rows read at a time. */
const ROWS = 500;

/** Everything that a user has left on a board; each list is read while it is taken. */
export function listOwnRows(context: RequestContext, person: UserRow) {
  const of = (column: string, value: string) => sql<SqlBool>`${sql.ref(column)} = ${value}`;
  const read = <Row>(table: string, isOwn: RawBuilder<SqlBool>, key: readonly string[]) =>
    readPages<Row>(context, table, isOwn, key);
  const byDate = ['date_created', 'id'];
  const isAuthor = of('author_id', person.id);
  const isUser = of('user_id', person.id);
  const wrote = sql<SqlBool>`${isUser} and is_first = 0`;
  return {
    ideas: ideas(context, person, [
      // Posts that are not deleted have their own index.
      read<PostRow>('posts', sql`${isAuthor} and date_deleted is null`, byDate),
      read<PostRow>('posts', sql`${isAuthor} and date_deleted is not null`, ['id']),
    ]),
    comments: aboutPosts(context, person, describeComment, [
      read<CommentRow>('comments', sql`${wrote} and date_deleted is null`, byDate),
      read<CommentRow>('comments', sql`${wrote} and date_deleted is not null`, ['id']),
    ]),
    votes: aboutPosts(context, person, describeVote, [read<VoteRow>('votes', isUser, byDate)]),
    follows: aboutPosts(context, person, describeFollow, [read<SubscriptionRow>('subscriptions', isUser, ['post_id'])]),
    assignments: aboutPosts(context, person, describeDate, [read<AssignmentRow>('assignments', isUser, ['post_id'])]),
    linkedIssues: aboutPosts(context, person, describeDate, [
      read<IssueLinkRow>('issue_links', of('added_by', person.id), ['id']),
    ]),
    notifications: aboutPosts(context, person, describeNotice, [
      read<NoticeRow>('notices', isNotified(context, person), ['id']),
    ]),
    commentReactions: each(
      read<CommentReactionRow>('comment_reactions', isUser, ['comment_id', 'reaction']),
      describeCommentReaction,
    ),
    changelogEntries: each(read<EntryRow>('changelog_entries', isAuthor, ['number']), describeEntry),
    changelogReactions: each(
      read<ReactionRow>('changelog_reactions', isUser, ['entry_id', 'reaction']),
      describeReaction,
    ),
    files: files(context, person),
    emails: each(read<MailRow>('mails', of('recipient', person.email ?? ''), ['id']), describeMail),
    operations: each(read<ChangeRow>('operations', of('actor_id', person.id), ['operation_id', 'id']), describeChange),
    notes: each(read<NoteRow>('user_notes', isUser, ['id']), describeNote),
    companies: each(companiesOf(context, person), ({ name }) => ({ name })),
    writtenNotes: each(read<NoteRow>('user_notes', isAuthor, ['user_id', 'id']), describeNote),
    views: each(read<ViewRow>('views', of('owner_id', person.id), ['id']), describeView),
    chatAccounts: each(read<ChatUserRow>('chat_users', isUser, ['identity']), describeChatUser),
    allowedWebsites: each(read<VisitorTokenRow>('visitor_tokens', isUser, ['token_hash']), describeVisitorToken),
    ssoSessions: each(read<BoardSessionRow>('board_sessions', isUser, ['token_hash']), describeSession),
  };
}

async function* readPages<Row>(
  { db, board }: RequestContext,
  table: string,
  isOwn: RawBuilder<SqlBool>,
  key: readonly string[],
): AsyncGenerator<Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  for (let isAfter: RawBuilder<SqlBool> = sql`1 = 1`; ; ) {
    const { rows } = await sql<Row & Record<string, unknown>>`
      select * from ${sql.table(table)} where board_id = ${board.id} and ${isOwn} and ${isAfter}
      order by ${columns} limit ${sql.lit(ROWS)}`.execute(db.slow);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    isAfter = sql`(${columns}) > (${sql.join(key.map((column) => last[column]))})`;
  }
}

async function* companiesOf({ db, board }: RequestContext, person: UserRow): AsyncGenerator<CompanyOfUser[]> {
  yield (await findCompaniesOf(db.slow, board.id, [person.id])).get(person.id) ?? [];
}

/** In a query on `notices`: those that the user was notified of. */
function isNotified({ board }: RequestContext, person: UserRow) {
  return sql<SqlBool>`id in (select notice_id from notifications where board_id = ${board.id} and user_id = ${person.id})`;
}

async function* each<Row>(pages: AsyncGenerator<Row[]>, describe: (row: Row) => object) {
  for await (const rows of pages) for (const row of rows) yield describe(row);
}

async function* ideas(context: RequestContext, person: UserRow, lists: readonly AsyncGenerator<PostRow[]>[]) {
  const { db, board, baseUrl } = context;
  const seen = (await listStatuses(db.slow, board.id)).filter((status) => seesStatus(person, status));
  const statuses = new Map(seen.map((status) => [status.id, status.name]));
  for (const pages of lists) {
    for await (const posts of pages) {
      const postIds = posts.map(({ id }) => id);
      const found = await findDescriptions(db.slow, { boardId: board.id, postIds });
      const texts = new Map(found.map((comment) => [comment.post_id, comment.text]));
      for (const post of posts) {
        yield {
          number: post.number,
          title: post.title,
          text: texts.get(post.id) ?? null,
          url: postUrl(post, board, baseUrl),
          status: statuses.get(post.status_id) ?? null,
          moderationStatus: post.moderation_status,
          upvotes: post.upvotes,
          externalId: post.external_id,
          dateCreated: toInstant(post.date_created),
          dateUpdated: toInstant(post.date_updated),
          dateDeleted: toInstant(post.date_deleted),
        };
      }
    }
  }
}

/** Rows with their post, which is named only if the user may see it now. */
async function* aboutPosts<Row extends { post_id: string }>(
  { db, board, baseUrl }: RequestContext,
  person: UserRow,
  describe: (row: Row) => object,
  lists: readonly AsyncGenerator<Row[]>[],
) {
  for (const pages of lists) {
    for await (const rows of pages) {
      const ids = [...new Set(rows.map((row) => row.post_id))];
      const posts = new Map((await findPosts(db.slow, board.id, ids, person)).map((post) => [post.id, post]));
      for (const row of rows) {
        const post = posts.get(row.post_id);
        const idea = post ? { number: post.number, title: post.title, url: postUrl(post, board, baseUrl) } : null;
        yield { idea, ...describe(row) };
      }
    }
  }
}

async function* files({ db, board, baseUrl }: RequestContext, { id: uploaderId }: UserRow) {
  for (let after = ''; ; ) {
    const rows = await findFilesOfUploader(db.slow, board.id, uploaderId, after, ROWS);
    for (const file of rows) {
      const { name, content_type: contentType, size } = file;
      yield { name, contentType, size, url: fileUrl(file, baseUrl), dateCreated: toInstant(file.date_created) };
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

function describeComment(comment: CommentRow) {
  return {
    type: comment.type,
    text: comment.text,
    moderationStatus: comment.moderation_status,
    dateCreated: toInstant(comment.date_created),
    dateUpdated: toInstant(comment.date_updated),
    dateDeleted: toInstant(comment.date_deleted),
  };
}

function describeVote({ type, evidence, date_created }: VoteRow) {
  return { type, evidence, dateCreated: toInstant(date_created) };
}

function describeFollow({ ways, date_created, date_ended }: SubscriptionRow) {
  const because = Object.entries(WAYS).flatMap(([name, way]) => (ways & way ? name : []));
  return { because, dateCreated: toInstant(date_created), dateEnded: toInstant(date_ended) };
}

function describeDate({ date_created }: { date_created: number }) {
  return { dateCreated: toInstant(date_created) };
}

function describeNotice({ kind, date_created }: NoticeRow) {
  return { kind, dateCreated: toInstant(date_created) };
}

function describeEntry({ number, title, text, labels, date_published, date_created, date_updated }: EntryRow) {
  return {
    number,
    title,
    text,
    labels: labels.split(' ').filter(Boolean),
    datePublished: toInstant(date_published),
    dateCreated: toInstant(date_created),
    dateUpdated: toInstant(date_updated),
  };
}

function describeReaction({ entry_id, reaction, date_created }: ReactionRow) {
  return { entryId: entry_id, reaction, dateCreated: toInstant(date_created) };
}

function describeCommentReaction({ comment_id, reaction, date_created }: CommentReactionRow) {
  return { commentId: comment_id, reaction, dateCreated: toInstant(date_created) };
}

function describeChange({ operation_id, thing, thing_id, date_created }: ChangeRow) {
  return { operationId: operation_id, thing, thingId: thing_id, dateCreated: toInstant(date_created) };
}

function describeMail({ recipient, subject, state, date_created, date_done }: MailRow) {
  return { to: recipient, subject, state, dateCreated: toInstant(date_created), dateDone: toInstant(date_done) };
}

function describeNote({ text, date_created }: NoteRow) {
  return { text, dateCreated: toInstant(date_created) };
}

function describeView(view: ViewRow) {
  const { kind, name, is_shared, date_created, date_updated } = view;
  const dates = { dateCreated: toInstant(date_created), dateUpdated: toInstant(date_updated) };
  return { kind, name, isShared: is_shared === 1, conditions: conditionsOf(view), ...dates };
}

function describeSession({ date_created, date_used, date_expires }: BoardSessionRow) {
  return {
    dateCreated: toInstant(date_created),
    dateLastUsed: toInstant(date_used),
    dateExpires: toInstant(date_expires),
  };
}

function describeVisitorToken({ key_id, date_created, date_expires }: VisitorTokenRow) {
  return { keyId: key_id, dateCreated: toInstant(date_created), dateExpires: toInstant(date_expires) };
}

function describeChatUser({ identity, name, date_created }: ChatUserRow) {
  return { identity, name, dateCreated: toInstant(date_created) };
}
