import type { ErrorCode } from '#src/platform/errors.ts';
import type { LocalizedMessage, MessagePart } from '#src/platform/messages.ts';
import { localize } from '../../lib/localize.ts';

/** An error of the features that a visitor can understand and act on. */
export type Failure = Error & {
  extensions: { code: ErrorCode; field?: string; retryAfter?: number };
  said: readonly MessagePart[] | null;
};

/** Whether an error is one. Browsers load this file and do not have the server's classes, so its properties decide. */
export function isFailure(error: unknown): error is Failure {
  return error instanceof Error && 'extensions' in error;
}

/** Whether the store is unavailable, locked or full, so that trying again later can help. */
export function isStoreUnavailable(error: unknown): error is Error & { visitorMessage: LocalizedMessage } {
  return error instanceof Error && 'visitorMessage' in error;
}

/** What is wrong, in the language of the page. */
export function wordsOf(error: Failure): string {
  return localize(error.message, error.said);
}

const STATUS: Partial<Record<ErrorCode, number>> = {
  BAD_REQUEST: 400,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  RATE_LIMIT_EXCEEDED: 429,
};

/** Runs what a page needs: if something does not exist, or this visitor may not see it, an error page is shown. */
export async function orErrorPage<T>(work: T | Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const status = isFailure(error) ? STATUS[error.extensions.code] : undefined;
    throw isFailure(error) && status ? new Response(null, { status, headers: retryHeaders(error) }) : error;
  }
}

/** When to retry, for programs. */
export function retryHeaders({ extensions: { retryAfter } }: Failure): Record<string, string> {
  return retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
}
