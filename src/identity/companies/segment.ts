import type { Reader } from '../../platform/db/db.ts';
import { notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/lib/ids.ts';
import type { SegmentFilter } from './conditions.ts';

export type SegmentRow = {
  board_id: string;
  id: string;
  name: string;
  /** The name in lower case of every script: no two segments of a board have the same. */
  name_folded: string;
  /** JSON of `SegmentFilter`. */
  filter: string;
  date_created: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    segments: SegmentRow;
  }
}

/** A saved filter over the attributes of people and of their companies. */
export type Segment = { id: string; name: string; filter: SegmentFilter };

/** A row as what it stands for. */
export function toSegment({ id, name, filter }: SegmentRow): Segment {
  return { id, name, filter: JSON.parse(filter) };
}

/** The row of the segment with this id; its caller checks the right. @throws NOT_FOUND */
export async function requireSegmentRow(reader: Reader, boardId: string, id: string): Promise<SegmentRow> {
  const query = reader.selectFrom('segments').selectAll().where('board_id', '=', boardId).where('id', '=', id);
  const row = isId(id) ? await query.executeTakeFirst() : undefined;
  if (!row) throw notFound('Segment');
  return row;
}
