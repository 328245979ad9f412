import { type Expression, type SqlBool, sql } from 'kysely';
import type { Db, Reader, Tx } from '../../platform/db/db.ts';
import { isFewOfBoard, isOneOf } from '../../platform/db/prepare.ts';
import { type Clock, DAY_MS } from '../../platform/lib/clock.ts';
import type { FileFolder } from './folder.ts';

/** How long an upload may stay unused. */
export const UNUSED_MS = DAY_MS;
const FILES_PER_LOOK = 100;
const IDS_PER_STATEMENT = 1_000;

declare module '../../platform/db/db.ts' {
  interface Tables {
    /**
     * Bytes on disk that must be removed once a date has passed: those of uploads in progress, and of deleted files.
     */
    file_removals: { file_id: string; date_due: number };
  }
}

/**
 * Removes files of a board: their rows now, their bytes soon after the commit.
 * @param condition in a query on `files`
 */
export async function removeFiles(tx: Tx, boardId: string, condition: Expression<SqlBool>): Promise<void> {
  const query = tx.deleteFrom('files').where(isFewOfBoard(tx, boardId, condition));
  // Only what this has removed: another transaction may have put some of them on a post in the meantime.
  const removed = await query.returning('id').execute();
  await removeBytes(
    tx,
    removed.map(({ id }) => id),
  );
}

/** Schedules the removal of the bytes of files, for soon after the commit. */
export async function removeBytes(tx: Tx, ids: readonly string[]): Promise<void> {
  for (let n = 0; n < ids.length; n += IDS_PER_STATEMENT) {
    const values = ids.slice(n, n + IDS_PER_STATEMENT).map((id) => ({ file_id: id, date_due: 0 }));
    await tx.insertInto('file_removals').values(values).execute();
  }
}

/** In a query on `files`: all of them. */
export const everyFile: Expression<SqlBool> = sql<SqlBool>`1 = 1`;

/** In a query on `files`: those of a post itself. */
export function isOfPost(postId: string): Expression<SqlBool> {
  return sql<SqlBool>`files.post_id = ${postId}`;
}

/** In a query on `files`: those of the comments on a post. */
export function isOfCommentsOn(boardId: string, postId: string): Expression<SqlBool> {
  return sql<SqlBool>`files.comment_id in (
    select id from comments where board_id = ${boardId} and post_id = ${postId})`;
}

/** In a query on `files`: those of a comment. */
export function isOfComment(commentId: string): Expression<SqlBool> {
  return sql<SqlBool>`files.comment_id = ${commentId}`;
}

/** In a query on `files`: those of a changelog entry. */
export function isOfEntry(entryId: string): Expression<SqlBool> {
  return sql<SqlBool>`files.entry_id = ${entryId}`;
}

type CleaningDeps = { db: Db; clock: Clock; folder: FileFolder };

/** Removes uploads that nothing has used for a day, and the bytes of deleted files. */
export async function cleanFiles({ db, clock, folder }: CleaningDeps): Promise<void> {
  const now = clock.now();
  await removeUnused(db, now - UNUSED_MS);
  for (let due = await findDue(db.read, now); due.length > 0; due = await findDue(db.read, now)) {
    await Promise.all(due.map((id) => folder.remove(id)));
    await db.transaction((tx) =>
      tx
        .deleteFrom('file_removals')
        .where(isOneOf(tx, 'file_id', due))
        .execute(),
    );
  }
}

async function removeUnused(db: Db, before: number): Promise<void> {
  const isUnused = sql<SqlBool>`files.post_id is null and files.comment_id is null and files.look is null
    and files.entry_id is null and files.date_created <= ${before}`;
  const boards = await db.read.selectFrom('boards').select('id').where('sandbox_visitor', 'is', null).execute();
  for (const { id } of boards) {
    const found = await db.read
      .selectFrom('files')
      .select('id')
      .where('board_id', '=', id)
      .where(isUnused)
      .limit(1)
      .execute();
    if (found.length > 0) await db.transaction((tx) => removeFiles(tx, id, isUnused));
  }
}

async function findDue(reader: Reader, now: number): Promise<string[]> {
  const query = reader.selectFrom('file_removals').select('file_id').where('date_due', '<=', now);
  const rows = await query.orderBy('date_due').limit(FILES_PER_LOOK).execute();
  return rows.map((row) => row.file_id);
}
