import type { ImportItem } from '../items.ts';
import { readLines } from '../lines.ts';
import { parseDate } from '../values.ts';
import { boardUserOf } from './board-user.ts';
import { caught } from './problems.ts';
import { listOf, rowOf, textOf } from './rows.ts';

/** A line of an export, of which only what is used is described; it is from outside, so nothing is certain. */
type Line = {
  row?: unknown;
  id?: unknown;
  postId?: unknown;
  parentId?: unknown;
  type?: unknown;
  title?: unknown;
  text?: unknown;
  status?: { name?: unknown; type?: unknown } | null;
  tags?: unknown;
  properties?: unknown;
  author?: unknown;
  user?: unknown;
  mergedIntoId?: unknown;
  dateCreated?: unknown;
};

const WRITTEN = ['BASIC', 'INTERNAL', 'OFFICIAL'] as const;

/** The JSONL export of Earshot, without files. */
export async function* readEarshot(file: string): AsyncGenerator<ImportItem> {
  for await (const { line, text } of readLines(file)) yield* caught(line, () => itemsOf(line, parseLine(text)));
}

function parseLine(text: string): Line {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {}
  throw new RangeError('This is not a line of an export');
}

function* itemsOf(line: number, row: Line): Generator<ImportItem> {
  const id = textOf(row.id);
  const dateCreated = parseDate(textOf(row.dateCreated));
  const postId = textOf(row.postId);
  const text = textOf(row.text);
  if (row.row === 'post') {
    const { status } = row;
    yield {
      ...{ kind: 'post', line, id, title: textOf(row.title), text: text || null, dateCreated },
      author: boardUserOf(row.author),
      status: status?.type === 'MERGED' ? null : textOf(status?.name) || null,
      fields: listOf(row.properties)
        .map(rowOf)
        .map(({ label, names, values }) => ({
          label: textOf(label),
          values: listOf(names ?? values).map(textOf),
        })),
      tags: Array.isArray(row.tags) ? row.tags.map((tag) => textOf(tag?.name)) : [],
    };
    const targetId = textOf(row.mergedIntoId);
    if (targetId !== '') yield { kind: 'merge', line, postId: id, targetId };
  } else if (row.row === 'comment') {
    const type = WRITTEN.find((written) => written === row.type);
    const parentId = textOf(row.parentId) || null;
    if (type)
      yield { kind: 'comment', line, id, postId, parentId, type, text, author: boardUserOf(row.user), dateCreated };
  } else if (row.row === 'vote') {
    const voter = boardUserOf(row.user);
    if (voter && row.type === 'UP') yield { kind: 'vote', line, postId, voter, dateCreated };
  } else throw new RangeError('This is not a line of an export');
}
