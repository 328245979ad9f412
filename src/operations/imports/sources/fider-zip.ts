import { buffer } from 'node:stream/consumers';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { MAX_FILE_BYTES } from '../../../feedback/files/files.ts';
import { ImportError } from '../items.ts';
import { MAX_JSON_BYTES, parseJson, requireSize } from './json.ts';
import type { Row } from './rows.ts';

const MAX_ENTRIES = 200_000;
const TABLES = ['users', 'posts', 'comments', 'post_votes', 'tags', 'post_tags', 'attachments'] as const;
const PICTURES = 'blobs/attachments/';
type Table = (typeof TABLES)[number];

/** Tables as Fider writes them: columns by their name; texts that look like numbers are numbers. */
export type Tables = Readonly<Record<Table, readonly Row[]>>;
/** What a backup has: its tables, and where its pictures are. */
export type Backup = { tables: Tables; pictures: ReadonlyMap<string, Entry> };

/**
 * The tables of a backup, and where its pictures are.
 * @param maxBytes that each table may unpack to
 * @throws ImportError
 */
export async function readBackup(file: string, maxBytes = MAX_JSON_BYTES): Promise<Backup> {
  const zip = await openPromise(file).catch((error: Error) => {
    throw new ImportError(`The file is not a complete ZIP file: ${error.message}`);
  });
  const tables = new Map<string, readonly Row[]>();
  const pictures = new Map<string, Entry>();
  for await (const entry of entriesOf(zip)) {
    const { fileName } = entry;
    if (fileName.startsWith(PICTURES)) pictures.set(fileName, entry);
    const table = TABLES.find((name) => fileName === `${name}.json`);
    if (!table) continue;
    if (tables.has(table)) throw new ImportError(`The ZIP file has ${fileName} twice`);
    tables.set(table, await readRows(zip, entry, maxBytes));
  }
  const missing = ['users', 'posts'].filter((table) => !tables.has(table));
  if (missing.length > 0)
    throw new ImportError(`The ZIP file has no ${missing.join('.json, ')}.json: it is no backup of Fider`);
  return { tables: Object.fromEntries(TABLES.map((name) => [name, tables.get(name) ?? []])) as Tables, pictures };
}

/** A picture of a backup. The file is opened again: its reading has ended by then. @throws RangeError */
export async function readPicture(file: string, entry: Entry): Promise<Buffer> {
  if (entry.uncompressedSize > MAX_FILE_BYTES) throw new RangeError('it is larger than 10 MiB');
  const zip = await openPromise(file, { autoClose: false });
  try {
    return await buffer(await zip.openReadStreamPromise(entry));
  } catch (error) {
    throw new RangeError(`it cannot be unpacked: ${(error as Error).message}`);
  } finally {
    zip.close();
  }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  let entries = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      if (++entries > MAX_ENTRIES)
        throw new ImportError(`The ZIP file has over ${MAX_ENTRIES.toLocaleString('en')} files`);
      yield entry;
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`The ZIP file cannot be read: ${(error as Error).message}`);
  }
}

/** The size is that in the directory, which the reader enforces while it unpacks. */
async function readRows(zip: ZipFile, entry: Entry, maxBytes: number): Promise<Row[]> {
  const { fileName, uncompressedSize } = entry;
  requireSize(fileName, uncompressedSize, maxBytes);
  const bytes = await zip
    .openReadStreamPromise(entry)
    .then(buffer)
    .catch((error: Error) => {
      throw new ImportError(`${fileName} cannot be read: ${error.message}`);
    });
  const rows = parseJson(fileName, bytes, maxBytes);
  if (Array.isArray(rows) && rows.every((row) => typeof row === 'object' && row !== null)) return rows;
  throw new ImportError(`${fileName} is not a list of rows`);
}
