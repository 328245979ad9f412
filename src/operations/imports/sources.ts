import { ImportError, type ImportItem, type ImportItems, type SourceName, type TableSource } from './items.ts';
import { firstLook, type Look } from './memory.ts';
import { kindOf, recognizeFile } from './recognizing.ts';
import type { Remote } from './remote.ts';
import { readCanny } from './sources/canny.ts';
import { readEarshot } from './sources/earshot.ts';
import { readFiderApi } from './sources/fider-api.ts';
import { readFiderBackup } from './sources/fider-backup.ts';
import { readFiderCsv } from './sources/fider-csv.ts';
import { readGithub } from './sources/github-api.ts';
import { readGithubJson } from './sources/github-json.ts';
import { readMappedCsv } from './sources/mapped-csv.ts';
import { type Reader, readNoltApi } from './sources/nolt-api.ts';
import { readNoltCsv } from './sources/nolt-csv.ts';
import type { TableReading } from './sources/survey.ts';
import { readTrelloJson } from './sources/trello-json.ts';
import { readUserVoice } from './sources/uservoice.ts';

/** What a source needs to know besides its place. */
export type SourceOptions = {
  /** How a table is read whose columns can be anything; it is looked at if this is null. */
  reading: TableReading | null;
  /** For APIs: how they are reached, their keys, and what is read of them. */
  remote: Remote;
  keys: { canny: string; fider: string; github: string; nolt: string };
  /** The name or id of a board of the other product. */
  board: string | undefined;
  /** Who reads the GraphQL API of another board; null: whom its key stands for. */
  reader: Reader | null;
};

/** Whether a source is at an address of the web. */
export function isUrl(place: string): boolean {
  return /^https?:\/\//i.test(place);
}

/**
 * The items of a file, or of the API at an address; of that, what a look at it takes.
 * @throws ImportError if the source cannot be of this kind
 */
export function openSource(
  from: SourceName,
  place: string,
  options: SourceOptions,
  look: Look = firstLook(),
): ImportItems {
  if (!isUrl(place)) return openFile(from, place, options);
  const { remote, keys, board, reader } = options;
  const source = { remote, url: place };
  switch (from) {
    case 'canny':
      return readCanny({ ...source, apiKey: requireKey('CANNY_API_KEY', keys.canny), board }, look);
    case 'fider':
      return readFiderApi({ ...source, apiKey: keys.fider }, look);
    case 'github':
      return readGithub({ ...source, token: keys.github }, look);
    case 'nolt':
      return readNoltApi({ ...source, apiKey: requireKey('NOLT_API_KEY', keys.nolt), reader });
    default:
      throw new ImportError(`An address is read --from canny, fider, github or nolt; --from ${from} reads a file`);
  }
}

/** How a file is read. `maxTableBytes`: the most that JSON may have that is read as a whole, as each table of a backup is. */
type FileOptions = Pick<SourceOptions, 'reading'> & { remote: Pick<Remote, 'get'>; maxTableBytes?: number };

/** The items of a file. @throws ImportError */
export function openFile(from: SourceName, file: string, options: FileOptions): ImportItems {
  if (from === 'earshot' || from === 'nolt' || from === 'fider') return readers[from](file, options);
  return readAnyTable(from, file, options);
}

function requireKey(name: string, key: string): string {
  if (key !== '') return key;
  throw new ImportError(`The API needs a key: set the environment variable ${name}`);
}

type FileReader = (file: string, options: FileOptions) => AsyncGenerator<ImportItem>;

const readers: Record<Exclude<SourceName, TableSource>, FileReader> = {
  earshot: readEarshot,
  fider: readFider,
  nolt: readNoltCsv,
};

async function* readAnyTable(from: TableSource, file: string, options: FileOptions): AsyncGenerator<ImportItem> {
  const { maxTableBytes } = options;
  const kind = options.reading ? 'table' : await kindOf(file);
  if (from === 'github' && kind === 'issues') return yield* readGithubJson(file, maxTableBytes);
  if (from === 'trello' && kind === 'cards') return yield* readTrelloJson(file, maxTableBytes);
  const reading = options.reading ?? (await recognizeFile(file, { from })).reading;
  yield* reading ? readMappedCsv(file, reading) : readUserVoice(file);
}

async function* readFider(file: string, { maxTableBytes }: FileOptions): AsyncGenerator<ImportItem> {
  const isBackup = file.toLowerCase().endsWith('.zip') || (await kindOf(file)) === 'zip';
  yield* isBackup ? readFiderBackup(file, maxTableBytes) : readFiderCsv(file);
}
