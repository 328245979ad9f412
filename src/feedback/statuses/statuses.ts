import type { Generated, Selectable } from 'kysely';
import type { BoardRow } from '../../identity/board/board.ts';
import { languages, translate } from '../../platform/catalogues.ts';
import type { Reader, Rows, Tx } from '../../platform/db/db.ts';
import { prepare } from '../../platform/db/prepare.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { type LocalizedMessage, msg } from '../../platform/messages.ts';

/** Built-in types exist once on a board; CUSTOM ones are the board's own steps on the way to COMPLETED. */
export const statusTypes = ['CUSTOM', 'ARCHIVED', 'COMPLETED', 'MERGED', 'UNASSIGNED'] as const;
export type StatusType = (typeof statusTypes)[number];

export type PostVisibility = 'PUBLIC' | 'TEAM' | 'HIDDEN';

type StatusTable = {
  board_id: string;
  id: string;
  name: string;
  /** CSS hex color. */
  color: string;
  type: StatusType;
  post_visibility: PostVisibility;
  position: number;
  /** Whether it is a column of the roadmap. */
  is_on_roadmap: Generated<0 | 1>;
  /** Posts in this status that are not deleted. */
  post_count: Generated<number>;
  /** Posts in this status that moderation holds back, of those that are not deleted. */
  held_count: Generated<number>;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    statuses: StatusTable;
  }
}

export type StatusRow = Selectable<StatusTable>;

type InLanguage = Pick<BoardRow, 'id' | 'locale'>;

const initialStatuses: readonly (Pick<StatusRow, 'color' | 'type'> & { name: LocalizedMessage })[] = [
  { name: msg('statusOpen'), color: '#787066', type: 'UNASSIGNED' },
  { name: msg('statusPlanned'), color: '#764aa2', type: 'CUSTOM' },
  { name: msg('statusInProgress'), color: '#8b5500', type: 'CUSTOM' },
  { name: msg('statusCompleted'), color: '#146c39', type: 'COMPLETED' },
  { name: msg('statusArchived'), color: '#605955', type: 'ARCHIVED' },
  { name: msg('statusMerged'), color: '#605955', type: 'MERGED' },
];

/** Creates the built-in statuses and two custom ones of a new board, with names in its language. */
export async function insertInitialStatuses(tx: Tx, { id, locale }: InLanguage): Promise<void> {
  const rows = initialStatuses.map(({ name, ...status }, position) => ({
    ...status,
    name: translate(locale, name.parts),
    board_id: id,
    id: makeId(),
    post_visibility: 'PUBLIC' as const,
    position,
    is_on_roadmap: status.type === 'CUSTOM' || status.type === 'COMPLETED' ? (1 as const) : (0 as const),
  }));
  await tx.insertInto('statuses').values(rows).execute();
}

/** Renames the initial statuses of a board to one of `languages`; those that have got other names keep them. */
export async function renameInitialStatuses(tx: Tx, { id, locale }: InLanguage, language: string): Promise<void> {
  for (const { name, type } of initialStatuses) {
    const renamed = tx.updateTable('statuses').set({ name: translate(language, name.parts) });
    const ofType = renamed.where('board_id', '=', id).where('type', '=', type);
    await ofType.where('name', '=', translate(locale, name.parts)).execute();
  }
}

/** The names of the initial statuses in all languages. */
const initialNames = new Map<string, LocalizedMessage>();

/** What a status is called for people, in their language, while it has the name that it began with in any; else null. */
export function initialNameOf(name: string): LocalizedMessage | null {
  if (initialNames.size === 0) {
    for (const { name: message } of initialStatuses) {
      for (const language of languages) initialNames.set(translate(language, message.parts), message);
    }
  }
  return initialNames.get(name) ?? null;
}

/** The name of a status for people who read a language, see `initialNameOf`. */
export function statusNameIn(language: string, name: string): string {
  const initial = initialNameOf(name);
  return initial ? translate(language, initial.parts) : name;
}

const statusesOfBoard = prepare<{ boardId: string }, StatusRow>((reader, param) =>
  reader.selectFrom('statuses').selectAll().where('board_id', '=', param('boardId')).orderBy('position').orderBy('id'),
);

/** The status of a type that every board has one of. */
export function statusOfType(statuses: readonly StatusRow[], type: Exclude<StatusType, 'CUSTOM'>): StatusRow {
  const status = statuses.find((each) => each.type === type);
  if (!status) throw new Error(`The board has no status of type ${type}`);
  return status;
}

/** The statuses of a board in their order. */
export function listStatuses(reader: Reader, boardId: string): Rows<StatusRow> {
  return statusesOfBoard(reader, { boardId });
}

/**
 * The status with this type, or for CUSTOM with this id.
 * @throws BAD_REQUEST when an id is missing or superfluous, NOT_FOUND when the board has no such status
 */
export async function requireStatus(
  tx: Tx,
  boardId: string,
  type: StatusType,
  statusId: string | null | undefined,
): Promise<StatusRow> {
  if ((type === 'CUSTOM') !== (statusId != null)) {
    throw badRequest('statusId is required for, and only for, statusType CUSTOM', 'statusId');
  }
  const statuses = await listStatuses(tx, boardId);
  const status = statuses.find((s) => s.type === type && (statusId == null || s.id === statusId));
  if (!status) throw notFound('Status');
  return status;
}

/** The status that a post is in. */
export async function requireStatusOf(tx: Tx, post: { board_id: string; status_id: string }): Promise<StatusRow> {
  const status = (await listStatuses(tx, post.board_id)).find((s) => s.id === post.status_id);
  if (!status) throw new Error(`The status ${post.status_id} of a post does not exist`);
  return status;
}

/**
 * Adds to the number of posts in a status, and of those that moderation holds back.
 * @throws NOT_FOUND when the status was deleted in the meantime
 */
export async function addToPostCount(
  tx: Tx,
  boardId: string,
  statusId: string,
  change: { posts: number; held: number },
): Promise<void> {
  const [status] = await changePostCount(tx, { boardId, statusId, ...change });
  if (!status) throw notFound('Status');
}

const changePostCount = prepare<{ boardId: string; statusId: string; posts: number; held: number }, { id: string }>(
  (tx, param) =>
    tx
      .updateTable('statuses')
      .set((e) => ({
        post_count: e('post_count', '+', param('posts')),
        held_count: e('held_count', '+', param('held')),
      }))
      .where('board_id', '=', param('boardId'))
      .where('id', '=', param('statusId'))
      .returning('id'),
);
