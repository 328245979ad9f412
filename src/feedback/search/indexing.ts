import { type Generated, sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import { prepare, prepareInsert } from '../../platform/db/prepare.ts';
import { foldForIndex } from '../../platform/texts/fold.ts';
import { asTyped } from '../../platform/texts/mentions.ts';
import type { PostRow } from '../posts/posts.ts';

declare module '../../platform/db/db.ts' {
  interface Tables {
    /** The searchable text of a post: title and description, folded, with a space at both ends. */
    post_search: { id: Generated<number>; board_id: string; post_id: string; title: string; text: string };
  }
}

/**
 * Makes a post searchable by its current title and description. Called in the transaction of each change to one of
 * them; a permanently deleted post disappears from results automatically.
 */
export async function indexPost(
  tx: Tx,
  post: Pick<PostRow, 'board_id' | 'id' | 'title'>,
  description: string | null,
): Promise<void> {
  const [title, text] = [foldForIndex(post.title), foldForIndex(asTyped(description ?? ''))];
  const boardId = post.board_id;
  const values = { boardId, postId: post.id, title: ` ${title} `, text: ` ${text} ` };
  if (tx.engine === 'postgres') {
    await writeBoth(tx, values);
    return;
  }
  const [row] = await writeRow(tx, values);
  if (row) await addPending(tx, { board_id: boardId, search_id: row.id });
}

type Values = { boardId: string; postId: string; title: string; text: string };

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

/** Writes the texts and does what `addPending` does, in one round trip to PostgreSQL. */
const writeBoth = prepare<Values, never>(
  (_, param) => sql<never>`
    with written as (
      insert into post_search (board_id, post_id, title, text)
      values (${param('boardId')}, ${param('postId')}, ${param('title')}, ${param('text')})
      on conflict (board_id, post_id) do update set title = excluded.title, text = excluded.text
      returning board_id, id
    )
    insert into search_pending (board_id, search_id) select board_id, id from written`,
);

/** A row for each change, also to the same post: writing it to a segment does not remove a later one. */
const addPending = prepareInsert('search_pending', ['board_id', 'search_id']);
