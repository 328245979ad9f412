import { AppError, badRequest } from '../errors.ts';
import type { Said } from '../lib/say.ts';

/** What better-auth refuses, as an error of ours; anything else goes on as it is. */
export function asAppError(error: unknown): unknown {
  const { name, message, statusCode } = error as { name?: string; message?: string; statusCode?: number };
  if (name !== 'APIError' || statusCode === undefined || statusCode >= 500) return error;
  return new AppError('BAD_REQUEST', message || 'This is not possible');
}

/** Tells a refusal in words of ours, the same whatever the reason was; a fault of ours goes on as it is. */
export function told(message: Said, field: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof AppError && error.code === 'BAD_REQUEST' ? badRequest(message, field) : error;
  };
}
