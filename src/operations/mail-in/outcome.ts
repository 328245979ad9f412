/** What became of a mail. */
export type Outcome =
  | { kind: 'idea' | 'comment'; id: string; isHeld: boolean }
  /** Taken, and nothing done: an automatic answer, a loop. */
  | { kind: 'ignored'; reason: string }
  /** It will not be taken later either. */
  | { kind: 'refused'; reason: string }
  /** It may be sent again later. */
  | { kind: 'later'; reason: string };

/** Thrown where a mail is refused; its message goes on with "The mail was refused: ". */
export class MailRefusal extends Error {}

/** The error for a mail that is refused. */
export function refused(reason: string): MailRefusal {
  return new MailRefusal(reason);
}
