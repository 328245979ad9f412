import type { SourceName } from './items.ts';
import { isFiderCsv } from './sources/fider-csv.ts';
import { isNoltCsv } from './sources/nolt-csv.ts';
import { readHead, readHeader } from './table.ts';

/**
 * Which product a file was exported from, by its bytes and columns; a CSV file with columns of its own is `csv`.
 * @throws ImportError if it is none of them
 */
export async function recognizeSource(file: string): Promise<SourceName> {
  const kind = await kindOf(file);
  if (kind === 'zip') return 'fider';
  if (kind === 'jsonl') return 'earshot';
  const header = await readHeader(file);
  if (isNoltCsv(header)) return 'nolt';
  return isFiderCsv(header) ? 'fider' : 'csv';
}

/** What a file is, by its first bytes. */
export async function kindOf(file: string): Promise<'zip' | 'jsonl' | 'table'> {
  const head = await readHead(file);
  if (head.subarray(0, 2).toString('latin1') === 'PK') return 'zip';
  return head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
    .startsWith('{')
    ? 'jsonl'
    : 'table';
}
