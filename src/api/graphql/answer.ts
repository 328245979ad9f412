import type { Readable } from 'node:stream';
import { GraphQLError } from 'graphql';
import { StoreUnavailableError } from '../../platform/db/db.ts';
import { AppError, type ErrorCode, type ErrorExtensions, errorCatalogue, statusOf } from '../../platform/errors.ts';
import type { Result } from '../../platform/graphql/run.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { DocumentError } from './execute.ts';

export type Answer = {
  status: number;
  contentType: string;
  body: string;
  codes: readonly ErrorCode[];
  /** What comes instead of the body, if it has no end. */
  stream?: Readable;
  /** The operation by which the team can undo what was changed. */
  operationId?: string;
};

/** What an answer needs to know of its request. */
export type Asked = { requestId: string; log: Logger; accept: string | undefined };

const GRAPHQL_JSON = 'application/graphql-response+json';

/**
 * The result of an operation as a response, with these extensions. Without data the operation has not run, and newer
 * clients get 400.
 */
export function answerResult(result: Result, asked: Asked, extensions?: object): Answer {
  const hasRun = 'data' in result && result.data !== undefined;
  const mediaType = mediaTypeOf(asked.accept);
  const contentType = `${mediaType}; charset=utf-8`;
  if (!result.errors || result.errors.length === 0) {
    return { status: 200, contentType, body: JSON.stringify({ data: result.data, extensions }), codes: [] };
  }
  const errors = result.errors.map((error) => describeError(error, asked));
  const codes = [...errors.map((error) => error.extensions.code), ...(result.omitted ?? []).map(codeOf)];
  if (codes.length > errors.length) errors.push(describeOmitted(codes.slice(errors.length), asked));
  const status = !hasRun && mediaType === GRAPHQL_JSON ? 400 : 200;
  const body = JSON.stringify(hasRun ? { data: result.data, errors, extensions } : { errors });
  return { status, contentType, body, codes };
}

/** A failure of the whole request as a response, with the status of its code. */
export function answerFailure(error: unknown, asked: Asked): Answer {
  if (error instanceof DocumentError) {
    const errors = error.errors.map(
      (e) =>
        new GraphQLError(e.message, { source: e.source, positions: e.positions, extensions: { code: error.code } }),
    );
    return answerResult({ errors }, asked);
  }
  if (error instanceof AppError && error.code === 'QUERY_TOO_COMPLEX') {
    return answerResult({ errors: [new GraphQLError(error.message, { originalError: error })] }, asked);
  }
  const described = describeError(error, asked);
  const { code } = described.extensions;
  const contentType = `${mediaTypeOf(asked.accept)}; charset=utf-8`;
  const status = error instanceof AppError ? statusOf(error) : errorCatalogue[code];
  return { status, contentType, body: JSON.stringify({ errors: [described] }), codes: [code] };
}

type Described = {
  message: string;
  locations?: unknown;
  path?: unknown;
  extensions: ErrorExtensions & { requestId: string };
};

/**
 * An error as clients see it: unchanged if they can act on it; internal errors are masked and logged under the
 * request's id.
 */
export function describeError(error: unknown, asked: Pick<Asked, 'requestId' | 'log'>): Described {
  const cause = originOf(error);
  const { message, extensions } = explain(cause, error, asked);
  const { locations, path } = error as GraphQLError;
  return {
    message: shorten(message),
    ...(locations && { locations: locations.slice(0, MAX_LOCATIONS) }),
    ...(path && { path }),
    extensions: { ...extensions, requestId: asked.requestId },
  };
}

/** The errors beyond the limit, as one that states their number. */
function describeOmitted(codes: readonly ErrorCode[], { requestId }: Asked): Described {
  const [code = 'BAD_REQUEST'] = codes;
  const message = codes.length === 1 ? 'One more error is not shown' : `${codes.length} more errors are not shown`;
  return { message, extensions: { code, requestId } };
}

/** Maximum length of a message in characters: it may repeat what was sent, however long that is. */
const MAX_MESSAGE = 500;
/** Places in the document that an error names. */
const MAX_LOCATIONS = 10;

function shorten(message: string): string {
  if (message.length <= MAX_MESSAGE) return message;
  return `${message.slice(0, MAX_MESSAGE - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The code of an exception that is not reported to the client. */
function codeOf(thrown: unknown): ErrorCode {
  const cause = originOf(thrown);
  if (cause instanceof AppError) return cause.code;
  if (cause instanceof StoreUnavailableError) return 'SERVICE_UNAVAILABLE';
  const isArgument = cause instanceof GraphQLError && cause.message.startsWith(WRONG_ARGUMENT);
  return isArgument ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR';
}

function explain(
  cause: unknown,
  error: unknown,
  { log, requestId }: Pick<Asked, 'requestId' | 'log'>,
): { message: string; extensions: ErrorExtensions } {
  if (cause instanceof AppError) return { message: cause.message, extensions: cause.extensions };
  if (cause instanceof StoreUnavailableError) {
    log.error({ requestId, err: cause }, 'The store is unavailable');
    return { message: `${cause.message}. Try again later`, extensions: { code: 'SERVICE_UNAVAILABLE' } };
  }
  if (error instanceof GraphQLError && cause instanceof GraphQLError && isFaultOfRequest(error)) {
    const code = (error.extensions?.code as ErrorCode | undefined) ?? 'BAD_REQUEST';
    return { message: error.message, extensions: { code } };
  }
  log.error({ requestId, err: cause }, 'Internal server error');
  return { message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } };
}

/** What a resolver threw, beneath the wrapping that executors put around it. */
function originOf(error: unknown): unknown {
  let origin = error;
  while (origin instanceof Error && 'originalError' in origin && origin.originalError) origin = origin.originalError;
  return origin;
}

/**
 * Whether graphql-js found a mistake in the request: in a variable, or an argument. Any other error of an executor is
 * one of our values that the schema does not allow.
 */
function isFaultOfRequest({ path, message }: GraphQLError): boolean {
  return path === undefined || message.startsWith(WRONG_ARGUMENT);
}

/** How graphql-js begins its messages about arguments. */
const WRONG_ARGUMENT = 'Argument "';

/** The first media type in the header that we can respond with; `application/json` when in doubt. */
function mediaTypeOf(accept: string | undefined): string {
  if (!accept?.includes(GRAPHQL_JSON)) return 'application/json';
  const first = accept
    .split(',')
    .find((part) => /^\s*(application\/(graphql-response\+json|json|\*)|\*\/\*)\s*(;|$)/i.test(part));
  return first?.includes(GRAPHQL_JSON) ? GRAPHQL_JSON : 'application/json';
}
