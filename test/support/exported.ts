import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandLine } from './command-line.ts';

/** A line of an export. */
export type Exported = { kind: string; [name: string]: unknown };

/** What the board has, as its JSONL export says. */
export async function exported(line: CommandLine, board = 'acme'): Promise<Exported[]> {
  const rows = readFileSync(await exportTo(line, board, 'jsonl'), 'utf8');
  return rows
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text));
}

/** Exports a board. @returns the file */
export async function exportTo(line: CommandLine, board: string, format: string): Promise<string> {
  const file = join(line.place.dataDir, `${board}.${format}`);
  await line.json('export', '--format', format, '--comments', '--votes', '--board', board, '--out', file);
  return file;
}

/** Types of comments that people write. */
export const WRITTEN = ['BASIC', 'INTERNAL', 'OFFICIAL'];

/** What an import is to keep of an export: everything but ids, numbers and the history. */
export function essence(rows: readonly Exported[]) {
  const titles = new Map(rows.filter(({ row }) => row === 'post').map(({ id, title }) => [id, title]));
  const person = (of: unknown) =>
    (of as { name: string | null; email: string | null } | null)?.email ?? (of as { name: string })?.name;
  return rows
    .filter(({ row, type }) => row !== 'comment' || WRITTEN.includes(String(type)))
    .map((row) => ({
      row: row.row,
      on: titles.get(row.postId),
      title: row.title,
      text: row.text,
      type: row.type,
      by: person(row.author ?? row.user),
      upvotes: row.upvoteCount,
      comments: row.commentCount,
      status: (row.status as { name: string } | undefined)?.name,
      created: row.dateCreated,
      tags: (row.tags as { name: string }[] | undefined)?.map(({ name }) => name).sort(),
      mergedInto: titles.get(row.mergedIntoId),
      isLocked: row.isLocked,
      isPinned: row.isPinned,
      expected: row.expected,
      downvotes: row.downvoteCount,
      files: (row.files as { name: string; size: number }[] | undefined)?.map(({ name, size }) => [name, size]),
      reaction: row.reaction,
      reactions: row.reactions,
      moderation: row.moderationStatus,
      to: rows.find(({ id }) => id !== undefined && id === (row.commentId ?? row.entryId))?.text,
      labels: row.labels,
      published: row.datePublished,
      scheduled: row.dateScheduled,
      links: (row.postIds as string[] | undefined)?.map((id) => titles.get(id)).sort(),
      parent: rows.find(({ id }) => id === row.parentId)?.text,
    }))
    .map((row) => JSON.stringify(row))
    .sort();
}
