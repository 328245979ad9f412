import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import type { PostRow } from '../posts/posts.ts';

/**
 * What a user has once on a post: a vote, a subscription. The rows of a merged post stay where they are, hidden (see
 * `merged_into_id`), and the target gets copies for users who have none there; `merged_from` in a copy names the post
 * that it stands for. So each user counts once, and the rows of a post are never lost.
 */
const kinds = [
  { table: 'votes', columns: ['id', 'type', 'added_by', 'evidence', 'date_created'] },
  { table: 'subscriptions', columns: ['date_created', 'ways', 'date_ended'] },
] as const;
type Kind = (typeof kinds)[number];

/** Gives the target copies of the rows of a post that is merged into it. */
export async function shareRows(tx: Tx, source: PostRow, targetId: string): Promise<void> {
  for (const { table, columns } of kinds) {
    const names = sql.join(columns.map((column) => sql.ref(column)));
    const own = sql.join(columns.map((column) => sql.ref(`s.${column}`)));
    await sql`
      insert into ${sql.table(table)} (board_id, post_id, user_id, merged_from, ${names})
      select s.board_id, ${targetId}, s.user_id, s.post_id, ${own}
      from ${sql.table(table)} s
      where s.board_id = ${source.board_id} and s.post_id = ${source.id} and not exists (
        select 1 from ${sql.table(table)} t
        where t.board_id = s.board_id and t.post_id = ${targetId} and t.user_id = s.user_id)`.execute(tx);
  }
}

/**
 * Removes the copies of a post that is no longer merged: from the post it was merged into, and from those that this
 * one is merged into in turn.
 * @param posts all posts of the tree as they were before, with `post` in it still merged
 */
export async function takeBackRows(tx: Tx, post: PostRow, posts: ReadonlyMap<string, PostRow>): Promise<void> {
  let child: PostRow | undefined = post;
  while (child?.merged_into_id) {
    for (const kind of kinds) {
      await renewCopies(tx, kind, child, child.merged_into_id);
      await dropCopies(tx, kind, child, child.merged_into_id);
    }
    child = posts.get(child.merged_into_id);
  }
}

/**
 * Makes the copies that stand for a post agree with the rows that the merged posts have now: its own if it is still
 * merged and has one for the user, else that of another post merged into the same one. With `cross join` SQLite begins
 * with the few posts; else it would read all rows of the board.
 */
async function renewCopies(tx: Tx, { table, columns }: Kind, child: PostRow, parentId: string): Promise<void> {
  const values = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`o.${column}`)}`));
  const others = sql.join(columns.map((column) => sql.ref(`s.${column}`)));
  await sql`
    update ${sql.table(table)} set merged_from = o.post_id, ${values}
    from (
      select s.user_id, s.post_id, ${others}, row_number() over (
        partition by s.user_id order by case when s.post_id = ${child.id} then 0 else 1 end, s.post_id) as place
      from posts p cross join ${sql.table(table)} s
      where s.board_id = p.board_id and s.post_id = p.id and p.board_id = ${child.board_id}
        and p.merged_into_id = ${parentId}
    ) o
    where ${copiesOf(table, child, parentId)} and o.place = 1 and o.user_id = ${sql.ref(`${table}.user_id`)}`.execute(
    tx,
  );
}

/** Removes the copies that stand for a row that no longer exists. */
async function dropCopies(tx: Tx, { table }: Kind, child: PostRow, parentId: string): Promise<void> {
  await sql`
    delete from ${sql.table(table)}
    where ${copiesOf(table, child, parentId)} and not exists (
      select 1 from posts p
      join ${sql.table(table)} s on s.board_id = p.board_id and s.post_id = p.id
      where p.board_id = ${child.board_id} and p.id = ${child.id} and p.merged_into_id = ${parentId}
        and s.user_id = ${sql.ref(`${table}.user_id`)})`.execute(tx);
}

function copiesOf(table: Kind['table'], child: PostRow, parentId: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<boolean>`${column('board_id')} = ${child.board_id} and ${column('post_id')} = ${parentId}
    and ${column('merged_from')} = ${child.id}`;
}

/** Moves the comments of a post to the one that it is merged into; its description stays. */
export async function moveCommentsTo(tx: Tx, source: PostRow, targetId: string, now: number): Promise<void> {
  await tx
    .updateTable('comments')
    .set((e) => ({ post_id: targetId, origin_id: e.fn.coalesce('origin_id', e.val(source.id)), date_changed: now }))
    .where('board_id', '=', source.board_id)
    .where('post_id', '=', source.id)
    .where('is_first', '=', 0)
    .execute();
}

/**
 * Moves back the comments that came from a post, from those merged into it, or as replies to these. Replies that stay
 * become comments of their own.
 * @param branchIds the post and those merged into it
 */
export async function moveCommentsBack(
  tx: Tx,
  root: PostRow,
  post: PostRow,
  branchIds: readonly string[],
  now: number,
): Promise<void> {
  const ownOrNull = sql<string | null>`case when origin_id = ${post.id} then null else origin_id end`;
  await tx
    .updateTable('comments')
    .set({ post_id: post.id, origin_id: ownOrNull, date_changed: now })
    .where('board_id', '=', root.board_id)
    .where('post_id', '=', root.id)
    .where(isOneOf(tx, 'origin_id', branchIds))
    .execute();
  await tx
    .updateTable('comments')
    .set({ parent_id: null })
    .where('board_id', '=', root.board_id)
    .where('post_id', '=', root.id)
    .where('parent_id', 'in', (e) =>
      e
        .selectFrom('comments as c')
        .select('c.id')
        .where('c.board_id', '=', root.board_id)
        .where('c.post_id', '=', post.id),
    )
    .execute();
}

/** Removes the comments that Earshot wrote about the merge of a post, on it and on the post that it was merged into. */
export async function dropMergeComments(tx: Tx, post: PostRow, root: PostRow): Promise<void> {
  const query = tx.deleteFrom('comments').where('board_id', '=', post.board_id);
  await query.where('post_id', '=', post.id).where('type', '=', 'MERGE_SOURCE').execute();
  await query
    .where('post_id', '=', root.id)
    .where('type', '=', 'MERGE_TARGET')
    .where('about_id', '=', post.id)
    .execute();
}
