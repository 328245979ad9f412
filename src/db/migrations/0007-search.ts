import { sql } from 'kysely';
import { foldText } from '../../lib/fold.ts';
import { gramsOfPost, gramTokens } from '../../lib/grams.ts';
import type { Engine, Tx } from '../db.ts';

export const name = '0007-search';

/**
 * What search reads of each post: its folded title and description, a space at both ends, and the grams of both. A
 * post is found by its grams: in an FTS5 table whose tokens are the numbers of the grams, or a GIN index of them, which
 * PostgreSQL has without an extension. Rows go with their posts;
 * they may come before them in the same transaction, which makes others wait only for the rest.
 */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const key = engine === 'sqlite' ? 'integer primary key' : 'bigint generated always as identity primary key';
  return [
    `create table post_search (
      id ${key},
      board_id ${id} not null,
      post_id ${id} not null,
      title ${id} not null,
      text ${id} not null,
      ${engine === 'sqlite' ? '' : 'grams integer[] not null,'}
      foreign key (board_id, post_id) references posts (board_id, id) on delete cascade
        deferrable initially deferred
    )`,
    'create unique index post_search_post on post_search (board_id, post_id)',
    ...(engine === 'sqlite'
      ? [
          `create virtual table post_grams using fts5(
            grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
          )`,
          `create trigger post_search_gone after delete on post_search begin
            delete from post_grams where rowid = old.id;
          end`,
        ]
      : []),
  ];
}

type Source = { board_id: string; id: string; title: string; text: string | null };

/** Rows at a time; a description has up to 20,000 characters. */
const BATCH = 500;

/** Indexes the posts that are there already, some 5,000 a second. */
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
  if (tx.engine === 'sqlite') return;
  await sql`create index post_search_board on post_search (board_id, id)`.execute(tx);
  // New rows wait in a list that every search reads: a short one.
  await sql`create index post_search_grams on post_search using gin (grams) with (gin_pending_list_limit = 256)`.execute(
    tx,
  );
}

async function insertRow(tx: Tx, row: Source): Promise<void> {
  const [title, text] = [foldText(row.title), foldText(row.text ?? '')];
  const grams = gramsOfPost(row.board_id, title, text);
  const values = sql`${row.board_id}, ${row.id}, ${` ${title} `}, ${` ${text} `}`;
  if (tx.engine === 'postgres') {
    await sql`insert into post_search (board_id, post_id, title, text, grams) values (${values}, ${grams})`.execute(tx);
    return;
  }
  await sql`insert into post_search (board_id, post_id, title, text) values (${values})`.execute(tx);
  await sql`insert into post_grams (rowid, grams) values (last_insert_rowid(), ${gramTokens(grams).join(' ')})`.execute(
    tx,
  );
}
