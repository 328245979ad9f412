import type { NamedStatus } from '../visibility/statuses.ts';

/** What a comment that Earshot writes is about. Pages word it in the language of the reader. */
export type Change =
  | { type: 'STATUS_CHANGE'; from: NamedStatus; to: NamedStatus; hasMessage: boolean }
  | { type: 'TITLE_CHANGE'; from: string; to: string }
  /** `number` is that of the other post, which `about_id` of the comment refers to. */
  | { type: 'MERGE_SOURCE'; number: number }
  | { type: 'MERGE_TARGET'; number: number; votes: number | null };

/** A change in English: the text of its comment, unless there is a message. */
export function describeChange(change: Change): string {
  switch (change.type) {
    case 'STATUS_CHANGE':
      return `Changed the status from “${change.from.name}” to “${change.to.name}”`;
    case 'TITLE_CHANGE':
      return `Changed the title from “${change.from}” to “${change.to}”`;
    case 'MERGE_SOURCE':
      return `Merged this post into #${change.number}`;
    case 'MERGE_TARGET':
      return `Merged #${change.number} into this post`;
    default:
      return change satisfies never;
  }
}

/** The change that a comment is about; null for what users write, and for what is not known of an older version. */
export function changeOf({ details }: { details: string | null }): Change | null {
  return details === null ? null : JSON.parse(details);
}

/** Whether a comment that Earshot wrote has a message of the user who made the change. */
export function hasMessage(row: { type: string; details: string | null }): boolean {
  const change = changeOf(row);
  // What is not known of an older version came with a message: only its text was kept.
  return row.type === 'STATUS_CHANGE' && (change?.type !== 'STATUS_CHANGE' || change.hasMessage);
}
