import { parseDate } from '../dates.ts';
import type { ImportItem } from '../items.ts';
import { readTable } from '../table.ts';
import { parseNames, personOf } from '../values.ts';
import { caught } from './bounds.ts';
import { byName, keyOf, type NamedRow } from './columns.ts';
import { answersTo } from './fider-backup.ts';

const NEEDED = ['number', 'title', 'description', 'created_at', 'created_by', 'status'] as const;
type Column =
  | (typeof NEEDED)[number]
  | 'votes_count'
  | 'responded_by'
  | 'responded_at'
  | 'response'
  | 'original_number'
  | 'tags';

/** Whether a header is that of Fider. */
export function isFiderCsv(header: readonly string[]): boolean {
  const keys = new Set(header.map(keyOf));
  return NEEDED.every((name) => keys.has(keyOf(name)));
}

/** The `posts.csv` of Fider. It has the names of people, and no voters or comments; those are in `backup.zip`. */
export async function* readFiderCsv(file: string): AsyncGenerator<ImportItem> {
  for await (const row of byName<Column>(readTable(file), NEEDED)) yield* caught(row.line, () => itemsOf(row));
}

function* itemsOf({ line, get }: NamedRow<Column>): Generator<ImportItem> {
  const id = get('number').trim();
  const status = get('status').trim().toLowerCase();
  if (status === 'deleted') return;
  yield {
    kind: 'post',
    line,
    id,
    title: get('title'),
    text: get('description') || null,
    author: personOf({ name: get('created_by') }),
    dateCreated: parseDate(get('created_at')),
    status: status === 'duplicate' ? null : status,
    tags: parseNames(get('tags')),
  };
  const count = Number.parseInt(get('votes_count'), 10) || 0;
  if (count > 0 && status !== 'duplicate') yield { kind: 'voteCount', line, postId: id, count };
  yield* answersTo(id, {
    line,
    text: get('response'),
    author: personOf({ name: get('responded_by') }),
    dateCreated: parseDate(get('responded_at')),
  });
  const targetId = get('original_number').trim();
  if (targetId !== '') yield { kind: 'merge', line, postId: id, targetId };
}
