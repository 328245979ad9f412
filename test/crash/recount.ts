import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../../src/db/db.ts';

/** A row whose stored figure is not what counting gives. */
type Mismatch = { id: string; stored: number; counted: number };

/** What must hold, and a statement that gives the rows for which it does not. */
type Rule = { rule: string; mismatches: RawBuilder<Mismatch> };

/**
 * Counts everything that the store keeps a count of, and looks for the event of every change.
 * Each rule is one statement and so sees one state of the store, whatever is being written meanwhile.
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

/** As many events of a type as comments of a kind, on each post. */
function ofComments(rule: string, eventType: string, where: string): Rule {
  return {
    rule,
    mismatches: sql<Mismatch>`
      select p.id, coalesce(e.n, 0) as stored, coalesce(c.n, 0) as counted
      from posts p
      left join ${perPost('events', `type = '${eventType}'`)} e on e.board_id = p.board_id and e.post_id = p.id
      left join ${perPost('comments', where)} c on c.board_id = p.board_id and c.post_id = p.id
      where coalesce(e.n, 0) <> coalesce(c.n, 0)`,
  };
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
  ofPost('posts.upvotes', 'p.upvotes', 'votes', "type = 'UP'"),
  ofPost('posts.downvotes', 'p.downvotes', 'votes', "type = 'DOWN'"),
  ofPost('posts.comment_count', 'p.comment_count', 'comments', 'date_deleted is null and is_first = 0'),
  ofPost('description of a post', 'case when p.excerpt is null then 0 else 1 end', 'comments', 'is_first = 1'),
  ofPost('post.created of a post', '1', 'events', "type = 'post.created'"),
  {
    rule: 'post.deleted of a deleted post',
    mismatches: sql<Mismatch>`
      select p.id, 1 as stored, 0 as counted
      from posts p
      left join ${perPost('events', "type = 'post.deleted'")} e on e.board_id = p.board_id and e.post_id = p.id
      where p.date_deleted is not null and e.n is null`,
  },
  ofComments('comment.created of the comments of a post', 'comment.created', "type = 'BASIC' and is_first = 0"),
  ofComments('comment.deleted of the deleted comments of a post', 'comment.deleted', 'date_deleted is not null'),
  withoutPost('events'),
  withoutPost('comments'),
  withoutPost('votes'),
  withoutPost('post_tags'),
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
    join posts p on p.board_id = e.board_id and p.id = e.post_id
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
