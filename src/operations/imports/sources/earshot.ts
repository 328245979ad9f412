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
  status?: { name?: unknown; type?: unknown; postVisibility?: unknown } | null;
  tags?: unknown;
  moderationStatus?: unknown;
  properties?: unknown;
  author?: unknown;
  user?: unknown;
  mergedIntoId?: unknown;
  dateCreated?: unknown;
};

const WRITTEN = ['BASIC', 'INTERNAL', 'OFFICIAL'] as const;
const VISIBILITIES = ['PUBLIC', 'TEAM', 'HIDDEN'] as const;

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
  // Here it would be public.
  if ((row.moderationStatus ?? 'APPROVED') !== 'APPROVED')
    throw new RangeError('What waits for approval or was rejected is not imported');
  if (row.row === 'post') {
    const { status } = row;
    const tags = listOf(row.tags).map(rowOf);
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
      statusVisibility: VISIBILITIES.find((known) => known === status?.postVisibility),
      tags: tags.map(({ name }) => textOf(name)),
      privateTags: tags.filter(({ isPrivate }) => isPrivate === true).map(({ name }) => textOf(name)),
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
  } else if (row.row === 'changelogEntry') throw new RangeError('Entries of the changelog are not imported');
  else throw new RangeError('This is not a line of an export');
}
