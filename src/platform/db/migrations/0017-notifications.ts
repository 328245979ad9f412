import type { Engine } from '../db.ts';

export const name = '0017-notifications';

/**
 * Statements took quadratic time before: on SQLite for users with many comments, on both for posts with many. And on
 * PostgreSQL each row was looked up and added to the indexes by itself: 20 seconds for 100,000 posts.
 */
export const earlierChecksums = [
  '_cALWewcXTKPBopqUzteGhNhpnKm7hEeAoBiqnOA4ZY',
  'BLxILBIih-CK59DHtW9LvtMA-9_IYXr-neNI92m54Ew',
  'xO4JQlM5yuBZFhO5jyDa8tQhOCk0hoTnZbXe-ry54CI',
  '-7K1NFb0XlvizotC3aZXoX7tG_iv3u9cMpn59ts265s',
  'VrwfNiu_NI26hDOjn4-oRGS-gYdkt-7diYyTh7jUEiY',
];

/**
 * Who is notified of what: how users came to follow a post and whether they stopped, changes to notify of, a row for
 * each user and change, users' mail preferences, and bounced addresses.
 */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  const filled = [...deeds(id, clustered, engine), ...backfills];
  return [
    ...columns(id),
    ...tables(id, clustered),
    ...indexes,
    ...(engine === 'sqlite' ? filled : withoutIndexes(filled)),
  ];
}

function columns(id: string): string[] {
  return [
    "alter table boards add column time_zone text not null default 'UTC'",
    'alter table users add column locale text',
    'alter table users add column time_zone text',
    "alter table users add column mail_frequency text not null default 'AT_ONCE'",
    'alter table users add column email_on_status integer not null default 1',
    'alter table users add column email_on_comment integer not null default 1',
    'alter table users add column email_on_new_post integer not null default 0',
    'alter table users add column email_on_moderation integer not null default 0',
    'alter table subscriptions add column ways integer not null default 8',
    'alter table subscriptions add column date_ended bigint',
    `alter table mails add column post_id ${id}`,
    'alter table mails add column is_document integer not null default 0',
  ];
}

function tables(id: string, clustered: string): string[] {
  return [
    `create table notices (
      board_id ${id} not null references boards,
      id ${id} not null,
      post_id ${id} not null,
      kind text not null,
      comment_id ${id},
      actor_id ${id},
      reasons integer not null,
      details text,
      date_created bigint not null,
      date_ready bigint,
      done_up_to ${id} not null default '',
      primary key (board_id, id)
    ) ${clustered}`,
    `create table notifications (
      board_id ${id} not null references boards,
      notice_id ${id} not null,
      user_id ${id} not null,
      post_id ${id} not null,
      reasons integer not null,
      date_due bigint,
      mail_id ${id},
      primary key (board_id, notice_id, user_id)
    ) ${clustered}`,
    `create table mail_bounces (
      board_id ${id} not null references boards,
      address ${id} not null,
      error text not null,
      date_created bigint not null,
      primary key (board_id, address)
    ) ${clustered}`,
  ];
}

const indexes = [
  'create index notices_post on notices (board_id, post_id, id)',
  'create index notices_ready on notices (date_ready) where date_ready is not null',
  'create index notifications_user on notifications (board_id, user_id, notice_id)',
  'create index notifications_due on notifications (date_due, board_id, user_id) where date_due is not null',
  'create index notifications_pending on notifications (board_id, user_id, post_id) where date_due is not null',
  'create index mails_post on mails (board_id, post_id) where post_id is not null',
  'create index users_new_post on users (board_id, id) where email_on_new_post = 1',
  'create index users_moderation on users (board_id, id) where email_on_moderation = 1',
];

/**
 * What people did with posts, as bits of `ways`: 1 wrote it, 2 voted, 4 commented. The followers of a post are looked up
 * here: with only the comments to look in, a post with ten thousand of both takes a hundred million steps.
 */
const deeds = (id: string, clustered: string, engine: Engine) => [
  `create temporary table deeds (
    board_id ${id} not null,
    post_id ${id} not null,
    user_id ${id} not null,
    ways integer not null${engine === 'sqlite' ? ', primary key (board_id, post_id, user_id)' : ''}
  ) ${clustered}`,
  `insert into deeds select board_id, post_id, user_id, sum(way) from (
      select board_id, id as post_id, author_id as user_id, 1 as way from posts where author_id is not null
      union all
      select board_id, post_id, user_id, 2 from votes
      union all
      select distinct board_id, post_id, user_id, 4 from comments
      where user_id is not null and date_deleted is null and is_first = 0 and type in ('BASIC', 'INTERNAL', 'OFFICIAL')
    ) ways group by board_id, post_id, user_id`,
];

/**
 * Earlier versions did not store that a user stopped following. Authors and commenters always followed at first, so
 * those who do not follow have stopped. Voters did not follow but do from now on.
 */
const backfills = [
  `update subscriptions set ways = d.ways from deeds d
    where d.board_id = subscriptions.board_id and d.post_id = subscriptions.post_id and d.user_id = subscriptions.user_id`,
  `insert into subscriptions (board_id, post_id, user_id, date_created, ways, date_ended)
    select p.board_id, p.post_id, p.user_id, min(p.date_created), coalesce(min(d.ways), 0), max(p.date_created) from (
      select board_id, id as post_id, author_id as user_id, date_created from posts where author_id is not null
      union all
      select board_id, post_id, user_id, date_created from comments
      where user_id is not null and date_deleted is null and type in ('BASIC', 'INTERNAL', 'OFFICIAL')
        and origin_id is null
    ) p left join deeds d on d.board_id = p.board_id and d.post_id = p.post_id and d.user_id = p.user_id
    where not exists (
      select 1 from subscriptions s
      where s.board_id = p.board_id and s.post_id = p.post_id and s.user_id = p.user_id)
    group by p.board_id, p.post_id, p.user_id`,
  `insert into subscriptions (board_id, post_id, user_id, date_created, ways, merged_from)
    select v.board_id, v.post_id, v.user_id, v.date_created, 2, v.merged_from from votes v where exists (
        select 1 from users u where u.board_id = v.board_id and u.id = v.user_id)
      and not exists (
        select 1 from subscriptions s
        where s.board_id = v.board_id and s.post_id = v.post_id and s.user_id = v.user_id)`,
  'drop table deeds',
];

/** PostgreSQL adds each row to each index, and looks for its board: all at once, that takes a fraction. */
const withoutIndexes = (statements: readonly string[]) => [
  'drop index subscriptions_user',
  'alter table subscriptions drop constraint subscriptions_pkey, drop constraint subscriptions_board_id_fkey',
  ...statements,
  'alter table subscriptions add primary key (board_id, post_id, user_id), add foreign key (board_id) references boards',
  'create index subscriptions_user on subscriptions (board_id, user_id, post_id)',
];
