import { randomInt } from 'node:crypto';
import { makeToken } from '../lib/ids.ts';

/** Which processes work on a store: what one of them holds a lease on is taken over once it has ended. */
export type Presence = {
  /** The mark of this process; null while others could not notice its end. */
  own(): string | null;
  /**
   * Which of these processes have ended; never this one. Ask it regularly, even about none: only a process that is absent
   * each time has ended.
   */
  ended(marks: readonly string[]): Promise<readonly string[]>;
};

/** The mark of a process: 31 random bits, which PostgreSQL can lock, as eight digits. */
export function makeMark(): string {
  return randomInt(2 ** 31)
    .toString(16)
    .padStart(8, '0');
}

/** The presence of a server that has locked the store for itself: any other process has ended. */
export function presenceAlone(): Presence {
  const mark = makeMark();
  return { own: () => mark, ended: async (marks) => marks.filter((other) => other !== mark) };
}

/** A new token of a lease, with the mark of this process. */
export function makeLeaseToken(presence: Presence): string {
  return `${presence.own() ?? ''}.${makeToken(16)}`;
}

/** The tokens whose processes have ended. What carries no mark, as of an earlier version, waits for its end. */
export async function findAbandoned(presence: Presence, tokens: readonly string[]): Promise<string[]> {
  const byMark = Map.groupBy(tokens, (token) => /^([\da-f]{8})\./.exec(token)?.[1]);
  const ended = await presence.ended([...byMark.keys()].filter((mark) => mark !== undefined));
  return ended.flatMap((mark) => byMark.get(mark) ?? []);
}
