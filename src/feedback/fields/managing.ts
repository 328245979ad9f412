import { MAX_UNDONE, recordChange, type State } from '../../identity/activity/activity.ts';
import { lockBoard } from '../../identity/board/board.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { updateRow } from '../../platform/db/rows.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import { makeId, requireOwnId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { requireLine, requireLineOr, requireText } from '../../platform/texts/text.ts';
import { recordPostChange } from '../posts/recording.ts';
import {
  type Field,
  type FieldRow,
  type FieldType,
  type FieldVisibility,
  fieldTypes,
  isSelection,
  readFields,
  toField,
} from './fields.ts';
import { type FieldOption, type NewOptions, parseOptions } from './options.ts';
import { nameOfField } from './properties.ts';
import { keyOfValue } from './values.ts';

const MAX_FIELDS = 50;
const MAX_LOCATIONS = 20;

const LABEL = { field: 'label', min: 1, max: 100 };
const DESCRIPTION = { field: 'description', min: 0, max: 1_000 };

/** The settings of a field; null and omitted ones stay unchanged, or get their defaults. */
export type FieldChanges = {
  label?: string | null | undefined;
  /** Null or empty: none. */
  description?: string | null | undefined;
  type?: FieldType | null | undefined;
  isRequired?: boolean | null | undefined;
  allowUrlPrefill?: boolean | null | undefined;
  /** Whether the pages ask for it with a new idea. */
  isOnForm?: boolean | null | undefined;
  locations?: readonly string[] | null | undefined;
  /** The complete list of options of a selection. */
  options?: NewOptions | null | undefined;
  visibility?: FieldVisibility | null | undefined;
};

export type NewField = FieldChanges & {
  /** A UUID chosen by the client; without one the field gets a new id. */
  id?: string | null | undefined;
  label: string;
  type: FieldType;
};

/** Adds a field to the board. @throws CONFLICT when another one has the label or the id, or there are too many */
export function createField(context: ActorContext, input: NewField): Promise<Field> {
  return addField(context, input, { dateCreated: context.clock.now() });
}

type Place = { dateCreated: number; position?: number };

async function addField(context: ActorContext, input: NewField, { dateCreated, position }: Place): Promise<Field> {
  const label = requireLine(input.label, LABEL);
  const texts = parseTexts(input);
  const options = isSelection(input.type) ? parseOptions(input.options ?? [], []) : requireNoOptions(input);
  const id = input.id == null ? makeId() : requireOwnId(input.id);
  requireRight(context.actor, 'field.edit');
  return context.db.transaction(async (tx) => {
    const fields = await lockFields(tx, context.board.id);
    requireFreeLabel(fields, label);
    if (fields.some((field) => field.id === id)) throw conflict('There is already a field with this id');
    if (fields.length >= MAX_FIELDS) throw conflict(msg('fieldTooMany', MAX_FIELDS));
    const row = await tx
      .insertInto('fields')
      .values({
        board_id: context.board.id,
        id,
        label,
        label_folded: label.toLowerCase(),
        type: input.type,
        description: null,
        is_required: 0,
        is_on_form: 0,
        allow_url_prefill: 0,
        locations: '[]',
        visibility: 'PUBLIC',
        ...texts,
        options: JSON.stringify(options),
        position: position ?? 1 + Math.max(-1, ...fields.map((field) => field.position)),
        date_created: dateCreated,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordFieldChange(tx, context, id, { exists: false }, { exists: true, isUsed: false });
    return toField(row);
  });
}

/** Brings a deleted field back in its place; the values of posts are the caller's. @throws CONFLICT as `createField` */
export async function restoreField(context: ActorContext, id: string, deleted: DeletedField): Promise<void> {
  const { dateCreated, position, ...settings } = deleted;
  await addField(context, { ...settings, id }, { dateCreated, position });
}

/** What operations change of a field, by the names of the API. */
export function stateOfField(field: Field) {
  const { label, description, type, locations, options, visibility } = field;
  return {
    label,
    description,
    type,
    locations,
    options,
    visibility,
    isRequired: field.is_required === 1,
    isOnForm: field.is_on_form === 1,
    allowUrlPrefill: field.allow_url_prefill === 1,
  };
}

/** A field as operations change it. */
export type FieldState = ReturnType<typeof stateOfField>;

/** A deleted field as it was: see `stateOfField`. */
export type DeletedField = FieldState & { dateCreated: number; position: number };

/** The field as `undo` compares it; null if it does not exist. */
export async function readFieldState(tx: Tx, boardId: string, id: string): Promise<State | null> {
  const field = (await lockFields(tx, boardId)).find((one) => one.id === id);
  return field ? { exists: true, ...stateOfField(field), isUsed: await isUsed(tx, field) } : null;
}

function recordFieldChange(tx: Tx, context: ActorContext, id: string, before: State, after: State): Promise<void> {
  return recordChange(tx, context, { thing: 'FIELD', id, before, after });
}

/**
 * Changes a field. Options that are no longer in `options` are removed from the posts that have them.
 * @throws CONFLICT when another field has the label, or posts have values that another type does not take
 */
export async function updateField(context: ActorContext, id: string, changes: FieldChanges): Promise<Field> {
  const label = requireLineOr(changes.label ?? null, LABEL);
  const texts = parseTexts(changes);
  requireRight(context.actor, 'field.edit');
  return context.db.transaction(async (tx) => {
    const fields = await lockFields(tx, context.board.id);
    const field = requireKnown(fields, id);
    if (label !== null) requireFreeLabel(fields, label, id);
    const type = changes.type ?? field.type;
    await requireTypeChange(tx, field, type);
    const options = newOptions(field, type, changes);
    await removeOptions(tx, context, field, options);
    const row = await updateRow(tx, 'fields', field, {
      ...texts,
      ...(label !== null && { label, label_folded: label.toLowerCase() }),
      type,
      options: JSON.stringify(options),
      revision: field.revision + 1,
    });
    const changed = toField(row);
    await recordFieldChange(tx, context, id, stateOfField(field), stateOfField(changed));
    return changed;
  });
}

/** Deletes a field with all its values on posts. */
export async function deleteField(context: ActorContext, id: string): Promise<Field> {
  requireRight(context.actor, 'field.edit');
  return context.db.transaction(async (tx) => {
    const field = requireKnown(await lockFields(tx, context.board.id), id);
    await recordLostValues(tx, context, field, null);
    const ofBoard = tx.deleteFrom('post_properties').where('board_id', '=', field.board_id);
    await ofBoard.where('field_id', '=', id).execute();
    const { date_created: dateCreated, position } = field;
    const before = { exists: true, ...stateOfField(field), dateCreated, position };
    await recordFieldChange(tx, context, id, before, { exists: false });
    await tx.deleteFrom('fields').where('board_id', '=', field.board_id).where('id', '=', id).execute();
    return field;
  });
}

/**
 * Reorders fields. Those not listed keep their positions.
 * @throws NOT_FOUND for an unknown field, BAD_REQUEST if one is listed twice
 */
export async function rearrangeFields(context: ActorContext, ids: readonly string[]): Promise<void> {
  if (new Set(ids).size < ids.length) throw badRequest('ids names a field more than once', 'ids');
  requireRight(context.actor, 'field.edit');
  await context.db.transaction(async (tx) => {
    const fields = await lockFields(tx, context.board.id);
    const named = ids.map((id) => requireKnown(fields, id)).values();
    const inOrder = fields.map((field) => (ids.includes(field.id) ? (named.next().value ?? field) : field));
    for (const [position, field] of inOrder.entries()) {
      const row = tx.updateTable('fields').set({ position }).where('board_id', '=', field.board_id);
      if (field.position !== position) await row.where('id', '=', field.id).execute();
    }
    const [before, after] = [{ fieldIds: idsOf(fields) }, { fieldIds: idsOf(inOrder) }];
    await recordChange(tx, context, { thing: 'FIELD_ORDER', id: context.board.id, before, after });
  });
}

function idsOf(fields: readonly Field[]): string[] {
  return fields.map(({ id }) => id);
}

/** The fields of the board, with the board locked: no other transaction changes a field, or its values on posts. */
async function lockFields(tx: Tx, boardId: string): Promise<Field[]> {
  await lockBoard(tx, boardId);
  return readFields(tx, boardId);
}

function parseTexts(changes: FieldChanges): Partial<FieldRow> {
  const { description, locations, isRequired, isOnForm, allowUrlPrefill, visibility } = changes;
  return {
    ...(description !== undefined && { description: requireText(description ?? '', DESCRIPTION) || null }),
    ...(locations != null && { locations: JSON.stringify(parseLocations(locations)) }),
    ...(isRequired != null && { is_required: isRequired ? 1 : 0 }),
    ...(isOnForm != null && { is_on_form: isOnForm ? 1 : 0 }),
    ...(allowUrlPrefill != null && { allow_url_prefill: allowUrlPrefill ? 1 : 0 }),
    ...(visibility != null && { visibility }),
  };
}

function parseLocations(raw: readonly string[]): string[] {
  const locations = [
    ...new Set(raw.map((location) => requireText(location, { field: 'locations', min: 1, max: 100 }))),
  ];
  if (locations.length <= MAX_LOCATIONS) return locations;
  throw badRequest(`locations must have at most ${MAX_LOCATIONS} texts; it has ${locations.length}`, 'locations');
}

function requireNoOptions({ options, type }: FieldChanges): [] {
  if (!options?.length) return [];
  throw badRequest(`A field of type ${type} has no options`, 'options');
}

function newOptions(field: Field, type: FieldType, changes: FieldChanges): readonly FieldOption[] {
  if (!isSelection(type)) return requireNoOptions({ ...changes, type });
  const isKept = changes.options == null && field.options.length > 0;
  return isKept ? field.options : parseOptions(changes.options ?? [], field.options);
}

/** Takes those of a field's options that are not among these from the posts that have them. */
async function removeOptions(tx: Tx, context: ActorContext, field: Field, kept: readonly FieldOption[]): Promise<void> {
  const removed = field.options.filter(({ id }) => !kept.some((option) => option.id === id)).map(({ id }) => id);
  if (removed.length === 0) return;
  await recordLostValues(tx, context, field, removed);
  const keys = removed.map((id) => keyOfValue(field, id));
  const ofBoard = tx.deleteFrom('post_properties').where('board_id', '=', field.board_id);
  await ofBoard.where(isOneOf(tx, 'value_key', keys)).execute();
}

/**
 * Records the values that posts are about to lose, before the change of the field: undone after it, when the field
 * accepts them again. With as many as can be undone, the field itself is one thing too many.
 * @param lost options; null: every value
 */
async function recordLostValues(
  tx: Tx,
  context: ActorContext,
  field: Field,
  lost: readonly string[] | null,
): Promise<void> {
  const name = nameOfField(field.id);
  const ofBoard = tx.selectFrom('post_properties').where('board_id', '=', field.board_id);
  const ofField = ofBoard.where('field_id', '=', field.id);
  const losing = lost
    ? ofField.where(
        isOneOf(
          tx,
          'value_key',
          lost.map((id) => keyOfValue(field, id)),
        ),
      )
    : ofField;
  const posts = losing.select('post_id').distinct().orderBy('post_id').limit(MAX_UNDONE);
  const query = ofField.select(['post_id', 'value']).where('post_id', 'in', posts);
  const rows = await query.orderBy('post_id').orderBy('position').execute();
  for (const [id, ofPost] of Map.groupBy(rows, (row) => row.post_id)) {
    const values = ofPost.map(({ value }) => value);
    const left = lost ? values.filter((value) => !lost.includes(value)) : [];
    const after = { [name]: left.length > 0 ? left : null };
    await recordPostChange(tx, context, { board_id: field.board_id, id }, { [name]: values }, after);
  }
}

async function isUsed(tx: Tx, field: Field): Promise<boolean> {
  const query = tx.selectFrom('post_properties').select('post_id').where('board_id', '=', field.board_id);
  return (await query.where('field_id', '=', field.id).limit(1).executeTakeFirst()) !== undefined;
}

/** For each type, the types that accept every one of its values unchanged. */
const wider: Partial<Record<FieldType, readonly FieldType[]>> = {
  TEXT: ['TEXT_LONG'],
  NUMBER: ['TEXT', 'TEXT_LONG'],
  DATE: ['TEXT', 'TEXT_LONG'],
  URL: ['TEXT_LONG'],
  CHECKBOX: ['TEXT', 'TEXT_LONG'],
  SELECTION: ['SELECTION_MULTI'],
};

/** The types that a field can change to: those that accept its values, if posts have any. */
export function typesAfter(type: FieldType, isUsed: boolean): readonly FieldType[] {
  return isUsed ? [type, ...(wider[type] ?? [])] : fieldTypes;
}

async function requireTypeChange(tx: Tx, field: Field, type: FieldType): Promise<void> {
  if (typesAfter(field.type, true).includes(type)) return;
  if (await isUsed(tx, field)) throw conflict(msg('fieldTypeUnfit', type));
}

function requireKnown(fields: readonly Field[], id: string): Field {
  const field = fields.find((other) => other.id === id);
  if (!field) throw notFound('Field');
  return field;
}

function requireFreeLabel(fields: readonly Field[], label: string, ownId?: string): void {
  const other = fields.find((field) => field.id !== ownId && field.label_folded === label.toLowerCase());
  if (other) throw conflict(msg('fieldNameTaken', other.label));
}
