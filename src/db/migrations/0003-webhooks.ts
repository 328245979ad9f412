import type { Engine } from '../db.ts';

export const name = '0003-webhooks';

/** Webhooks, what is delivered to them, every attempt to do so, and the mail that tells their owners. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  return [
    `create table webhooks (
      board_id ${id} not null references boards,
      id ${id} not null,
      url text not null,
      host text not null,
      events text not null,
      verify_token text,
      signing_secret text,
      pending_secret text,
      state text not null,
      disabled_by text,
      disabled_reason text,
      takes_events integer not null,
      failures_in_row bigint not null,
      failing_since bigint,
      ramp_limit integer not null,
      told text not null,
      date_next_probe bigint not null,
      date_created bigint not null,
      date_updated bigint not null,
      date_last_success bigint,
      date_last_failure bigint,
      last_failure text,
      primary key (board_id, id)
    )`,
    `create table deliveries (
      board_id ${id} not null references boards,
      id ${id} not null,
      webhook_id ${id} not null,
      event_id ${id} not null,
      event_type text not null,
      event_seq bigint,
      post_id ${id},
      body text,
      state text not null,
      attempts integer not null default 0,
      tries integer not null default 0,
      outcome text,
      date_created bigint not null,
      date_due bigint,
      date_done bigint,
      lease_token ${id},
      primary key (board_id, id)
    )`,
    `create index deliveries_due on deliveries (board_id, webhook_id, date_due, event_seq)
      where state = 'waiting' and date_due is not null`,
    `create index deliveries_line on deliveries (board_id, webhook_id, post_id, event_seq) where state = 'waiting'`,
    'create index deliveries_leased on deliveries (webhook_id) where lease_token is not null',
    'create index deliveries_log on deliveries (board_id, webhook_id, id)',
    'create index deliveries_done on deliveries (board_id, date_done) where date_done is not null',
    `create table attempts (
      board_id ${id} not null references boards,
      id ${id} not null,
      webhook_id ${id} not null,
      delivery_id ${id},
      number integer not null,
      kind text not null,
      host text,
      outcome text not null,
      diagnosis text not null,
      status integer,
      request text not null,
      answer text,
      timings text not null,
      date_created bigint not null,
      primary key (board_id, id)
    )`,
    'create index attempts_delivery on attempts (board_id, delivery_id, id)',
    'create index attempts_webhook on attempts (board_id, webhook_id, kind, date_created)',
    'create index attempts_date on attempts (board_id, date_created)',
    'create index attempts_host on attempts (host, date_created) where host is not null',
    `create table mails (
      board_id ${id} not null references boards,
      id ${id} not null,
      recipient text not null,
      subject text not null,
      body text not null,
      state text not null,
      tries integer not null default 0,
      last_error text,
      date_created bigint not null,
      date_due bigint not null,
      date_done bigint,
      lease_token ${id},
      primary key (board_id, id)
    )`,
    `create index mails_due on mails (date_due) where state = 'waiting'`,
  ];
}
