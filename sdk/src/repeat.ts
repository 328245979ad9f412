import { EarshotError } from './errors.ts';

/** The first pause if the server names none, and the longest, in seconds. */
const FIRST_PAUSE = 0.5;
const LONGEST_PAUSE = 30;

export type Repeating = {
  signal: AbortSignal | undefined;
  /** How long one attempt may take. */
  timeoutMs: number;
  /** How often it is repeated at most. */
  retries: number;
  /** The longest wait that the server may ask for. */
  maxWaitMs: number;
  onRetry: ((error: EarshotError, seconds: number) => void) | undefined;
};

/** Makes attempts until one succeeds, or fails for a reason that will not pass. */
export async function repeat<T>(how: Repeating, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
  for (let n = 0; ; n++) {
    const deadline = makeDeadline(how.timeoutMs, how.signal);
    try {
      return await attempt(deadline.signal);
    } catch (error) {
      const failure = deadline.explain(error);
      const seconds = pauseAfter(failure, n);
      if (seconds === null || n >= how.retries || (failure.retryAfter ?? 0) * 1_000 > how.maxWaitMs) throw failure;
      how.onRetry?.(failure, seconds);
      await sleep(seconds, how.signal);
    } finally {
      deadline.end();
    }
  }
}

/**
 * Seconds to wait before the attempt is repeated; null if that is of no use. `first` is the first pause if the server
 * names none, `longest` the longest that it may name.
 */
export function pauseAfter(
  { code, status = 0, retryAfter }: EarshotError,
  n: number,
  first = FIRST_PAUSE,
  longest = Number.POSITIVE_INFINITY,
): number | null {
  const isPassing =
    ['NO_RESPONSE', 'RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'].includes(code) ||
    (code === 'UNEXPECTED_RESPONSE' && [429, 502, 503, 504].includes(status));
  if (!isPassing) return null;
  // At random, so that clients that failed together do not come back together.
  if (retryAfter) return Math.min(longest, retryAfter) * (1 + Math.random() / 5);
  return Math.min(LONGEST_PAUSE, first * 2 ** n) * (0.5 + Math.random() / 2);
}

/** Waits. @throws the reason of the signal when it is aborted */
export function sleep(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1_000);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}

/**
 * Ends an attempt when the caller does, or when nothing was heard for so long. Not with `AbortSignal.any` and
 * `AbortSignal.timeout`, which the garbage collector of Node 20 takes away together.
 */
export function makeDeadline(ms: number, outer: AbortSignal | undefined) {
  const controller = new AbortController();
  const stop = () => controller.abort(outer?.reason);
  const begin = () => setTimeout(() => controller.abort(new Error(`No response within ${ms} ms`)), ms);
  let timer = begin();
  outer?.addEventListener('abort', stop);
  if (outer?.aborted) stop();
  return {
    signal: controller.signal,
    /** Something was heard. */
    extend() {
      clearTimeout(timer);
      timer = begin();
    },
    /** Silence does not count until it is extended. */
    pause() {
      clearTimeout(timer);
    },
    end() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', stop);
    },
    /** What an attempt has failed with. @throws the reason of the caller's signal */
    explain(error: unknown): EarshotError {
      outer?.throwIfAborted();
      if (error instanceof EarshotError) return error;
      const cause: unknown = controller.signal.aborted ? controller.signal.reason : error;
      return new EarshotError('NO_RESPONSE', cause instanceof Error ? cause.message : String(cause), { cause });
    },
  };
}
