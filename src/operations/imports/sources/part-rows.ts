import { printable } from '../../../platform/texts/text.ts';
import type { ImportedComment, ImportItem } from '../items.ts';
import type { TableRow } from '../table.ts';
import { type Meaning, YES } from './meanings.ts';
import { type ProblemItem, type Report, RowCells, shortId } from './row-cells.ts';
import type { TableReading } from './survey.ts';

/** What says that a comment is shown; all else waits for approval. */
const SHOWN = /^(approved|published|visible|)$/i;

/**
 * A table with a comment or a vote in each row, which names its idea by the id that the idea has in the table of ideas.
 * Rows with a text are comments.
 */
export class PartRows {
  readonly #cells: RowCells;
  /** A reply comes after its comment. */
  readonly #ids = new Set<string>();

  constructor(reading: TableReading) {
    this.#cells = new RowCells(reading);
  }

  *itemsOf(row: TableRow): Generator<ImportItem> {
    const problems: ProblemItem[] = [];
    const { line } = row;
    const cells = this.#cells;
    const report: Report = (place, message) => problems.push(cells.problemAt(line, place, message));
    const read = (meaning: Meaning) => cells.read(row, meaning, report);
    const first = (meaning: Meaning) => read(meaning)[0]?.text ?? '';
    const idea = first('idea');
    const email = read('email')[0] ?? read('voters')[0];
    const person = cells.personOf({ id: first('person'), author: first('author'), email }, report);
    const dateCreated = cells.dateOf(read('created')[0], report);
    const text = read('text')
      .map((cell) => cells.textOf(cell))
      .join('\n\n');
    if (idea === '') problems.push({ kind: 'problem', line, message: 'It does not say which idea it belongs to' });
    else if (cells.has('text')) {
      const moderation = SHOWN.test(first('approval')) ? undefined : 'PENDING';
      yield {
        kind: 'comment',
        line,
        id: this.#idOf(first('id') || `${idea} ${dateCreated ?? ''} ${person?.email ?? person?.name ?? ''} ${text}`),
        postId: idea,
        parentId: this.#parentOf(read('parent')[0], report),
        type: typeOf(first),
        text,
        author: person,
        dateCreated,
        ...(moderation && { moderation }),
      };
    } else if (person) yield { kind: 'vote', line, postId: idea, voter: person, dateCreated, isCounted: true };
    else problems.push({ kind: 'problem', line, message: 'The vote has no voter: it stays in the number of votes' });
    yield* problems;
  }

  #idOf(given: string): string {
    const id = shortId(given);
    this.#ids.add(id);
    return id;
  }

  #parentOf(cell: { text: string; place: number } | undefined, report: Report): string | null {
    const id = cell && shortId(cell.text);
    if (id === undefined || this.#ids.has(id)) return id ?? null;
    report(cell?.place ?? 0, `The comment “${printable(id)}” is not on an earlier line: this one is no reply to it`);
    return null;
  }
}

function typeOf(first: (meaning: Meaning) => string): ImportedComment['type'] {
  if (YES.test(first('internal'))) return 'INTERNAL';
  return YES.test(first('official')) ? 'OFFICIAL' : 'BASIC';
}
