import { type LocalizedMessage, type MessagePart, phrase } from './messages.ts';

/** The ways a request can fail: the code that clients test for, and the HTTP status when the whole request fails with it. */
export const errorCatalogue = {
  UNAUTHENTICATED: 401,
  PLAN_REQUIRED: 403,
  IP_NOT_ALLOWED: 403,
  RATE_LIMIT_EXCEEDED: 429,
  FORBIDDEN: 403,
  BAD_REQUEST: 400,
  NOT_FOUND: 404,
  CONFLICT: 409,
  CURSOR_EXPIRED: 410,
  VERIFICATION_FAILED: 422,
  GRAPHQL_PARSE_FAILED: 400,
  GRAPHQL_VALIDATION_FAILED: 400,
  QUERY_TOO_COMPLEX: 400,
  PERSISTED_QUERY_NOT_SUPPORTED: 400,
  PAYLOAD_TOO_LARGE: 413,
  SERVICE_UNAVAILABLE: 503,
  INTERNAL_SERVER_ERROR: 500,
} as const;

export type ErrorCode = keyof typeof errorCatalogue;

/** What an error has besides its message: the code, and for example the argument it is about. */
export type ErrorExtensions = { code: ErrorCode; field?: string; retryAfter?: number; [more: string]: unknown };

/** A failure that the caller can understand and act on. Any other exception is an internal error. */
export class AppError extends Error {
  readonly extensions: ErrorExtensions;
  /** The parts of the message, for pages in another language; the API uses only English. */
  readonly said: readonly MessagePart[] | null;

  constructor(code: ErrorCode, message: string | LocalizedMessage, extensions: Omit<ErrorExtensions, 'code'> = {}) {
    super(typeof message === 'string' ? message : message.text);
    this.said = typeof message === 'string' ? null : message.parts;
    this.extensions = { code, ...extensions };
  }

  get code(): ErrorCode {
    return this.extensions.code;
  }
}

/** A body that comes in a way that is not supported: BAD_REQUEST with the HTTP status 415. */
export class UnsupportedBodyError extends AppError {
  /** Headers of the response that say what is supported. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(message: string, field: string, headers: Readonly<Record<string, string>> = {}) {
    super('BAD_REQUEST', message, { field });
    this.headers = headers;
  }
}

/** The status of an `UnsupportedBodyError`. */
export const UNSUPPORTED_STATUS = 415;

/** The HTTP status of a request that fails as a whole. */
export function statusOf(error: AppError): number {
  return error instanceof UnsupportedBodyError ? UNSUPPORTED_STATUS : errorCatalogue[error.code];
}

/** Invalid input; `field` is the invalid argument. */
export function badRequest(message: string | LocalizedMessage, field?: string): AppError {
  return new AppError('BAD_REQUEST', message, field === undefined ? {} : { field });
}

/** `noun` as people read it, for example `Post`. Used for rows that do not exist and rows the caller may not see. */
export function notFound(noun: string): AppError {
  return new AppError('NOT_FOUND', phrase(`${noun} not found`));
}

/** The current state does not allow the request. */
export function conflict(message: string | LocalizedMessage): AppError {
  return new AppError('CONFLICT', message);
}

/** A role or permission is missing; the message names the required one. */
export function forbidden(message: string | LocalizedMessage): AppError {
  return new AppError('FORBIDDEN', message);
}
