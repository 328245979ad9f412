import { StoreUnavailableError } from '../../platform/db/db.ts';
import { AppError } from '../../platform/errors.ts';
import { SECOND_MS } from '../../platform/lib/clock.ts';

export const STREAM_TYPE = 'text/event-stream';

/** When to connect again if the refusal has no time: a store that restarts or fails over is back within seconds. */
const PAUSE_SECONDS = 5;

/** Whether a client accepts a stream of events. */
export function acceptsStream(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes(STREAM_TYPE) ?? false;
}

/** Whether a client accepts nothing but a stream of events, as those that implement the standard do. */
export function acceptsOnlyStream(accept: string | undefined): boolean {
  return accept !== undefined && /^\s*text\/event-stream\s*(;[^,]*)?$/i.test(accept);
}

/** Whether the same request may succeed later. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof StoreUnavailableError) return true;
  return error instanceof AppError && ['SERVICE_UNAVAILABLE', 'RATE_LIMIT_EXCEEDED'].includes(error.code);
}

/**
 * The stream that takes the place of a temporary refusal: it has no events, and the time after which to connect again.
 * By the standard, a client never connects again after any status but 200. Null for what is not temporary, and for
 * clients that understand a status.
 */
export function pauseFor(error: unknown, accept: string | undefined): string | null {
  if (!isTemporary(error) || !acceptsOnlyStream(accept)) return null;
  const { retryAfter = PAUSE_SECONDS } = error instanceof AppError ? error.extensions : {};
  return `retry: ${retryAfter * SECOND_MS}\n\n`;
}
