import { appendFileSync, createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SiteFolder } from './folder.ts';
import { Marks } from './marks.ts';

/** The file that makes a folder an export; servers do not show files whose names begin with a dot. */
export const STATE_FILE = '.earshot-site';

/** What is written of a page whose post is no longer public. */
export const GONE = 'gone';

/** What pages were written from: the board, what all pages depend on, and a mark of each post. */
type Head = { earshotSite: 1; board: string; settings: string };

/** A line: a post as `p12` with its mark, or a changelog entry as `e3`. */
type Line = [key: string, mark: string];

/**
 * What the folder has: the marks of the posts, and the changelog entries that were written. A line is added with each,
 * so that a run that was interrupted is continued by the next.
 */
export class SiteState {
  readonly posts = new Marks();
  /** The numbers of the changelog entries that were ever written. */
  readonly entries = new Set<number>();
  readonly #folder: SiteFolder;
  readonly #head: Head;

  private constructor(folder: SiteFolder, head: Head) {
    this.#folder = folder;
    this.#head = head;
  }

  /**
   * Reads the state and begins a run. If anything that all pages depend on has changed, no mark counts.
   * @throws if the folder has another board
   */
  static async open(folder: SiteFolder, board: string, settings: string): Promise<SiteState> {
    const state = new SiteState(folder, { earshotSite: 1, board, settings });
    let before: Partial<Head> | null = null;
    for await (const line of readLines(folder)) {
      if (before) state.#take(parse<Line>(line), before.settings === settings);
      before ??= parse<Partial<Head>>(line) ?? {};
      if (before.board !== undefined && before.board !== board) {
        throw new Error(`${folder.root} has the export of another board: choose another folder`);
      }
    }
    await state.save();
    return state;
  }

  /** Remembers what of a post was written. */
  addPost(number: number, mark: string): void {
    if (this.posts.get(number) === mark) return;
    this.posts.set(number, mark);
    this.#add([`p${number}`, mark]);
  }

  /** Remembers that a changelog entry was written. */
  addEntry(number: number): void {
    if (this.entries.has(number)) return;
    this.entries.add(number);
    this.#add([`e${number}`, '']);
  }

  /** Writes the file anew, with one line for each post. */
  async save(): Promise<void> {
    await this.#folder.writeLong(STATE_FILE, this.#print());
  }

  #add(line: Line): void {
    appendFileSync(join(this.#folder.root, STATE_FILE), lineOf(line));
  }

  #take(line: Line | null, isSame: boolean): void {
    const [, kind, number] = /^([pe])(\d+)$/.exec(line?.[0] ?? '') ?? [];
    if (kind === 'p') this.posts.set(Number(number), (isSame && line?.[1]) || '');
    if (kind === 'e') this.entries.add(Number(number));
  }

  *#print(): Generator<string> {
    yield lineOf(this.#head);
    for (const number of this.posts.numbers()) yield lineOf([`p${number}`, this.posts.get(number) ?? '']);
    for (const number of this.entries) yield lineOf([`e${number}`, '']);
  }
}

/** The lines of the file; none if there is no such file. */
async function* readLines(folder: SiteFolder): AsyncGenerator<string> {
  if (!folder.has(STATE_FILE)) return;
  yield* createInterface({ input: createReadStream(join(folder.root, STATE_FILE)), crlfDelay: Infinity });
}

function lineOf(value: Head | Line): string {
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
