import type { Generated, Selectable } from 'kysely';
import { type Actor, may } from '../../identity/users/authority.ts';
import type { ViewerContext } from '../../identity/users/request-context.ts';
import type { Reader } from '../../platform/db/db.ts';
import { prepare } from '../../platform/db/prepare.ts';
import { isId } from '../../platform/lib/ids.ts';
import type { FieldOption } from './options.ts';

/** What a field holds; `values.ts` has what each takes. */
export const fieldTypes = [
  'TEXT',
  'TEXT_LONG',
  'SELECTION',
  'SELECTION_MULTI',
  'CHECKBOX',
  'NUMBER',
  'DATE',
  'URL',
] as const;
export type FieldType = (typeof fieldTypes)[number];

/** Who sees a field and its values on posts: everyone, or moderators and up. */
export type FieldVisibility = 'PUBLIC' | 'TEAM';

type FieldTable = {
  board_id: string;
  id: string;
  label: string;
  /** The label in lower case of every script: no two fields of a board have the same. */
  label_folded: string;
  description: string | null;
  type: FieldType;
  is_required: 0 | 1;
  allow_url_prefill: 0 | 1;
  /** Whether the pages ask for it with a new idea. */
  is_on_form: Generated<0 | 1>;
  /** Where clients show the field, in their words: a JSON array of texts. */
  locations: string;
  /** What can be chosen: a JSON array of options. */
  options: string;
  visibility: FieldVisibility;
  /** Its place among the fields of the board; of two with the same, the older one comes first. */
  position: Generated<number>;
  /** Counts the changes of the field, so that a value that was checked before one is not written after it. */
  revision: Generated<number>;
  date_created: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    fields: FieldTable;
    /** The values of posts in fields, one row each; a deleted post keeps its rows. */
    post_properties: {
      board_id: string;
      post_id: string;
      field_id: string;
      position: number;
      /** The text, or the id of the option. */
      value: string;
      /** Equal for values of a field that are the same to a filter, see `keyOfValue`. */
      value_key: string;
    };
  }
}

export type FieldRow = Selectable<FieldTable>;

/** A field with its lists parsed. */
export type Field = Omit<FieldRow, 'locations' | 'options'> & {
  locations: readonly string[];
  options: readonly FieldOption[];
};

/**
 * The fields that a viewer may see. TEAM ones are for the team; `viewer` is null without an acting user. Every field
 * that leaves the server, and every value in one, passes through here.
 */
export function visibleFields(fields: readonly Field[], viewer: Actor | null): Field[] {
  const seesTeam = may(viewer, 'field.team');
  return fields.filter((field) => seesTeam || field.visibility === 'PUBLIC');
}

const fieldsOfBoard = prepare<{ boardId: string }, FieldRow>((reader, param) =>
  reader
    .selectFrom('fields')
    .selectAll()
    .where('board_id', '=', param('boardId'))
    .orderBy('position')
    .orderBy('date_created')
    .orderBy('id'),
);

/** Every field of a board, in their order: for what changes them. */
export async function readFields(reader: Reader, boardId: string): Promise<Field[]> {
  return (await fieldsOfBoard(reader, { boardId })).map(toField);
}

/** The fields that the pages ask a viewer for with a new idea, in their order. */
export async function listFormFields(reader: Reader, boardId: string, viewer: Actor | null): Promise<Field[]> {
  return (await listFields(reader, boardId, viewer)).filter((field) => field.is_on_form === 1);
}

/** The fields of a board that `viewer` may know of, in their order. */
export async function listFields(reader: Reader, boardId: string, viewer: Actor | null): Promise<Field[]> {
  return visibleFields(await readFields(reader, boardId), viewer);
}

/** The field with this id, when `viewer` may know of it. */
export async function findField({ db, board, actor }: ViewerContext, id: string): Promise<Field | null> {
  if (!isId(id)) return null;
  const query = db.read.selectFrom('fields').selectAll().where('board_id', '=', board.id).where('id', '=', id);
  return visibleFields((await query.execute()).map(toField), actor)[0] ?? null;
}

/** A row with its lists parsed. */
export function toField(row: FieldRow): Field {
  return { ...row, locations: JSON.parse(row.locations), options: JSON.parse(row.options) };
}

/** Whether what a field holds is chosen among its options. */
export function isSelection(type: FieldType): boolean {
  return type === 'SELECTION' || type === 'SELECTION_MULTI';
}
