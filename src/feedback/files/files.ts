import { timingSafeEqual } from 'node:crypto';
import { type Expression, type Selectable, type SqlBool, sql } from 'kysely';
import type { AccessKind } from '../../identity/board/board.ts';
import type { Reader } from '../../platform/db/db.ts';
import { isOneOf, prepare } from '../../platform/db/prepare.ts';
import { isId } from '../../platform/lib/ids.ts';
import { isOnVisiblePost, isVisibleComment } from '../visibility/comments.ts';
import { isVisiblePost, type ViewerScope } from '../visibility/posts.ts';

type FileTable = {
  board_id: string;
  id: string;
  /** Who uploaded it; null once that user is erased, and for the pictures of a board. */
  uploader_id: string | null;
  name: string;
  /** What the bytes are, whatever the uploader said. */
  content_type: string;
  size: number;
  /** Of a picture, in pixels as it is shown; null for other files, and where it is not known. */
  width: number | null;
  height: number | null;
  /** The part of its URL that cannot be guessed: it opens the file while what it belongs to is public. */
  public_token: string;
  /** The part of its URL for those who see what is held back or internal: it opens the file as long as that is not deleted. */
  held_token: string;
  /** What it belongs to, at most one of the four; none for a new upload. */
  post_id: string | null;
  comment_id: string | null;
  /** A changelog entry. */
  entry_id: string | null;
  look: Look | null;
  date_created: number;
};

/** The pictures that a board has of its own. */
export type Look = 'LOGO' | 'FAVICON';

declare module '../../platform/db/db.ts' {
  interface Tables {
    files: FileTable;
  }
}

export type FileRow = Selectable<FileTable>;

/** A file with what its URL depends on: whether what it belongs to is public, if its board is. */
export type ShownFile = FileRow & { is_public: 0 | 1 };

/** A file with what its URL depends on, and who may see its board. */
export type FoundFile = ShownFile & { access: AccessKind };

/** The largest file, in bytes. */
export const MAX_FILE_BYTES = 10_485_760;

/** The URL of a file; never revealed to users who may not see what it belongs to. */
export function fileUrl(file: ShownFile, baseUrl: string): string {
  return baseUrl + filePath(file, file.is_public ? file.public_token : file.held_token);
}

/** The address of a file below that of the server. */
export function filePath({ board_id, id, name }: FileRow, token: string): string {
  return `/files/${board_id}/${id}/${token}/${encodeURIComponent(name)}`;
}

const findFilesOf = (column: 'post_id' | 'comment_id' | 'entry_id') =>
  prepare<{ boardId: string; ids: readonly string[] }, ShownFile>((reader, param) =>
    shownFiles(reader, param('boardId'))
      .where(isOneOf(reader, column, param('ids')))
      // By the index of the column; by the id alone, SQLite reads all files of the board.
      .orderBy(column)
      .orderBy('id'),
  );

/** The files of posts that the reader may see, in the order of their uploads. */
export const findFilesOfPosts = findFilesOf('post_id');
/** As `findFilesOfPosts`, for comments. */
export const findFilesOfComments = findFilesOf('comment_id');
/** As `findFilesOfPosts`, for changelog entries. */
export const findFilesOfEntries = findFilesOf('entry_id');

/** The files that a user has uploaded, in the order of upload, those behind the id `after`. */
export function findFilesOfUploader(
  reader: Reader,
  boardId: string,
  uploaderId: string,
  after: string,
  limit: number,
): Promise<ShownFile[]> {
  const own = shownFiles(reader, boardId).where('uploader_id', '=', uploaderId).where('id', '>', after);
  return own.orderBy('id').limit(limit).execute();
}

function shownFiles(reader: Reader, boardId: string) {
  return reader
    .selectFrom('files')
    .selectAll()
    .select(sql<0 | 1>`case when ${isOpen('MEMBER', boardId)} then 1 else 0 end`.as('is_public'))
    .where('board_id', '=', boardId);
}

const fileByToken = prepare<{ boardId: string; id: string }, FoundFile & { is_there: 0 | 1 }>((reader, param) =>
  shownFiles(reader, param('boardId'))
    .select(sql<AccessKind>`(select access from boards where boards.id = files.board_id)`.as('access'))
    .select(sql<0 | 1>`case when ${isOpen('ALL', param('boardId'))} then 1 else 0 end`.as('is_there'))
    .where('id', '=', param('id')),
);

/** The file at a URL; null if there is none, or if it is now hidden. */
export async function findFileByToken(
  reader: Reader,
  boardId: string,
  id: string,
  token: string,
): Promise<FoundFile | null> {
  if (!isId(boardId) || !isId(id)) return null;
  const [file] = await fileByToken(reader, { boardId, id });
  if (!file) return null;
  if (isSame(token, file.public_token)) return file.is_public ? file : null;
  return isSame(token, file.held_token) && file.is_there ? file : null;
}

/** Takes as long for a wrong token as for the right one. */
export function isSame(text: string, secret: string): boolean {
  const [a, b] = [Buffer.from(text), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** In a query on `files`: those of what is within the viewer's scope, and those of nothing. */
function isOpen(scope: ViewerScope, boardId: string): Expression<SqlBool> {
  const viewerFilter = { scope, boardId, viewerId: '' };
  return sql<SqlBool>`(files.post_id is null or exists (
      select 1 from posts
      where posts.board_id = files.board_id and posts.id = files.post_id and ${isVisiblePost(viewerFilter)}))
    and (files.comment_id is null or exists (
      select 1 from comments
      where comments.board_id = files.board_id and comments.id = files.comment_id
        and ${isVisibleComment(viewerFilter)} and ${isOnVisiblePost(viewerFilter)}))
    and (files.entry_id is null or exists (
      select 1 from changelog_entries as entry
      where entry.board_id = files.board_id and entry.id = files.entry_id
        ${scope === 'MEMBER' ? sql`and entry.date_published is not null` : sql``}))`;
}
