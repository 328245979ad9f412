import { sql } from 'kysely';
import { lockBoard } from '../../identity/board/board.ts';
import type { ActorContext, ViewerContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { isOneOf, prepare, tableOf } from '../../platform/db/prepare.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import type { PostKey, PostRow } from '../posts/posts.ts';
import { type Field, listFields, readFields, visibleFields } from './fields.ts';
import { keyOfValue, parseValues } from './values.ts';

/**
 * The values that a client sets in a field of a post: `parent` is the field's id, and an empty list clears the field.
 */
export type PropertyInput = { parent: string; values: readonly (string | null | undefined)[] };

/** Properties from outside; nulls are ignored. */
export type PropertyInputs = readonly (PropertyInput | null | undefined)[];

/** Which fields the author of a post is asked for, so that required ones need a value. */
export type FieldsAsked = 'ALL' | 'ON_FORM' | 'NONE';

/** The values of a post in a field: at least one. */
export type Property = { postId: string; field: Field; values: readonly string[] };

/** Values that fit the field as it is at this revision. */
export type FieldValues = { field: Field; values: readonly string[] };

/**
 * The properties of a post from outside. A field that the actor may not see is treated as not found.
 * @param asks which fields that are required and not named are missing
 * @throws NOT_FOUND for an unknown field, BAD_REQUEST for values that do not fit or are missing
 */
export async function parseProperties(
  tx: Tx,
  { board, actor }: ActorContext,
  inputs: PropertyInputs,
  { asks }: { asks: FieldsAsked },
): Promise<FieldValues[]> {
  const input = inputs.filter((property) => property != null);
  if (input.length === 0 && asks === 'NONE') return [];
  const fields = visibleFields(await readFields(tx, board.id), actor);
  const parents = input.map(({ parent }) => parent);
  if (new Set(parents).size < parents.length) throw badRequest('properties names a field more than once', 'properties');
  const given = input.map(({ parent, values }) => {
    const field = fields.find(({ id }) => id === parent);
    if (!field) throw notFound('Field');
    return { field, values: parseValues(field, values) };
  });
  const isEmpty = (field: Field) => {
    const values = given.find((property) => property.field === field)?.values;
    if (values) return values.length === 0;
    return asks === 'ALL' || (asks === 'ON_FORM' && field.is_on_form === 1);
  };
  const missing = fields.find((field) => field.is_required === 1 && isEmpty(field));
  if (missing) throw badRequest(msg('fieldNeedsValue', missing.label), 'properties');
  return given;
}

/** Writes the properties of a new post, for a caller who has locked the board. */
export async function addProperties(tx: Tx, post: PostKey, properties: readonly FieldValues[]): Promise<void> {
  const rows = properties.flatMap(({ field, values }) =>
    values.map((value, position) => ({
      field_id: field.id,
      revision: field.revision,
      position,
      value,
      value_key: keyOfValue(field, value),
    })),
  );
  if (rows.length === 0) return;
  const types = {
    field_id: 'text',
    revision: 'integer',
    position: 'integer',
    value: 'text',
    value_key: 'text',
  } as const;
  // Nothing is written to fields that were changed or deleted since the values were checked.
  const { rows: written } = await sql`
    insert into post_properties (board_id, post_id, field_id, position, value, value_key)
    select ${post.board_id}, ${post.id}, given.field_id, given.position, given.value, given.value_key
    from ${tableOf(tx, 'given', types, JSON.stringify(rows))}
    join fields on fields.board_id = ${post.board_id} and fields.id = given.field_id
      and fields.revision = given.revision
    returning position`.execute(tx);
  if (written.length < rows.length) throw conflict(msg('changedMeanwhile'));
}

/** Sets new values in these fields of a locked post; other fields keep theirs. */
export async function replaceProperties(tx: Tx, post: PostRow, properties: readonly FieldValues[]): Promise<void> {
  if (properties.length === 0) return;
  const fieldIds = properties.map(({ field }) => field.id);
  await lockBoard(tx, post.board_id);
  const ofPost = tx.deleteFrom('post_properties').where('board_id', '=', post.board_id).where('post_id', '=', post.id);
  await ofPost.where(isOneOf(tx, 'field_id', fieldIds)).execute();
  await addProperties(tx, post, properties);
}

const valuesOfPosts = prepare<
  { boardId: string; postIds: readonly string[] },
  { post_id: string; field_id: string; value: string }
>((reader, param) =>
  reader
    .selectFrom('post_properties')
    .select(['post_id', 'field_id', 'value'])
    .where('board_id', '=', param('boardId'))
    .where(isOneOf(reader, 'post_id', param('postIds')))
    .orderBy('post_id')
    .orderBy('field_id')
    .orderBy('position'),
);

/** Before the id of a field, in the name of a property with the values of a post. */
const FIELD = 'field:';

/** The name that operations give to the values of a post in a field. */
export function nameOfField(fieldId: string): `field:${string}` {
  return `${FIELD}${fieldId}`;
}

/** The field whose values a property of a post has; null for another property. */
export function fieldOfName(name: string): string | null {
  return name.startsWith(FIELD) ? name.slice(FIELD.length) : null;
}

/** The values of a post in one field; null if there are none. */
export async function findValues(tx: Tx, post: PostKey, fieldId: string): Promise<string[] | null> {
  const rows = await valuesOfPosts(tx, { boardId: post.board_id, postIds: [post.id] });
  const values = rows.filter((row) => row.field_id === fieldId).map((row) => row.value);
  return values.length > 0 ? values : null;
}

/** The values of posts in the fields that `viewer` may see, by the post's id; posts without any are missing. */
export async function findPropertiesOfPosts(
  { db, board, actor }: ViewerContext,
  postIds: readonly string[],
): Promise<Map<string, Property[]>> {
  const fields = await listFields(db.read, board.id, actor);
  return fields.length === 0 ? new Map() : readProperties(db.read, board.id, postIds, fields);
}

/** As `findPropertiesOfPosts`, for fields that have already been read. */
export async function readProperties(
  reader: Reader,
  boardId: string,
  postIds: readonly string[],
  fields: readonly Field[],
): Promise<Map<string, Property[]>> {
  const rows = Map.groupBy(await valuesOfPosts(reader, { boardId, postIds }), (row) => row.post_id);
  return new Map(
    [...rows].map(([postId, ofPost]) => [
      postId,
      fields.flatMap((field) => {
        const values = ofPost.filter((row) => row.field_id === field.id).map((row) => row.value);
        return values.length > 0 ? [{ postId, field, values }] : [];
      }),
    ]),
  );
}
