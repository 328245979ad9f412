import { sql } from 'kysely';
import { foldForIndex, foldText } from '../../texts/fold.ts';
import { asTyped } from '../../texts/mentions.ts';
import type { Tx } from '../db.ts';
import { tableOf } from '../prepare.ts';

export const name = '0045-compounds';

export function statements(): readonly string[] {
  return [];
}

type Source = { board_id: string; id: string; title: string; text: string | null };

/** Rows at a time; a description has up to 20,000 characters. */
const BATCH = 500;

/** Posts with compounds such as e-mail are also found in one word: they are folded again, and pending. */
export async function fill(tx: Tx): Promise<void> {
  const hasJoint = (column: string) =>
    tx.engine === 'sqlite'
      ? sql`${sql.ref(column)} glob '*[^ 0-9][-.‐‑－．][^ 0-9]*'`
      : sql`${sql.ref(column)} ~ '[^ 0-9][-.‐‑－．][^ 0-9]'`;
  let last: Pick<Source, 'board_id' | 'id'> = { board_id: '', id: '' };
  for (;;) {
    const { rows } = await sql<Source>`
      select p.board_id, p.id, p.title, c.text
      from posts p
      left join comments c on c.board_id = p.board_id and c.post_id = p.id and c.is_first = 1
      where (p.board_id, p.id) > (${last.board_id}, ${last.id}) and (${hasJoint('p.title')} or ${hasJoint('c.text')})
      order by p.board_id, p.id
      limit ${sql.lit(BATCH)}`.execute(tx);
    await foldAgain(tx, rows);
    const end = rows.at(-1);
    if (!end) break;
    last = end;
  }
}

async function foldAgain(tx: Tx, posts: readonly Source[]): Promise<void> {
  const rows = posts.flatMap(({ board_id, id, title, text }) => {
    const texts = [title, asTyped(text ?? '')];
    if (texts.every((part) => foldForIndex(part) === foldText(part))) return [];
    const [foldedTitle, foldedText] = texts.map((part) => ` ${foldForIndex(part)} `);
    return [{ board_id, id, title: foldedTitle, text: foldedText }];
  });
  const types = { board_id: 'text', id: 'text', title: 'text', text: 'text' } as const;
  const folded = tableOf(tx, 'folded', types, JSON.stringify(rows));
  await sql`
    update post_search set title = folded.title, text = folded.text
    from ${folded}
    where post_search.board_id = folded.board_id and post_search.post_id = folded.id`.execute(tx);
  await sql`
    insert into search_pending (board_id, search_id)
    select s.board_id, s.id
    from ${folded} join post_search s on s.board_id = folded.board_id and s.post_id = folded.id
    order by s.id`.execute(tx);
}
