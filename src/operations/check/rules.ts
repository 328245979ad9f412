import { type RawBuilder, sql } from 'kysely';
import { unattributedOf } from '../../feedback/votes/unattributed.ts';
import { changelogRules } from './changelog-rules.ts';
import { belongs, hasWholeLog, type Mismatch, none, ofBoard, ofEach, type Rule, type Sql } from './rule.ts';

/** In a condition on votes: those that count, which those of merged posts do not. */
const LIVE = sql`not exists (
  select 1 from posts m where m.board_id = r.board_id and m.id = r.post_id and m.merged_into_id is not null)`;
/** The upvotes of a post `t` that are rows; a merged post has none. */
const ATTRIBUTED = sql`(t.upvotes - case
  when t.merged_into_id is null then ${unattributedOf(sql.ref('t.board_id'), sql.ref('t.id'))} else 0 end)`;
const WRITTEN = sql`r.date_deleted is null and r.is_first = 0 and r.type in ('BASIC', 'OFFICIAL', 'INTERNAL')`;
const HIDDEN = sql`(r.type = 'INTERNAL' or r.moderation_status in ('PENDING', 'REJECTED'))`;

const A_POST = ['a post', 'posts'] as const;
const A_COMMENT = ['a comment', 'comments'] as const;
const AN_ENTRY = ['an entry', 'changelog_entries'] as const;

/** A figure of each board against one that is counted from what is kept of its log, whose beginning may be removed. */
function ofLog(rule: string, stored: Sql, counted: Sql, ofNone: Sql): Rule {
  return {
    rule,
    mismatches: sql<Mismatch>`
      select b.id, ${stored} as stored, coalesce(c.n, ${ofNone}) as counted
      from boards b
      left join (
        select e.board_id, ${counted} as n from events e join boards o on o.id = e.board_id
        where e.seq > o.events_removed group by e.board_id
      ) c on c.board_id = b.id
      where ${stored} <> coalesce(c.n, ${ofNone})`,
  };
}

/** Rules that cost next to nothing on a large store: the sequence of events and the counts of boards. */
export const boardRules: readonly Rule[] = [
  ofLog('event seq has no gaps', sql`b.event_seq - b.events_removed`, sql`count(*)`, sql`0`),
  ofLog('event seq ends with the newest event', sql`b.event_seq`, sql`max(e.seq)`, sql`b.events_removed`),
  ofBoard('boards.post_count', sql`b.post_count`, sql`count(*)`, 'posts', sql`date_deleted is null`),
  // A purged post leaves a gap, so this is all that holds of numbers; an index makes them unique.
  {
    rule: 'boards.post_number is not below that of a post',
    mismatches: sql<Mismatch>`
      select b.id, b.post_number as stored, max(p.number) as counted
      from boards b join posts p on p.board_id = b.id
      group by b.id, b.post_number having b.post_number < max(p.number)`,
  },
];

/** Everything that the store keeps a count of. */
const counters: readonly Rule[] = [
  ofEach('statuses.post_count', 'statuses', sql`t.post_count`, 'status_id', sql`posts r where r.date_deleted is null`),
  ofEach(
    'statuses.held_count',
    'statuses',
    sql`t.held_count`,
    'status_id',
    sql`posts r where r.date_deleted is null and r.moderation_status in ('PENDING', 'REJECTED')`,
  ),
  ofEach(
    'tags.post_count',
    'tags',
    sql`t.post_count`,
    'tag_id',
    sql`post_tags r join posts p on p.board_id = r.board_id and p.id = r.post_id where p.date_deleted is null`,
  ),
  ofEach('posts.upvotes', 'posts', ATTRIBUTED, 'post_id', sql`votes r where r.type = 'UP' and ${LIVE}`),
  ofEach('posts.downvotes', 'posts', sql`t.downvotes`, 'post_id', sql`votes r where r.type = 'DOWN' and ${LIVE}`),
  ofEach(
    'posts.comment_count',
    'posts',
    sql`t.comment_count`,
    'post_id',
    sql`comments r where ${WRITTEN} and not ${HIDDEN}`,
  ),
  ofEach(
    'posts.hidden_comment_count',
    'posts',
    sql`t.hidden_comment_count`,
    'post_id',
    sql`comments r where ${WRITTEN} and ${HIDDEN}`,
  ),
  ofEach('search index of a post', 'posts', sql`1`, 'post_id', sql`post_search r`),
  ofEach(
    'description of a post',
    'posts',
    sql`case when t.excerpt is null then 0 else 1 end`,
    'post_id',
    sql`comments r where r.is_first = 1`,
  ),
];

/** Events of something that appeared, less those of its removal: 1 if the last one announced it. */
function announced(column: 'post_id' | 'comment_id', noun: 'post' | 'comment'): RawBuilder<unknown> {
  return sql`(
    select board_id, ${sql.ref(column)} as id, sum(case when type = ${sql.lit(`${noun}.created`)} then 1 else -1 end) as n
    from events where type in (${sql.lit(`${noun}.created`)}, ${sql.lit(`${noun}.deleted`)})
    group by board_id, ${sql.ref(column)}
  )`;
}

function announces(table: 'posts' | 'comments', column: 'post_id' | 'comment_id', noun: 'post' | 'comment'): Rule {
  return {
    rule: `events of the coming and going of a ${noun}`,
    mismatches: sql<Mismatch>`
      select t.id, t.is_announced as stored, coalesce(e.n, 0) as counted
      from ${sql.table(table)} t
      left join ${announced(column, noun)} e on e.board_id = t.board_id and e.id = t.id
      where t.is_announced <> coalesce(e.n, 0) and ${hasWholeLog}`,
  };
}

const announcements: readonly Rule[] = [
  announces('posts', 'post_id', 'post'),
  announces('comments', 'comment_id', 'comment'),
  none(
    'a post is announced when everyone may see it',
    'posts',
    sql`t.id`,
    sql`t.is_announced <> case when t.date_deleted is null and t.moderation_status in ('APPROVED', 'FLAGGED') then 1 else 0 end`,
  ),
  none(
    'a comment is announced when everyone may see it',
    'comments',
    sql`t.id`,
    sql`t.is_announced <> case when t.date_deleted is null and t.is_first = 0 and t.type in ('BASIC', 'OFFICIAL')
        and t.moderation_status in ('APPROVED', 'FLAGGED') then 1 else 0 end
      and exists (select 1 from posts p where p.board_id = t.board_id and p.id = t.post_id and p.is_announced = 1)`,
  ),
];

/** Each copy of a row of a merged post stands for a row that exists. */
function copies(table: 'votes' | 'subscriptions', same: Sql): Rule {
  return none(
    `${table} that were taken over stand for those of a merged post`,
    table,
    sql`t.post_id`,
    sql`t.merged_from is not null and not exists (
      select 1 from posts p join ${sql.table(table)} s on s.board_id = p.board_id and s.post_id = p.id and ${same}
      where p.board_id = t.board_id and p.id = t.merged_from and p.merged_into_id = t.post_id)`,
  );
}

const merges: readonly Rule[] = [
  none(
    'a merged post has the status MERGED, and only a merged one',
    'posts',
    sql`t.id`,
    sql`(t.merged_into_id is not null) <> exists (
      select 1 from statuses s where s.board_id = t.board_id and s.id = t.status_id and s.type = 'MERGED')`,
  ),
  none(
    'merged_root_id is where the chain of merged posts ends',
    'posts',
    sql`t.id`,
    sql`t.merged_into_id is not null and not exists (
      select 1 from posts i join posts r on r.board_id = i.board_id and r.id = t.merged_root_id
      where i.board_id = t.board_id and i.id = t.merged_into_id
        and r.merged_into_id is null and coalesce(i.merged_root_id, i.id) = r.id)`,
  ),
  // An erased user has one stand-in in the vote and another in its copy, if the erasure was interrupted in between.
  copies('votes', sql`s.id = t.id and s.type = t.type`),
  copies('subscriptions', sql`s.user_id = t.user_id`),
  none(
    'comments that came from a merged post are where it is merged into',
    'comments',
    sql`t.id`,
    sql`t.origin_id is not null and not exists (
      select 1 from posts p where p.board_id = t.board_id and p.id = t.origin_id and p.merged_root_id = t.post_id)`,
  ),
  none(
    'a merged post keeps only its description and what is recorded about it',
    'comments',
    sql`t.id`,
    sql`t.is_first = 0 and t.type not in ('MERGE_SOURCE', 'TITLE_CHANGE') and exists (
      select 1 from posts p where p.board_id = t.board_id and p.id = t.post_id and p.merged_into_id is not null)`,
  ),
];

const owners: readonly Rule[] = [
  // What an erased user wrote is gone, replies to it stay.
  none(
    'a reply is on the post of what it replies to, which is no reply',
    'comments',
    sql`t.id`,
    sql`exists (
      select 1 from comments c where c.board_id = t.board_id and c.id = t.parent_id
        and (c.post_id <> t.post_id or c.parent_id is not null))`,
  ),
  belongs('posts', 'status_id', ['a status', 'statuses']),
  belongs('comments', 'post_id', A_POST),
  belongs('votes', 'post_id', A_POST),
  belongs('subscriptions', 'post_id', A_POST),
  belongs('assignments', 'post_id', A_POST),
  belongs('issue_links', 'post_id', A_POST),
  belongs('issue_links', 'tracker_id', ['a tracker', 'trackers']),
  belongs('chat_threads', 'post_id', A_POST),
  belongs('visitor_tokens', 'key_id', ['a publishable key', 'publishable_keys']),
  belongs('post_tags', 'post_id', A_POST),
  belongs('post_tags', 'tag_id', ['a tag', 'tags']),
  belongs('post_properties', 'post_id', A_POST),
  belongs('post_properties', 'field_id', ['a field', 'fields']),
  belongs('changelog_posts', 'post_id', A_POST),
  belongs('changelog_posts', 'entry_id', AN_ENTRY),
  belongs('changelog_reactions', 'entry_id', AN_ENTRY),
  belongs('files', 'post_id', A_POST),
  belongs('files', 'comment_id', A_COMMENT),
  belongs('files', 'entry_id', AN_ENTRY),
  belongs('deliveries', 'webhook_id', ['a webhook', 'webhooks']),
];

/** What holds of every store, at any time: each statement sees one state of it. */
export const storeRules: readonly Rule[] = [
  ...boardRules,
  ...counters,
  ...announcements,
  ...merges,
  ...owners,
  ...changelogRules,
];
