import { sql } from 'kysely';
import type { Tx } from '../db.ts';

export const name = '0024-changes';

/** What the comments that Earshot writes are about, as JSON; and they no longer count as comments. */
export function statements(): readonly string[] {
  return ['alter table comments add column details text', recount];
}

const count = (condition: string) => `(select count(*) from comments c
  where c.board_id = posts.board_id and c.post_id = posts.id and c.date_deleted is null and c.is_first = 0
    and c.type in ('BASIC', 'OFFICIAL', 'INTERNAL') and ${condition})`;
const isHidden = "(c.type = 'INTERNAL' or c.moderation_status in ('PENDING', 'REJECTED'))";

const recount = `update posts set comment_count = ${count(`not ${isHidden}`)}, hidden_comment_count = ${count(isHidden)}
  where exists (
    select 1 from comments c where c.board_id = posts.board_id and c.post_id = posts.id
      and c.type in ('STATUS_CHANGE', 'TITLE_CHANGE', 'MERGE_SOURCE', 'MERGE_TARGET'))`;

type Source = { board_id: string; id: string; type: string; text: string };
type Statuses = ReadonlyMap<string, string>;

/** Rows at a time; a text has up to 20,000 characters. */
const BATCH = 500;

/** Reads the changes from the texts of earlier versions. Of one that came with a message, nothing else is known. */
export async function fill(tx: Tx): Promise<void> {
  const { rows } = await sql<{ board_id: string; id: string; name: string }>`
    select board_id, id, name from statuses`.execute(tx);
  const statuses = new Map(rows.map(({ board_id, id, name }) => [`${board_id} ${name}`, id]));
  let last = { board_id: '', id: '' };
  for (;;) {
    const written = await sql<Source>`
      select board_id, id, type, text from comments
      where (board_id, id) > (${last.board_id}, ${last.id})
        and type in ('STATUS_CHANGE', 'TITLE_CHANGE', 'MERGE_SOURCE', 'MERGE_TARGET')
      order by board_id, id
      limit ${sql.lit(BATCH)}`.execute(tx);
    for (const row of written.rows) await fillOne(tx, row, statuses);
    const end = written.rows.at(-1);
    if (!end) break;
    last = end;
  }
}

async function fillOne(tx: Tx, row: Source, statuses: Statuses): Promise<void> {
  const change = readChange(row, statuses);
  if (change === null) return;
  await sql`
    update comments set details = ${JSON.stringify({ type: row.type, ...change })}
    where board_id = ${row.board_id} and id = ${row.id}`.execute(tx);
}

function readChange({ board_id, type, text }: Source, statuses: Statuses): Record<string, unknown> | null {
  const names = /^Changed the (?:status|title) from “(.*)” to “(.*)”$/s.exec(text);
  const number = /^Merged (?:this post into )?#(\d+)/.exec(text)?.[1];
  if (number) return { number: Number(number), ...(type === 'MERGE_TARGET' && { votes: null }) };
  if (!names) return null;
  const [, from = '', to = ''] = names;
  const named = (name: string) => ({ id: statuses.get(`${board_id} ${name}`) ?? null, name });
  return type === 'STATUS_CHANGE' ? { from: named(from), to: named(to), hasMessage: false } : { from, to };
}
