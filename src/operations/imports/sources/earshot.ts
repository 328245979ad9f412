import { changelogLabels } from '../../../feedback/changelog/entries.ts';
import { MAX_LINKED_POSTS } from '../../../feedback/changelog/linking.ts';
import type { ImportedFile, ImportItem } from '../items.ts';
import { readLines } from '../lines.ts';
import type { Remote } from '../remote.ts';
import { parseDate } from '../values.ts';
import { filesIn } from './board-files.ts';
import { boardUserOf } from './board-user.ts';
import { caught } from './problems.ts';
import { listOf, type Row, rowOf, textOf } from './rows.ts';

const WRITTEN = ['BASIC', 'INTERNAL', 'OFFICIAL'] as const;
const TYPES = ['UP', 'DOWN'] as const;
const VISIBILITIES = ['PUBLIC', 'TEAM', 'HIDDEN'] as const;

/** The JSONL export of Earshot. Its files are downloaded from the board that it is from. */
export async function* readEarshot(
  file: string,
  { remote }: { remote: Pick<Remote, 'get'> },
): AsyncGenerator<ImportItem> {
  for await (const { line, text } of readLines(file)) yield* caught(line, () => itemsOf(remote, line, parseLine(text)));
}

function parseLine(text: string): Row {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return rowOf(value);
  } catch {}
  throw new RangeError('This is not a line of an export');
}

function itemsOf(remote: Pick<Remote, 'get'>, line: number, row: Row): Iterable<ImportItem> {
  // Here it would be public.
  if ((row.moderationStatus ?? 'APPROVED') !== 'APPROVED')
    throw new RangeError('What waits for approval or was rejected is not imported');
  const parts = {
    ...{ line, id: textOf(row.id), dateCreated: dateOf(row.dateCreated) },
    files: filesIn(remote, row.files),
  };
  const kind = textOf(row.row);
  if (kind === 'post') return postOf(parts, row);
  if (kind === 'comment') return commentOf(parts, row);
  if (kind === 'vote') return voteOf(parts, row);
  if (kind === 'changelogEntry') return entryOf(parts, row);
  throw new RangeError('This is not a line of an export');
}

/** What all kinds of lines have. */
type Parts = { line: number; id: string; dateCreated: number | null; files: readonly ImportedFile[] };

function* postOf(parts: Parts, row: Row): Generator<ImportItem> {
  const { line, id } = parts;
  const status = rowOf(row.status);
  const tags = listOf(row.tags).map(rowOf);
  yield {
    ...{ kind: 'post', ...parts, title: textOf(row.title), text: textOf(row.text) || null },
    author: boardUserOf(row.author),
    status: status.type === 'MERGED' ? null : textOf(status.name) || null,
    fields: listOf(row.properties)
      .map(rowOf)
      .map(({ label, names, values }) => ({ label: textOf(label), values: listOf(names ?? values).map(textOf) })),
    statusVisibility: VISIBILITIES.find((known) => known === status.postVisibility),
    tags: tags.map(({ name }) => textOf(name)),
    privateTags: tags.filter(({ isPrivate }) => isPrivate === true).map(({ name }) => textOf(name)),
    isPinned: row.isPinned === true,
    expected: textOf(row.expected),
  };
  const targetId = textOf(row.mergedIntoId);
  if (targetId !== '') yield { kind: 'merge', line, postId: id, targetId };
  if (row.isLocked === true) yield { kind: 'lock', line, postId: id };
}

function* commentOf(parts: Parts, row: Row): Generator<ImportItem> {
  const type = WRITTEN.find((written) => written === row.type);
  const place = { postId: textOf(row.postId), parentId: textOf(row.parentId) || null };
  if (type) yield { kind: 'comment', ...parts, ...place, type, text: textOf(row.text), author: boardUserOf(row.user) };
}

function* voteOf({ line, dateCreated }: Parts, row: Row): Generator<ImportItem> {
  const voter = boardUserOf(row.user);
  const type = TYPES.find((known) => known === row.type);
  if (voter && type) yield { kind: 'vote', line, postId: textOf(row.postId), voter, type, dateCreated };
}

function* entryOf(parts: Parts, row: Row): Generator<ImportItem> {
  const given = listOf(row.labels);
  yield {
    ...{ kind: 'entry', ...parts, title: textOf(row.title), text: textOf(row.text), author: boardUserOf(row.author) },
    labels: changelogLabels.filter((label) => given.includes(label)),
    postIds: listOf(row.postIds)
      .slice(0, MAX_LINKED_POSTS + 1)
      .map(textOf),
    datePublished: dateOf(row.datePublished),
    dateScheduled: dateOf(row.dateScheduled),
  };
}

function dateOf(value: unknown): number | null {
  return parseDate(textOf(value));
}
