import type { Problem } from './items.ts';

/** How many were added, and how many the board had already. */
export type Tally = { added: number; existing: number };
/** What one batch did. */
export type Outcome = {
  posts: Tally;
  comments: Tally;
  votes: Tally;
  reactions: Tally;
  entries: Tally;
  /** Files that were added. */
  files: number;
  statuses: readonly string[];
  tags: readonly string[];
  problems: Problem[];
};

/** Nothing yet. */
export function none(): Tally {
  return { added: 0, existing: 0 };
}
