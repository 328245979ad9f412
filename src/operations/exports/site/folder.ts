import { lstat, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where files are until they are whole. */
const PART = '.earshot-part';

/**
 * The folder of an export. A file appears in it as a whole or not at all, whenever the process ends; and nothing is
 * written, read or removed through symbolic links.
 */
export class SiteFolder {
  readonly root: string;
  #parts = 0;

  private constructor(root: string) {
    this.root = root;
  }

  /** Opens or creates a folder. @throws if it has other files than those of an export, which has `stateFile` */
  static async open(path: string, stateFile: string): Promise<SiteFolder> {
    await mkdir(path, { recursive: true });
    const root = await realpath(path);
    const names = await readdir(root);
    const isOurs = names.includes(stateFile) || names.every((name) => name === PART);
    if (!isOurs) throw new Error(`${path} has files that are not of an export: choose an empty folder`);
    const folder = new SiteFolder(root);
    await folder.#removePart();
    return folder;
  }

  /** Writes a file unless it is the same already. @returns whether it was written */
  async write(path: string, content: string | Buffer): Promise<boolean> {
    const bytes = Buffer.from(content);
    if ((await this.read(path))?.equals(bytes)) return false;
    const part = await this.newPart();
    await writeFile(part, bytes);
    await this.place(part, path);
    return true;
  }

  /** The bytes of a file; null if there is none. */
  async read(path: string): Promise<Buffer | null> {
    const file = join(await this.#makeParent(path), nameOf(path));
    return (await isFile(file)) ? readFile(file) : null;
  }

  /** Whether there is a file. */
  async has(path: string): Promise<boolean> {
    return isFile(join(await this.#makeParent(path), nameOf(path)));
  }

  /** A path for a file that is then moved to its place. */
  async newPart(): Promise<string> {
    return join(await this.#makeFolder(PART), String(this.#parts++));
  }

  /** Moves a file that is whole to its place. */
  async place(part: string, path: string): Promise<void> {
    await rename(part, join(await this.#makeParent(path), nameOf(path)));
  }

  /** Removes what a folder has, as far as it is not kept. */
  async prune(path: string, isKept: (name: string) => boolean): Promise<void> {
    const folder = await this.#makeFolder(path);
    for (const name of await readdir(folder)) {
      if (!isKept(name)) await rm(join(folder, name), { recursive: true, force: true });
    }
  }

  /** Ends the work on the folder. */
  async close(): Promise<void> {
    await this.#removePart();
  }

  async #removePart(): Promise<void> {
    await rm(join(this.root, PART), { recursive: true, force: true });
  }

  #makeParent(path: string): Promise<string> {
    return this.#makeFolder(path.slice(0, path.lastIndexOf('/') + 1));
  }

  async #makeFolder(path: string): Promise<string> {
    let folder = this.root;
    for (const name of path.split('/').filter(Boolean)) {
      folder = join(folder, name);
      await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      if (!(await lstat(folder)).isDirectory()) throw new Error(`${folder} is not a folder of the export: remove it`);
    }
    return folder;
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

async function isFile(path: string): Promise<boolean> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return null;
  });
  return found?.isFile() ?? false;
}
