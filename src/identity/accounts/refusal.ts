import { StoreUnavailableError } from '../../platform/db/db.ts';
import { AppError, badRequest, type ErrorCode } from '../../platform/errors.ts';
import type { LocalizedMessage } from '../../platform/messages.ts';

/**
 * Turns refusals of better-auth, and an unavailable store, into our own errors; anything else is rethrown unchanged.
 */
export function asAppError(error: unknown): unknown {
  const storeFault = findStoreFault(error);
  if (storeFault) return storeFault;
  const { name, message, statusCode } = error as { name?: string; message?: string; statusCode?: number };
  if (name !== 'APIError' || statusCode === undefined || statusCode >= 500) return error;
  return new AppError('BAD_REQUEST', message || 'This is not possible');
}

/** better-auth wraps what its store throws. */
function findStoreFault(error: unknown): StoreUnavailableError | null {
  if (error instanceof StoreUnavailableError) return error;
  return error instanceof Error && error.cause !== error ? findStoreFault(error.cause) : null;
}

/** Replaces a refusal by our own message, the same whatever the reason; internal errors are rethrown unchanged. */
export function refusedAs(
  message: LocalizedMessage,
  field: string,
  code: ErrorCode = 'BAD_REQUEST',
): (error: unknown) => never {
  return (error) => {
    throw error instanceof AppError && error.code === code ? badRequest(message, field) : error;
  };
}
