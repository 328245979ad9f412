import { sql } from 'kysely';
import type { ViewerContext } from '../../identity/users/request-context.ts';
import type { Reader } from '../../platform/db/db.ts';
import { tableOf } from '../../platform/db/prepare.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import { findableLine } from '../../platform/texts/text.ts';
import type { PostFilter } from '../posts/filter.ts';
import { type Field, isSelection, listFields } from './fields.ts';
import { findOption } from './options.ts';
import { keyOfValue, parseValue } from './values.ts';

type Maybe<T> = T | null | undefined;

/** A filter by what posts have in a field: `is` is a value, `empty` `true` for posts without one and `false` for others. */
export type FieldFilter = { label?: Maybe<string>; is?: Maybe<string>; empty?: Maybe<string> };

/** Posts with a rare value are found by it; posts with a common one, while scanning the list. */
const RARE_VALUE_POSTS = 5_000;

type Asked = { field: Field; keys: string[]; isEmpty: boolean | null };

/**
 * Makes a filter from a client's conditions on fields. Filters on the same field widen the selection, filters on
 * different fields narrow it.
 * @throws NOT_FOUND for a field that the actor may not see, BAD_REQUEST for a condition that the field does not
 * support
 */
export async function chooseProperties(
  { db, board, actor }: ViewerContext,
  filters: readonly FieldFilter[],
): Promise<PostFilter> {
  if (filters.length === 0) return {};
  const fields = await listFields(db.read, board.id, actor);
  const asked = new Map<string, Asked>();
  for (const filter of filters) {
    const field = requireField(fields, filter.label);
    asked.set(field.id, widen(asked.get(field.id) ?? { field, keys: [], isEmpty: null }, filter));
  }
  const ids = (isEmpty: boolean) => [...asked.values()].filter((a) => a.isEmpty === isEmpty).map((a) => a.field.id);
  const valued = [...asked.values()].filter((a) => a.isEmpty === null);
  return {
    ...(ids(true).length > 0 && { emptyFieldIds: ids(true) }),
    ...(ids(false).length > 0 && { filledFieldIds: ids(false) }),
    ...(valued.length > 0 && (await chooseValues(db.read, board.id, valued))),
  };
}

function requireField(fields: readonly Field[], label: Maybe<string>): Field {
  if (label == null) throw badRequest('A FIELD filter needs `label`: the label of a field', 'filters');
  const folded = findableLine(label)?.toLowerCase();
  const field = fields.find((other) => other.label_folded === folded);
  if (!field) throw notFound('Field');
  return field;
}

function widen(before: Asked, { is, empty }: FieldFilter): Asked {
  if (empty != null && empty !== 'true' && empty !== 'false') {
    throw badRequest('`empty` of a FIELD filter is "true" or "false"', 'filters');
  }
  if (is == null && empty == null) throw badRequest('A FIELD filter needs `is` or `empty`', 'filters');
  const isEmpty = is == null ? empty === 'true' : null;
  const isFirst = before.keys.length === 0 && before.isEmpty === null;
  if ((is != null && empty === 'true') || (!isFirst && before.isEmpty !== isEmpty)) {
    throw badRequest(
      `The filters on "${before.field.label}" combine \`is\` and \`empty\`: use only one of them`,
      'filters',
    );
  }
  return { ...before, isEmpty, keys: is == null ? [] : [...before.keys, keyOfAsked(before.field, is)] };
}

/** The key of a value as clients write it. No post has a value that the field cannot hold. */
function keyOfAsked(field: Field, is: string): string {
  if (isSelection(field.type)) return keyOfValue(field, findOption(field.options, is)?.id ?? '');
  try {
    return keyOfValue(field, parseValue(field, is));
  } catch {
    return keyOfValue(field, '');
  }
}

async function chooseValues(reader: Reader, boardId: string, valued: readonly Asked[]): Promise<PostFilter> {
  const keys = valued.flatMap((asked) => asked.keys);
  const counts = await countPostsWith(reader, boardId, keys);
  const countOf = (asked: Asked) => asked.keys.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0);
  const rarest = valued.reduce((a, b) => (countOf(b) < countOf(a) ? b : a));
  const isRare = countOf(rarest) <= RARE_VALUE_POSTS;
  const others = valued.filter((asked) => !isRare || asked !== rarest);
  return {
    ...(isRare && { rarePropertyKeys: rarest.keys }),
    ...(others.length > 0 && { propertyKeys: others.map((asked) => asked.keys) }),
  };
}

/** Number of posts with each value, up to the number that matters. */
async function countPostsWith(reader: Reader, boardId: string, keys: readonly string[]): Promise<Map<string, number>> {
  const given = tableOf(reader, 'given', { key: 'text' }, JSON.stringify(keys.map((key) => ({ key }))));
  const { rows } = await sql<{ key: string; count: number }>`
    select given.key, (
      select count(*) from (
        select 1 from post_properties where board_id = ${boardId} and value_key = given.key
        limit ${RARE_VALUE_POSTS + 1}
      ) as found
    ) as count
    from ${given}`.execute(reader);
  return new Map(rows.map(({ key, count }) => [key, count]));
}
