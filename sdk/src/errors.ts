import type { ServerErrorCode } from './schema.ts';

/** Codes of the server (`docs/errors.md`), and those of the client itself. */
export type ErrorCode =
  | ServerErrorCode
  /** There was no response in time, or the connection failed; `cause` is the reason. */
  | 'NO_RESPONSE'
  /** The response is not one of Earshot, for example the error page of a proxy. */
  | 'UNEXPECTED_RESPONSE';

/** An error as the server describes it. */
export type ServerError = {
  message: string;
  path?: (string | number)[];
  extensions: { code: ErrorCode; requestId?: string; field?: string; [more: string]: unknown };
};

type Details = {
  status?: number | undefined;
  retryAfter?: number | undefined;
  errors?: ServerError[];
  data?: unknown;
  cause?: unknown;
};

/** A request that failed, also after it was repeated. Test for `code`; messages are for people. */
export class EarshotError extends Error {
  override readonly name = 'EarshotError';
  readonly code: ErrorCode;
  /** Where in the response it belongs, for example `['createPost']`. */
  readonly path: readonly (string | number)[] | undefined;
  /** The id under which the log of the server has the request. */
  readonly requestId: string | undefined;
  /** The invalid argument or header. */
  readonly field: string | undefined;
  /** All else the server says about it, for example `oldestCursor` with CURSOR_EXPIRED. */
  readonly extensions: Readonly<Record<string, unknown>>;
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /** Seconds to wait before the request is repeated. */
  readonly retryAfter: number | undefined;
  /** All errors of the response: several mutations of a request can fail. */
  readonly errors: readonly ServerError[];
  /** What the response has besides errors: several mutations can also succeed. */
  readonly data: unknown;

  constructor(code: ErrorCode, message: string, { status, retryAfter, errors = [], data, cause }: Details = {}) {
    super(message, { cause });
    this.code = code;
    this.path = errors[0]?.path;
    this.extensions = errors[0]?.extensions ?? {};
    this.requestId = errors[0]?.extensions?.requestId;
    this.field = errors[0]?.extensions?.field;
    this.status = status;
    this.retryAfter = retryAfter;
    this.errors = errors;
    this.data = data;
  }
}

/** The error that a response reports. */
export function errorOf(errors: ServerError[], details: Details): EarshotError {
  const code = errors[0]?.extensions?.code ?? 'UNEXPECTED_RESPONSE';
  return new EarshotError(code, errors[0]?.message ?? 'The response has no data', { ...details, errors });
}

/** @throws TypeError if a key, secret or token is empty or missing, as an environment variable that is not set */
export function requireText(name: string, value: string | undefined): string {
  if (!value) throw new TypeError(`${name} is empty or missing`);
  return value;
}

/** @throws TypeError for what is not a complete URL of HTTP */
export function requireUrl(name: string, value: string | URL): URL {
  try {
    const url = new URL(value);
    if (/^https?:$/.test(url.protocol)) return url;
  } catch {}
  throw new TypeError(`${name} must be a URL such as https://feedback.example.com, not ${JSON.stringify(value)}`);
}
