import { sql } from 'kysely';
import { foldText } from '../../texts/fold.ts';
import type { Engine, Tx } from '../db.ts';

export const name = '0007-search';

/**
 * The searchable text of each post: its folded title and description, with a space at both ends. A post is found by the
 * lists of posts that have a gram, which are stored in segments of many posts, in blocks of several lists; a new or
 * changed post is pending until it is written to a segment (docs/decisions/0010). Rows of `post_search` are deleted
 * with their posts; they may be inserted before them in the same transaction, so that others wait only for the rest.
 */
export function statements(engine: Engine): readonly string[] {
  const isSqlite = engine === 'sqlite';
  const id = isSqlite ? 'text' : 'text collate "C"';
  const key = isSqlite ? 'integer primary key' : 'bigint generated always as identity primary key';
  const bytes = isSqlite ? 'blob' : 'bytea';
  return [
    `create table post_search (
      id ${key},
      board_id ${id} not null,
      post_id ${id} not null,
      title ${id} not null,
      text ${id} not null,
      foreign key (board_id, post_id) references posts (board_id, id) on delete cascade
        deferrable initially deferred
    )`,
    'create unique index post_search_post on post_search (board_id, post_id)',
    // A row for each change: rows written to a segment are deleted by their own ids, whatever changes in the meantime.
    `create table search_pending (
      id ${key},
      board_id ${id} not null,
      search_id bigint not null
    )`,
    'create index search_pending_board on search_pending (board_id, id, search_id)',
    `create table search_segments (
      board_id ${id} not null references boards,
      id ${id} not null,
      post_count bigint not null,
      byte_count bigint not null,
      block_count integer not null,
      first_search_id bigint not null,
      last_search_id bigint not null,
      date_replaced bigint,
      primary key (board_id, id)
    )`,
    'create index search_segments_replaced on search_segments (date_replaced) where date_replaced is not null',
    `create table search_blocks (
      board_id ${id} not null references boards,
      segment_id ${id} not null,
      number integer not null,
      lists ${bytes} not null,
      primary key (board_id, segment_id, number)
    )`,
    // They are small numbers without a pattern: compressing them takes time and saves nothing.
    ...(isSqlite ? [] : ['alter table search_blocks alter column lists set storage external']),
  ];
}

type Source = { board_id: string; id: string; title: string; text: string | null };

/** Rows at a time; a description has up to 20,000 characters. */
const BATCH = 500;

/** Folds existing posts, some 20,000 a second. Segments are written later. */
export async function fill(tx: Tx): Promise<void> {
  let last: Pick<Source, 'board_id' | 'id'> = { board_id: '', id: '' };
  for (;;) {
    const { rows } = await sql<Source>`
      select p.board_id, p.id, p.title, c.text
      from posts p
      left join comments c on c.board_id = p.board_id and c.post_id = p.id and c.is_first = 1
      where (p.board_id, p.id) > (${last.board_id}, ${last.id})
      order by p.board_id, p.id
      limit ${sql.lit(BATCH)}`.execute(tx);
    for (const row of rows) await insertRow(tx, row);
    const end = rows.at(-1);
    if (!end) break;
    last = end;
  }
  await sql`insert into search_pending (board_id, search_id) select board_id, id from post_search`.execute(tx);
}

async function insertRow(tx: Tx, { board_id, id, title, text }: Source): Promise<void> {
  const [foldedTitle, foldedText] = [foldText(title), foldText(text ?? '')];
  await sql`
    insert into post_search (board_id, post_id, title, text)
    values (${board_id}, ${id}, ${` ${foldedTitle} `}, ${` ${foldedText} `})`.execute(tx);
}
