import type { Reader } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import type { Field } from './fields.ts';
import { keyOfValue } from './values.ts';

/** The numbers of posts that are not deleted: with a value in each field, and with each of its options, by their ids. */
export type FieldCounts = { fields: Map<string, number>; options: Map<string, Map<string, number>> };

/** Counts how many posts have values in fields of one board: for admins, who see all posts. It reads every value. */
export async function countValues(reader: Reader, boardId: string, fields: readonly Field[]): Promise<FieldCounts> {
  const values = reader
    .selectFrom('post_properties as v')
    .innerJoin('posts as p', (join) => join.onRef('p.board_id', '=', 'v.board_id').onRef('p.id', '=', 'v.post_id'))
    .where('v.board_id', '=', boardId)
    .where('p.date_deleted', 'is', null);
  const ofFields = await values
    .where(
      isOneOf(
        reader,
        'v.field_id',
        fields.map(({ id }) => id),
      ),
    )
    .select((e) => ['v.field_id', e.fn.count<number>('v.post_id').distinct().as('count')])
    .groupBy('v.field_id')
    .execute();
  const keys = fields.flatMap((field) => field.options.map(({ id }) => keyOfValue(field, id)));
  const ofOptions = await values
    .where(isOneOf(reader, 'v.value_key', keys))
    .select((e) => ['v.value_key', e.fn.countAll<number>().as('count')])
    .groupBy('v.value_key')
    .execute();
  const byKey = new Map(ofOptions.map(({ value_key, count }) => [value_key, Number(count)]));
  return {
    fields: new Map(ofFields.map(({ field_id, count }) => [field_id, Number(count)])),
    options: new Map(
      fields.map((field) => [
        field.id,
        new Map(field.options.map(({ id }) => [id, byKey.get(keyOfValue(field, id)) ?? 0])),
      ]),
    ),
  };
}
