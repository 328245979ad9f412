import type { Engine } from '../db.ts';

export const name = '0001-core';

/**
 * Boards, users, statuses, posts, comments, votes, keys and the event log.
 *
 * Instants are milliseconds since the epoch, booleans 0 or 1. Every table leads with the board, so that a cluster can
 * be split by it. Ids compare byte by byte on both engines, independent of the machine's locale.
 */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  const unlogged = engine === 'sqlite' ? '' : 'unlogged';
  return [
    `create table boards (
      id ${id} primary key,
      pid ${id} not null unique,
      name text not null,
      description text,
      plan text not null,
      locale text not null,
      domain text,
      favicon_url text,
      header_link text,
      logo_url text,
      is_roadmap_enabled integer not null,
      post_number bigint not null default 0,
      post_count bigint not null default 0,
      event_seq bigint not null default 0,
      date_created bigint not null
    )`,
    `create table users (
      board_id ${id} not null references boards,
      id ${id} not null,
      sso_type text,
      sso_id text,
      name text,
      name_folded text,
      email text,
      email_on_mention integer not null default 1,
      bio text,
      image text,
      role text not null,
      is_api_user integer not null default 0,
      attributes text,
      date_created bigint not null,
      date_updated bigint not null,
      primary key (board_id, id)
    ) ${clustered}`,
    'create unique index users_sso on users (board_id, sso_type, sso_id)',
    'create index users_email on users (board_id, email)',
    `create table statuses (
      board_id ${id} not null references boards,
      id ${id} not null,
      name text not null,
      color text not null,
      type text not null,
      post_visibility text not null,
      position integer not null,
      post_count bigint not null default 0,
      primary key (board_id, id)
    ) ${clustered}`,
    `create table posts (
      board_id ${id} not null references boards,
      id ${id} not null,
      number bigint not null,
      title text not null,
      excerpt text,
      author_id ${id},
      status_id ${id} not null,
      external_id text,
      upvotes bigint not null default 0,
      downvotes bigint not null default 0,
      comment_count bigint not null default 0,
      hot double precision not null,
      is_locked integer not null default 0,
      is_pinned integer not null default 0,
      is_sample integer not null default 0,
      date_created bigint not null,
      date_updated bigint not null,
      date_completed bigint not null default 0,
      date_deleted bigint,
      primary key (board_id, id)
    ) ${clustered}`,
    'create unique index posts_number on posts (board_id, number)',
    'create unique index posts_external on posts (board_id, external_id) where external_id is not null',
    'create index posts_trending on posts (board_id, hot, id) where date_deleted is null',
    'create index posts_top on posts (board_id, upvotes, id) where date_deleted is null',
    'create index posts_newest on posts (board_id, date_created, id) where date_deleted is null',
    'create index posts_updated on posts (board_id, date_updated, id) where date_deleted is null',
    'create index posts_commented on posts (board_id, comment_count, id) where date_deleted is null',
    'create index posts_completed on posts (board_id, date_completed, id) where date_deleted is null',
    'create index posts_author on posts (board_id, author_id, id) where date_deleted is null',
    'create index posts_status on posts (board_id, status_id, id) where date_deleted is null',
    `create table comments (
      board_id ${id} not null references boards,
      id ${id} not null,
      post_id ${id} not null,
      user_id ${id},
      parent_id ${id},
      type text not null,
      text text not null,
      is_first integer not null default 0,
      date_created bigint not null,
      date_updated bigint,
      date_deleted bigint,
      primary key (board_id, id)
    )`,
    'create index comments_post on comments (board_id, post_id, date_created, id) where date_deleted is null',
    'create unique index comments_first on comments (board_id, post_id) where is_first = 1',
    'create index comments_user on comments (board_id, user_id, id) where date_deleted is null',
    `create table votes (
      board_id ${id} not null references boards,
      post_id ${id} not null,
      user_id ${id} not null,
      id ${id} not null,
      type text not null,
      added_by ${id},
      date_created bigint not null,
      primary key (board_id, post_id, user_id)
    ) ${clustered}`,
    'create index votes_user on votes (board_id, user_id, id)',
    `create table api_keys (
      board_id ${id} not null references boards,
      id ${id} not null,
      name text not null,
      prefix text not null,
      hash ${id} not null unique,
      permissions text not null,
      allowed_ips text not null,
      rate_limits text not null,
      default_user_id ${id},
      date_created bigint not null,
      date_expires bigint,
      date_revoked bigint,
      date_last_used bigint,
      primary key (board_id, id)
    )`,
    `create table events (
      board_id ${id} not null references boards,
      seq bigint not null,
      id ${id} not null,
      type text not null,
      triggered_at bigint not null,
      post_id ${id},
      actor_id ${id},
      body text not null,
      primary key (board_id, seq)
    )`,
    'create index events_post on events (board_id, post_id, seq)',
    'create index events_type on events (board_id, type, seq)',
    `create table idempotency_keys (
      board_id ${id} not null references boards,
      api_key_id ${id} not null,
      idempotency_key ${id} not null,
      body_hash text not null,
      answer text,
      date_created bigint not null,
      primary key (board_id, api_key_id, idempotency_key)
    )`,
    'create index idempotency_keys_date on idempotency_keys (board_id, date_created)',
    `create ${unlogged} table rate_windows (
      board_id ${id} not null,
      api_key_id ${id} not null,
      seconds integer not null,
      window_start bigint not null,
      used bigint not null,
      primary key (board_id, api_key_id, seconds)
    ) ${clustered}`,
  ];
}
