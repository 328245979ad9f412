import type { Engine } from '../db.ts';

export const name = '0006-conversation';

/**
 * Moderation, replies, merged posts, subscriptions and assignments; which posts and comments are announced; and indexes
 * for all their lists.
 */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  const ofEngine = engine === 'sqlite' ? statistics() : [];
  return [...columns(id), ...tables(id, clustered), ...indexes, ...backfills(engine), ...ofEngine];
}

function columns(id: string): string[] {
  return [
    "alter table posts add column moderation_status text not null default 'APPROVED'",
    `alter table posts add column moderated_by ${id}`,
    'alter table posts add column is_announced integer not null default 1',
    'alter table posts add column hidden_comment_count bigint not null default 0',
    `alter table posts add column merged_into_id ${id}`,
    `alter table posts add column merged_root_id ${id}`,
    `alter table posts add column unmerged_status_id ${id}`,
    'alter table statuses add column held_count bigint not null default 0',
    "alter table comments add column moderation_status text not null default 'APPROVED'",
    `alter table comments add column moderated_by ${id}`,
    'alter table comments add column is_announced integer not null default 0',
    `alter table comments add column origin_id ${id}`,
    `alter table comments add column about_id ${id}`,
    'alter table comments add column date_changed bigint not null default 0',
    `alter table votes add column merged_from ${id}`,
    `alter table events add column comment_id ${id}`,
  ];
}

function tables(id: string, clustered: string): string[] {
  return [
    `create table subscriptions (
      board_id ${id} not null references boards,
      post_id ${id} not null,
      user_id ${id} not null,
      date_created bigint not null,
      merged_from ${id},
      primary key (board_id, post_id, user_id)
    ) ${clustered}`,
    `create table assignments (
      board_id ${id} not null references boards,
      post_id ${id} not null,
      user_id ${id} not null,
      assigned_by ${id},
      date_created bigint not null,
      primary key (board_id, post_id, user_id)
    ) ${clustered}`,
  ];
}

const indexes = [
  'drop index posts_status',
  'create index posts_status_newest on posts (board_id, status_id, date_created, id) where date_deleted is null',
  'create index posts_status_top on posts (board_id, status_id, upvotes, id) where date_deleted is null',
  'create index posts_status_trending on posts (board_id, status_id, hot, id) where date_deleted is null',
  'drop index posts_author',
  'create index posts_author on posts (board_id, author_id, date_created, id) where date_deleted is null',
  `create index posts_held on posts (board_id, author_id, id)
    where date_deleted is null and moderation_status in ('PENDING', 'REJECTED')`,
  `create index posts_unapproved on posts (board_id, moderation_status, id)
    where date_deleted is null and moderation_status <> 'APPROVED'`,
  'create index posts_deleted on posts (board_id, date_deleted) where date_deleted is not null',
  'create index posts_merged_into on posts (board_id, merged_into_id) where merged_into_id is not null',
  'create index posts_merged_root on posts (board_id, merged_root_id, id) where merged_root_id is not null',
  "create index statuses_restricted on statuses (board_id, id) where post_visibility <> 'PUBLIC'",
  'drop index comments_post',
  'create index comments_post on comments (board_id, post_id, date_created, id)',
  'drop index comments_user',
  'create index comments_user on comments (board_id, user_id, date_created, id) where date_deleted is null',
  `create index comments_parent on comments (board_id, parent_id, date_created, id) where parent_id is not null`,
  'create index comments_created on comments (board_id, date_created, id) where date_deleted is null',
  'create index comments_changed on comments (board_id, date_changed, id) where date_deleted is null',
  'drop index votes_user',
  'create index votes_user on votes (board_id, user_id, date_created, id)',
  'create index votes_post on votes (board_id, post_id, date_created, id)',
  'create index votes_created on votes (board_id, date_created, id)',
  'create index subscriptions_user on subscriptions (board_id, user_id, post_id)',
  'create index assignments_user on assignments (board_id, user_id, post_id)',
];

/**
 * What SQLite should assume about the indexes on posts: a large board, where most posts are approved and few are merged
 * or deleted. Without it SQLite considers all indexes equally good, and the primary key, which leads with the board,
 * the best way to find the posts of an author: by examining all of them. PostgreSQL collects its own statistics. Each
 * line has the rows of the index, and how many share the first column, the first two, and so on.
 */
function statistics(): string[] {
  const rows = [
    ['posts', '1000000 1000000 1'],
    ['posts_number', '1000000 1000000 1'],
    ['posts_external', '1000000 1000000 1'],
    ['posts_trending', '1000000 1000000 20 1'],
    ['posts_top', '1000000 1000000 100 1'],
    ['posts_newest', '1000000 1000000 1 1'],
    ['posts_updated', '1000000 1000000 1 1'],
    ['posts_commented', '1000000 1000000 10000 1'],
    ['posts_completed', '1000000 1000000 100000 1'],
    ['posts_author', '1000000 1000000 100 1 1'],
    ['posts_status_newest', '1000000 1000000 100000 1 1'],
    ['posts_status_top', '1000000 1000000 100000 20 1'],
    ['posts_status_trending', '1000000 1000000 100000 20 1'],
    ['posts_held', '10000 10000 20 1'],
    ['posts_unapproved', '10000 10000 3000 1'],
    ['posts_deleted', '10000 10000 10'],
    ['posts_merged_into', '10000 10000 5'],
    ['posts_merged_root', '10000 10000 5 1'],
  ];
  const values = rows.map(([index, statistic]) => `('posts', '${index}', '${statistic}')`);
  return [
    'analyze posts', // creates the table of statistics
    "delete from sqlite_stat1 where tbl = 'posts'",
    `insert into sqlite_stat1 (tbl, idx, stat) values ${values.join(', ')}`,
    'analyze sqlite_schema', // reads them
  ];
}

/** What the new columns would hold if they had always been there. */
function backfills(engine: Engine): string[] {
  const commentId =
    engine === 'sqlite' ? "json_extract(body, '$.data.comment.id')" : "(body::json #>> '{data,comment,id}')";
  return [
    'update posts set is_announced = 0 where date_deleted is not null',
    'update comments set date_changed = coalesce(date_updated, date_created)',
    "update comments set is_announced = 1 where type = 'BASIC' and is_first = 0 and date_deleted is null",
    `update events set comment_id = ${commentId} where type in ('comment.created', 'comment.deleted')`,
    `insert into subscriptions (board_id, post_id, user_id, date_created)
      select board_id, post_id, user_id, min(date_created) from (
        select board_id, id as post_id, author_id as user_id, date_created from posts where author_id is not null
        union all
        select board_id, post_id, user_id, date_created from comments
        where user_id is not null and date_deleted is null
      ) people group by board_id, post_id, user_id`,
  ];
}
