import { ImportError, type SourceName, type TableSource } from './items.ts';
import { isFiderCsv } from './sources/fider-csv.ts';
import { isNoltCsv } from './sources/nolt-csv.ts';
import { surveyTable, type TableChoices, type TableReading } from './sources/survey.ts';
import { isUserVoice } from './sources/uservoice.ts';
import { examineTable, readHead, readHeader } from './table.ts';

/** What a file is read as; `reading` is null for formats that are always the same. */
export type Recognized = { source: SourceName; reading: TableReading | null };

/**
 * Which product a file was exported from, by its bytes and columns, and how it is read if it is a table whose columns can
 * be anything.
 * @param from the product, if a person has named it
 * @throws ImportError if it is none of them
 */
export async function recognizeFile(
  file: string,
  { from, ...choices }: TableChoices & { from?: SourceName | undefined } = {},
): Promise<Recognized> {
  const kind = await kindOf(file);
  if (kind === 'zip' && (await isWorkbook(file)))
    throw new ImportError('This is an Excel workbook: save it as “CSV UTF-8”, and import that');
  if (kind === 'issues' && (from ?? 'github') === 'github') return { source: 'github', reading: null };
  if (kind === 'cards' && (from ?? 'trello') === 'trello') return { source: 'trello', reading: null };
  if (from === 'earshot' || from === 'fider' || from === 'nolt') return { source: from, reading: null };
  if (kind === 'zip' && !from) return { source: 'fider', reading: null };
  if (kind === 'jsonl' && !from) return { source: 'earshot', reading: null };
  const isChosen = choices.meanings !== undefined || Object.keys(choices.mapping ?? {}).length > 0;
  const source = isChosen
    ? null
    : fixedSourceOf(await readHeader(file, await examineTable(file, choices.encoding)), from);
  if (source) return { source, reading: null };
  const reading = await surveyTable(file, { ...choices, source: from });
  return { source: reading.source, reading };
}

/** The source of a table whose columns are always the same. A table of UserVoice that is not named as such is `csv`. */
function fixedSourceOf(header: readonly string[], from: TableSource | undefined): SourceName | null {
  if (isUserVoice(header)) return from ?? 'csv';
  if (from) return null;
  if (isNoltCsv(header)) return 'nolt';
  return isFiderCsv(header) ? 'fider' : null;
}

/** Files of Office are ZIP files that begin with a list of what is in them. */
async function isWorkbook(file: string): Promise<boolean> {
  return /\[Content_Types\]\.xml|xl\//.test((await readHead(file)).toString('latin1'));
}

/** What a file is, by its first bytes. */
export async function kindOf(file: string): Promise<'zip' | 'jsonl' | 'issues' | 'cards' | 'table'> {
  const head = await readHead(file);
  if (head.subarray(0, 2).toString('latin1') === 'PK') return 'zip';
  const text = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (/^\[\s*\{/.test(text) && /"created_?at"/i.test(text) && text.includes('"title"')) return 'issues';
  if (!text.startsWith('{')) return 'table';
  return !/^\{\s*"row"/.test(text) && /"(?:idOrganization|idMemberCreator|nodeId|cards|prefs)"/.test(text)
    ? 'cards'
    : 'jsonl';
}
