import { Readable } from 'node:stream';
import { makeFileFolder } from '../../src/feedback/files/folder.ts';
import { type ImportOptions, type ImportReport, importItems } from '../../src/operations/imports/import.ts';
import type { ImportedPost, ImportItem } from '../../src/operations/imports/items.ts';
import type { TestApp } from './app.ts';

/** An idea as a source has it, of which only the id is needed. */
export function importedIdea({ id, ...given }: Partial<ImportedPost> & { id: string }): ImportedPost {
  const nothing = { text: null, author: null, dateCreated: null, status: null, tags: [] };
  return { kind: 'post', line: 1, title: `Idea ${id}`, ...nothing, ...given, id };
}

/** Imports items as those of a CSV file. */
export function importAll(
  { db, clock, board, dataDir }: TestApp,
  items: readonly ImportItem[],
  options: Partial<ImportOptions> = {},
): Promise<ImportReport> {
  const context = { db, clock, board, baseUrl: 'http://board.test' };
  return importItems(context, 'csv', Readable.from(items), {
    isPlan: false,
    folder: makeFileFolder(dataDir),
    ...options,
  });
}

/** Imports ideas as those of a CSV file. */
export function importIdeas(app: TestApp, ideas: readonly Parameters<typeof importedIdea>[0][]): Promise<ImportReport> {
  return importAll(app, ideas.map(importedIdea));
}
