import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SiteFolder } from './folder.ts';

/** The file that makes a folder an export; servers do not show files whose names begin with a dot. */
export const STATE_FILE = '.earshot-site';

/** What is written of a page whose post is no longer public. */
export const GONE = 'gone';

/** What pages were written from: the board, what all pages depend on, and a mark of each post. */
type Head = { earshotSite: 1; board: string; settings: string };

/**
 * What the folder has: the marks of the posts and changelog entries that were written. A line is added with each, so
 * that a run that was interrupted is continued by the next.
 */
export class SiteState {
  readonly #folder: SiteFolder;
  readonly #head: Head;
  readonly #marks: Map<string, string>;

  private constructor(folder: SiteFolder, head: Head, marks: Map<string, string>) {
    this.#folder = folder;
    this.#head = head;
    this.#marks = marks;
  }

  /**
   * Reads the state and begins a run. If anything that all pages depend on has changed, no mark counts.
   * @throws if the folder has another board
   */
  static async open(folder: SiteFolder, board: string, settings: string): Promise<SiteState> {
    const [first = '', ...lines] = ((await folder.read(STATE_FILE))?.toString() ?? '').split('\n');
    const before: Partial<Head> | null = parse(first);
    if (before?.board !== undefined && before.board !== board) {
      throw new Error(`${folder.root} has the export of another board: choose another folder`);
    }
    const isSame = before?.settings === settings;
    const marks = new Map<string, string>();
    for (const line of lines) {
      const [key, mark] = parse<[string, string]>(line) ?? [];
      if (key !== undefined && mark !== undefined) marks.set(key, isSame ? mark : '');
    }
    const state = new SiteState(folder, { earshotSite: 1, board, settings }, marks);
    await state.save();
    return state;
  }

  /** The mark that something was written from; undefined if it was never written. */
  markOf(key: string): string | undefined {
    return this.#marks.get(key);
  }

  /** What was ever written, of a kind. */
  keysOf(kind: string): string[] {
    return [...this.#marks.keys()].filter((key) => key.startsWith(kind));
  }

  /** Remembers what was written. */
  async add(key: string, mark: string): Promise<void> {
    if (this.#marks.get(key) === mark) return;
    this.#marks.set(key, mark);
    await appendFile(join(this.#folder.root, STATE_FILE), lineOf([key, mark]));
  }

  /** Writes the file anew, with one line for each post. */
  async save(): Promise<void> {
    const part = await this.#folder.newPart();
    await writeFile(part, lineOf(this.#head));
    let text = '';
    for (const entry of this.#marks) {
      text += lineOf(entry);
      if (text.length < PIECE) continue;
      await appendFile(part, text);
      text = '';
    }
    await appendFile(part, text);
    await this.#folder.place(part, STATE_FILE);
  }
}

const PIECE = 65_536;

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** A line; null for the end of one that was being written when a process ended. */
function parse<Value>(line: string): Value | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
