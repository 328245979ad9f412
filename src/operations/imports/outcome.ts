import type { Problem } from './items.ts';
import type { FoundStatus } from './labels.ts';

/** How many were added, and how many the board had already. */
export type Tally = { added: number; existing: number };

/**
 * What an import adds and counts. `voteCounts` are votes of which the source has only the number. Reactions are those to
 * comments and to entries of the changelog.
 */
export const tallied = ['posts', 'comments', 'votes', 'voteCounts', 'reactions', 'entries'] as const;
export type Tallies = Record<(typeof tallied)[number], Tally>;

/** What one batch did. */
export type Outcome = Tallies & {
  /** Files that were added. */
  files: number;
  /** Ideas of which a change at the source was taken over. */
  changed: number;
  /** The first post of earlier imports on which comments or votes were added. */
  addsTo: string | null;
  /** Statuses of the source, by their keys. */
  foundStatuses: ReadonlyMap<string, FoundStatus>;
  statuses: readonly string[];
  tags: readonly string[];
  problems: Problem[];
};

/** Nothing yet. */
export function none(): Tally {
  return { added: 0, existing: 0 };
}

/** Nothing yet of all that is counted. */
export function newTallies(): Tallies {
  return Object.fromEntries(tallied.map((what) => [what, none()])) as Tallies;
}

/** Nothing yet of what a batch counts itself. */
export function newCounts(): Omit<Outcome, 'foundStatuses' | 'statuses' | 'tags'> {
  return { ...newTallies(), files: 0, changed: 0, addsTo: null, problems: [] };
}

/** Messages that are remembered. */
const MAX_TOLD = 10_000;

/** What an import has said is missing, such as an idea or a field: a thousand votes on one idea are one problem. */
export class Told {
  readonly #messages = new Set<string>();

  /** Whether that is said for the first time; beyond a bound, everything is. */
  isNew(message: string): boolean {
    if (this.#messages.has(message)) return false;
    if (this.#messages.size < MAX_TOLD) this.#messages.add(message);
    return true;
  }
}
