import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../../src/platform/db/db.ts';
import { changelogRules } from './recount-changelog.ts';

/** A row whose stored figure is not what counting gives. */
export type Mismatch = { id: string; stored: number; counted: number };

/** What must hold, and a statement that gives the rows for which it does not. */
export type Rule = { rule: string; mismatches: RawBuilder<Mismatch> };

/**
 * Counts everything that the store keeps a count of, and looks for the event of every change.
 * Each rule is one statement and so sees one state of the store, whatever is being written in the meantime.
 * @returns one line for each mistake; none when the store is right
 */
export async function recount(reader: Reader): Promise<string[]> {
  const mistakes: string[] = [];
  for (const { rule, mismatches } of rules) {
    const { rows } = await mismatches.execute(reader);
    mistakes.push(...rows.map(({ id, stored, counted }) => `${rule}: ${id} has ${stored}, counted ${counted}`));
  }
  return [...mistakes, ...(await findBrokenStatusHistories(reader))];
}

/** As `recount`, but only what costs next to nothing on a large store: the sequence of events and the board's counts. */
export async function recountBoards(reader: Reader): Promise<string[]> {
  const mistakes: string[] = [];
  for (const { rule, mismatches } of boardRules) {
    const { rows } = await mismatches.execute(reader);
    mistakes.push(...rows.map(({ id, stored, counted }) => `${rule}: ${id} has ${stored}, counted ${counted}`));
  }
  return mistakes;
}

/** A figure of each board against one that is counted from its rows in `table`. */
function ofBoard(rule: string, stored: string, counted: string, table: string, where = 'true'): Rule {
  return {
    rule,
    mismatches: sql<Mismatch>`
      select b.id, ${sql.raw(stored)} as stored, coalesce(c.n, 0) as counted
      from boards b
      left join (
        select board_id, ${sql.raw(counted)} as n from ${sql.table(table)} where ${sql.raw(where)} group by board_id
      ) c on c.board_id = b.id
      where ${sql.raw(stored)} <> coalesce(c.n, 0)`,
  };
}

/** Rows of `table` by post. */
function perPost(table: string, where: string): RawBuilder<unknown> {
  return sql`(
    select board_id, post_id, count(*) as n from ${sql.table(table)} where ${sql.raw(where)} group by board_id, post_id
  )`;
}

/** A figure of each post against the number of its rows in `table`. */
function ofPost(rule: string, stored: string, table: string, where: string): Rule {
  return {
    rule,
    mismatches: sql<Mismatch>`
      select p.id, ${sql.raw(stored)} as stored, coalesce(c.n, 0) as counted
      from posts p
      left join ${perPost(table, where)} c on c.board_id = p.board_id and c.post_id = p.id
      where ${sql.raw(stored)} <> coalesce(c.n, 0)`,
  };
}

/** Rows of `table`, by their id, that must not be there. */
function none(rule: string, table: string, id: string, where: string): Rule {
  const rows = sql.raw(`select ${id} as id, 1 as stored, 0 as counted from ${table} t where ${where}`);
  return { rule, mismatches: sql<Mismatch>`${rows}` };
}

/** The events that tell of the coming of something less those of its going: 1 when it was told that it is there. */
function told(column: 'post_id' | 'comment_id', noun: 'post' | 'comment'): RawBuilder<unknown> {
  return sql`(
    select board_id, ${sql.ref(column)} as id, sum(case when type = ${sql.lit(`${noun}.created`)} then 1 else -1 end) as n
    from events where type in (${sql.lit(`${noun}.created`)}, ${sql.lit(`${noun}.deleted`)})
    group by board_id, ${sql.ref(column)}
  )`;
}

/** Rows that point to a post which does not exist. */
function withoutPost(table: string): Rule {
  return {
    rule: `${table} belong to a post`,
    mismatches: sql<Mismatch>`
      select t.post_id as id, count(*) as stored, 0 as counted
      from ${sql.table(table)} t
      left join posts p on p.board_id = t.board_id and p.id = t.post_id
      where p.id is null and t.post_id is not null
      group by t.post_id`,
  };
}

/** In a condition on votes: those that count, which those of merged posts do not. */
const LIVE = `not exists (
  select 1 from posts m where m.board_id = votes.board_id and m.id = votes.post_id and m.merged_into_id is not null)`;
const WRITTEN = "date_deleted is null and is_first = 0 and type in ('BASIC', 'OFFICIAL', 'INTERNAL')";
const HIDDEN = "(type = 'INTERNAL' or moderation_status in ('PENDING', 'REJECTED'))";

/** Each copy of a row of a merged post is there for a row that is. */
function copies(table: 'votes' | 'subscriptions', same: string): Rule {
  return none(
    `${table} that were taken over stand for those of a merged post`,
    table,
    't.post_id',
    `t.merged_from is not null and not exists (
      select 1 from posts p join ${table} s on s.board_id = p.board_id and s.post_id = p.id and s.user_id = t.user_id
      where p.board_id = t.board_id and p.id = t.merged_from and p.merged_into_id = t.post_id ${same})`,
  );
}

const boardRules: readonly Rule[] = [
  ofBoard('event seq has no gaps', 'b.event_seq', 'count(*)', 'events'),
  ofBoard('event seq ends with the newest event', 'b.event_seq', 'max(seq)', 'events'),
  ofBoard('event seq starts at 1', 'case when b.event_seq = 0 then 0 else 1 end', 'min(seq)', 'events'),
  ofBoard('boards.post_count', 'b.post_count', 'count(*)', 'posts', 'date_deleted is null'),
  ofBoard('boards.post_number is that of the newest post', 'b.post_number', 'max(number)', 'posts'),
  ofBoard('post numbers have no gaps and no duplicates', 'b.post_number', 'count(distinct number)', 'posts'),
];

const rules: readonly Rule[] = [
  ...boardRules,
  {
    rule: 'statuses.post_count',
    mismatches: sql<Mismatch>`
      select s.id, s.post_count as stored, coalesce(c.n, 0) as counted
      from statuses s
      left join (
        select board_id, status_id, count(*) as n from posts where date_deleted is null group by board_id, status_id
      ) c on c.board_id = s.board_id and c.status_id = s.id
      where s.post_count <> coalesce(c.n, 0)`,
  },
  {
    rule: 'tags.post_count',
    mismatches: sql<Mismatch>`
      select t.id, t.post_count as stored, coalesce(c.n, 0) as counted
      from tags t
      left join (
        select pt.board_id, pt.tag_id, count(*) as n
        from post_tags pt
        join posts p on p.board_id = pt.board_id and p.id = pt.post_id
        where p.date_deleted is null
        group by pt.board_id, pt.tag_id
      ) c on c.board_id = t.board_id and c.tag_id = t.id
      where t.post_count <> coalesce(c.n, 0)`,
  },
  {
    rule: 'post_tags belong to a tag',
    mismatches: sql<Mismatch>`
      select pt.tag_id as id, count(*) as stored, 0 as counted
      from post_tags pt
      left join tags t on t.board_id = pt.board_id and t.id = pt.tag_id
      where t.id is null
      group by pt.tag_id`,
  },
  {
    rule: 'statuses.held_count',
    mismatches: sql<Mismatch>`
      select s.id, s.held_count as stored, coalesce(c.n, 0) as counted
      from statuses s
      left join (
        select board_id, status_id, count(*) as n from posts
        where date_deleted is null and moderation_status in ('PENDING', 'REJECTED') group by board_id, status_id
      ) c on c.board_id = s.board_id and c.status_id = s.id
      where s.held_count <> coalesce(c.n, 0)`,
  },
  ofPost('posts.upvotes', 'p.upvotes', 'votes', `type = 'UP' and ${LIVE}`),
  ofPost('posts.downvotes', 'p.downvotes', 'votes', `type = 'DOWN' and ${LIVE}`),
  ofPost('posts.comment_count', 'p.comment_count', 'comments', `${WRITTEN} and not ${HIDDEN}`),
  ofPost('posts.hidden_comment_count', 'p.hidden_comment_count', 'comments', `${WRITTEN} and ${HIDDEN}`),
  ofPost('search index of a post', '1', 'post_search', 'true'),
  ofPost('description of a post', 'case when p.excerpt is null then 0 else 1 end', 'comments', 'is_first = 1'),
  {
    rule: 'events of the coming and going of a post',
    mismatches: sql<Mismatch>`
      select p.id, p.is_announced as stored, coalesce(e.n, 0) as counted
      from posts p
      left join ${told('post_id', 'post')} e on e.board_id = p.board_id and e.id = p.id
      where p.is_announced <> coalesce(e.n, 0)`,
  },
  {
    rule: 'events of the coming and going of a comment',
    mismatches: sql<Mismatch>`
      select c.id, c.is_announced as stored, coalesce(e.n, 0) as counted
      from comments c
      left join ${told('comment_id', 'comment')} e on e.board_id = c.board_id and e.id = c.id
      where c.is_announced <> coalesce(e.n, 0)`,
  },
  none(
    'a post is announced when everybody may see it',
    'posts',
    't.id',
    `t.is_announced <> case when t.date_deleted is null and t.moderation_status in ('APPROVED', 'FLAGGED') then 1 else 0 end`,
  ),
  none(
    'a comment is announced when everybody may see it',
    'comments',
    't.id',
    `t.is_announced <> case when t.date_deleted is null and t.is_first = 0 and t.type in ('BASIC', 'OFFICIAL')
        and t.moderation_status in ('APPROVED', 'FLAGGED') then 1 else 0 end
      and exists (select 1 from posts p where p.board_id = t.board_id and p.id = t.post_id and p.is_announced = 1)`,
  ),
  none(
    'a merged post has the status MERGED, and only a merged one',
    'posts',
    't.id',
    `(t.merged_into_id is not null) <> exists (
      select 1 from statuses s where s.board_id = t.board_id and s.id = t.status_id and s.type = 'MERGED')`,
  ),
  none(
    'merged_root_id is where the chain of merged posts ends',
    'posts',
    't.id',
    `t.merged_into_id is not null and not exists (
      select 1 from posts i join posts r on r.board_id = i.board_id and r.id = t.merged_root_id
      where i.board_id = t.board_id and i.id = t.merged_into_id
        and r.merged_into_id is null and coalesce(i.merged_root_id, i.id) = r.id)`,
  ),
  copies('votes', 'and s.id = t.id and s.type = t.type'),
  copies('subscriptions', ''),
  none(
    'comments that came from a merged post are where it is merged into',
    'comments',
    't.id',
    `t.origin_id is not null and not exists (
      select 1 from posts p where p.board_id = t.board_id and p.id = t.origin_id and p.merged_root_id = t.post_id)`,
  ),
  none(
    'a merged post keeps only its description and what is told of it',
    'comments',
    't.id',
    `t.is_first = 0 and t.type not in ('MERGE_SOURCE', 'TITLE_CHANGE') and exists (
      select 1 from posts p where p.board_id = t.board_id and p.id = t.post_id and p.merged_into_id is not null)`,
  ),
  none(
    'a reply is on the post of what it replies to, which is no reply',
    'comments',
    't.id',
    `t.parent_id is not null and not exists (
      select 1 from comments c where c.board_id = t.board_id and c.id = t.parent_id
        and c.post_id = t.post_id and c.parent_id is null)`,
  ),
  withoutPost('events'),
  withoutPost('comments'),
  withoutPost('votes'),
  withoutPost('subscriptions'),
  withoutPost('assignments'),
  withoutPost('post_tags'),
  withoutPost('post_properties'),
  withoutPost('changelog_posts'),
  ...changelogRules,
  none(
    'post_properties belong to a field',
    'post_properties',
    't.field_id',
    'not exists (select 1 from fields f where f.board_id = t.board_id and f.id = t.field_id)',
  ),
];

type StatusEvent = { post_id: string; type: string; body: string; status_id: string };
type StatusBody = {
  data: { post: { status?: { id: string } }; status?: { id: string }; previousStatus?: { id: string } };
};

/** Each change of status starts where the one before ended, and the last one ends where the post is now. */
async function findBrokenStatusHistories(reader: Reader): Promise<string[]> {
  const { rows } = await sql<StatusEvent>`
    select e.post_id, e.type, e.body, p.status_id
    from events e
    join posts p on p.board_id = e.board_id and p.id = e.post_id and p.is_announced = 1
    where e.type in ('post.created', 'post.status.updated')
    order by e.board_id, e.seq`.execute(reader);
  const mistakes: string[] = [];
  const reached = new Map<string, { told: string | undefined; stored: string }>();
  for (const { post_id, type, body, status_id } of rows) {
    const { data }: StatusBody = JSON.parse(body);
    const before = type === 'post.created' ? undefined : reached.get(post_id)?.told;
    if (data.previousStatus?.id !== before) mistakes.push(`post.status.updated of ${post_id} does not follow the last`);
    reached.set(post_id, { told: (data.status ?? data.post.status)?.id, stored: status_id });
  }
  for (const [id, { told, stored }] of reached) {
    if (told !== stored) mistakes.push(`status of ${id} is ${stored}, its events tell ${told}`);
  }
  return mistakes;
}
