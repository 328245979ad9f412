import { HOUR_MS } from '../../platform/lib/clock.ts';
import { encodeCursor, parseCursor } from '../../platform/lib/page.ts';

/**
 * Where a follower is in the log: after this sequence number. All events that happened before `seenUntil` were in the log
 * when it read the end of it, also those that it had not asked for or may not see.
 */
export type LogCursor = { seq: number; seenUntil: number };

/** In place of a cursor: what happens from now on. */
export const END = 'end';

/** The position after an event. */
export function cursorAfter(seq: number): string {
  return encodeLogCursor({ seq, seenUntil: 0 });
}

/**
 * A position as the opaque text that clients send back. It has whole hours, so it changes at most once an hour when there
 * is nothing new.
 */
export function encodeLogCursor({ seq, seenUntil }: LogCursor): string {
  return encodeCursor('events', [seq, seenUntil === 0 ? '' : String(seenUntil / HOUR_MS)]);
}

/** @throws BAD_REQUEST if the text is invalid or from another list */
export function parseLogCursor(text: string | null | undefined): LogCursor | null {
  const position = parseCursor('events', text, Number.isSafeInteger, (hours) => /^\d{1,8}$/.test(hours));
  return position && { seq: position[0], seenUntil: Number(position[1]) * HOUR_MS };
}

/**
 * Until when someone who reads the end of the log now has seen all that happened. The last hour does not count: an event
 * has the time at which its transaction began, and clocks differ.
 */
export function seenBy(now: number): number {
  return (Math.floor(now / HOUR_MS) - 1) * HOUR_MS;
}
