import type { Generated } from 'kysely';
import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Reader, Tx } from '../db/db.ts';
import { prepare } from '../db/prepare.ts';
import { foldText } from '../lib/fold.ts';
import { gramsOfPost, gramTokens } from '../lib/grams.ts';
import type { PostRow } from '../posts/posts.ts';

declare module '../db/db.ts' {
  interface Tables {
    /** What search reads of a post: title and description, folded, with a space at both ends. */
    post_search: { id: Generated<number>; board_id: string; post_id: string; title: string; text: string };
  }
}

type Values = { boardId: string; postId: string; title: string; text: string; grams: readonly number[] };

/**
 * Makes search find a post under its present title and description. Called in the transaction of each change to one of
 * them; a post that is deleted for good goes from the index by itself.
 */
export async function indexPost(
  tx: Tx,
  post: Pick<PostRow, 'board_id' | 'id' | 'title'>,
  description: string | null,
): Promise<void> {
  const title = foldText(post.title);
  const text = foldText(description ?? '');
  const boardId = post.board_id;
  const grams = gramsOfPost(boardId, title, text);
  const values = { boardId, postId: post.id, title: ` ${title} `, text: ` ${text} `, grams };
  if (tx.engine === 'postgres') {
    await writeWithGrams(tx, values);
    return;
  }
  const [row] = await writeRow(tx, values);
  const tokens = gramTokens(grams).join(' ');
  if (row) tx.runLast('insert or replace into post_grams (rowid, grams) values (?, ?)', [row.id, tokens]);
}

const writeWithGrams = prepare<Values, never>((tx, param) =>
  compilable(
    tx,
    sql<never>`
      insert into post_search (board_id, post_id, title, text, grams)
      values (${param('boardId')}, ${param('postId')}, ${param('title')}, ${param('text')}, ${param('grams')})
      on conflict (board_id, post_id) do update
      set title = excluded.title, text = excluded.text, grams = excluded.grams`,
  ),
);

const writeRow = prepare<Values, { id: number }>((tx, param) =>
  tx
    .insertInto('post_search')
    .values({ board_id: param('boardId'), post_id: param('postId'), title: param('title'), text: param('text') })
    .onConflict((c) =>
      c
        .columns(['board_id', 'post_id'])
        .doUpdateSet((e) => ({ title: e.ref('excluded.title'), text: e.ref('excluded.text') })),
    )
    .returning('id'),
);

function compilable<R>(reader: Reader, query: RawBuilder<R>): Compilable<R> {
  return { compile: () => query.compile(reader) };
}
