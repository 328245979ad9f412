import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';

/** Where files are until they are whole. */
const PART = '.earshot-part';
/** Folders that are known not to be links: those that are being written, and those above them. */
const MAX_KNOWN = 100;
/** Characters of a long file that are written at a time. */
const PIECE = 65_536;

/** A folder of the export; whatever is in one that this run has made is of this run. */
type Place = { folder: string; isNew: boolean };

/**
 * The folder of an export. A file appears in it as a whole or not at all, whenever the process ends; and nothing is
 * written, read or removed through symbolic links. Small files are written three times as fast synchronously, and no
 * requests wait for it.
 */
export class SiteFolder {
  readonly root: string;
  readonly #known = new LRUCache<string, Place>({ max: MAX_KNOWN });
  #parts = 0;

  private constructor(root: string) {
    this.root = root;
  }

  /** Opens or creates a folder. @throws if it has other files than those of an export, which has `stateFile` */
  static open(path: string, stateFile: string): SiteFolder {
    mkdirSync(path, { recursive: true });
    const root = realpathSync(path);
    const names = readdirSync(root);
    const isOurs = names.includes(stateFile) || names.every((name) => name === PART);
    if (!isOurs) throw new Error(`${path} has files that are not of an export: choose an empty folder`);
    const folder = new SiteFolder(root);
    folder.#remove(PART);
    return folder;
  }

  /** Writes a file unless it is the same already. */
  write(path: string, content: string | Buffer): void {
    const { folder, isNew } = this.#placeOf(parentOf(path));
    const bytes = Buffer.from(content);
    const target = join(folder, nameOf(path));
    if (!isNew && isFile(target) && readFileSync(target).equals(bytes)) return;
    const part = this.#newPart();
    writeFileSync(part, bytes);
    renameSync(part, target);
  }

  /** Writes a file of any length, piece by piece. */
  async writeLong(path: string, texts: Iterable<string> | AsyncIterable<string>): Promise<void> {
    const part = this.#newPart();
    let piece = '';
    for await (const text of texts) {
      piece += text;
      if (piece.length < PIECE) continue;
      appendFileSync(part, piece);
      piece = '';
    }
    appendFileSync(part, piece);
    renameSync(part, this.#pathOf(path));
  }

  /** Whether there is a file. */
  has(path: string): boolean {
    return isFile(this.#pathOf(path));
  }

  /** Removes what a folder has, as far as it is not kept. */
  prune(path: string, isKept: (name: string) => boolean): void {
    const own = path.replace(/\/$/, '');
    for (const name of readdirSync(this.#placeOf(own).folder)) {
      if (!isKept(name)) this.#remove(join(own, name));
    }
  }

  /** Ends the work on the folder. */
  close(): void {
    this.#remove(PART);
  }

  #remove(path: string): void {
    for (const known of this.#known.keys()) if (`${known}/`.startsWith(`${path}/`)) this.#known.delete(known);
    rmSync(join(this.root, path), { recursive: true, force: true });
  }

  #newPart(): string {
    return join(this.#placeOf(PART).folder, String(this.#parts++));
  }

  #pathOf(path: string): string {
    return join(this.#placeOf(parentOf(path)).folder, nameOf(path));
  }

  #placeOf(path: string): Place {
    if (path === '') return { folder: this.root, isNew: false };
    const place = this.#known.get(path) ?? makeFolder(join(this.#placeOf(parentOf(path)).folder, nameOf(path)));
    this.#known.set(path, place);
    return place;
  }
}

function makeFolder(folder: string): Place {
  try {
    mkdirSync(folder);
    return { folder, isNew: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (lstatSync(folder).isDirectory()) return { folder, isNew: false };
  throw new Error(`${folder} is not a folder of the export: remove it`);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
