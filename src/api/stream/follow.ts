import { performance } from 'node:perf_hooks';
import type { EventRow } from '../../events/events.ts';
import { encodeLogCursor } from '../../feedback/event-log/cursor.ts';
import { SECOND_MS } from '../../platform/lib/clock.ts';
import type { MaybePromise } from '../../platform/lib/maybe-promise.ts';
import type { Bell } from './bell.ts';
import type { Batch, Position } from './followers.ts';

/**
 * The longest time without a message, which keeps proxies from closing the connection, and the follower's position up to
 * date; and how often it is checked that the follower may still read when nothing happens.
 */
type Pauses = { heartbeatMs: number; checkMs: number };

export const PAUSES: Pauses = { heartbeatMs: 15 * SECOND_MS, checkMs: 5 * SECOND_MS };
/** How long a follower waits before it connects again. */
const RETRY_MS = 3 * SECOND_MS;

/** What a stream is made of; `look` and `read` throw once the follower may no longer read. */
type Sources = {
  bell: Bell;
  look(): Promise<unknown>;
  read(from: Position): Promise<Batch>;
  write(event: EventRow): MaybePromise<string>;
};

/** The text of a stream from a position on, where `batch` is next. It ends when the follower has left or the process stops. */
export async function* follow(
  { bell, look, read, write }: Sources,
  from: Position,
  batch: Batch,
  { heartbeatMs, checkMs }: Pauses = PAUSES,
): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\n${idOf(from)}\n`;
  for (let sentAt = performance.now(); ; batch = await read(batch.next)) {
    for (const event of batch.events) yield await write(event);
    if (batch.events.length > 0) sentAt = performance.now();
    for (let isNews = batch.hasMore; ; isNews = await bell.heard(checkMs)) {
      if (bell.isClosed) return;
      if (performance.now() - sentAt > heartbeatMs - checkMs) {
        yield `${idOf(batch.next)}\n`;
        sentAt = performance.now();
      }
      if (isNews) break;
      await look();
    }
  }
}

function idOf({ after }: Position): string {
  return after === null ? '' : `id: ${encodeLogCursor(after)}\n`;
}
