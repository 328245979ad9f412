import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { StoreUnavailableError } from '../platform/db/db.ts';
import { AppError, errorCatalogue, statusOf, UnsupportedBodyError } from '../platform/errors.ts';
import type { Logger } from '../platform/lib/log.ts';

/** Answers a request with an error in the form of the API; faults of the server are logged. */
export function sendError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
): FastifyReply {
  const fault = asAppError(error);
  if (errorCatalogue[fault.code] >= 500) log.error({ requestId: request.id, err: error }, fault.message);
  // The intended response may have had its own type, and may be saved or cached; as a string, this one is sent
  // unchanged.
  reply.removeHeader('content-disposition').header('cache-control', 'no-store').type('application/json; charset=utf-8');
  return reply.code(statusOf(fault)).send(JSON.stringify(errorBody(fault, request)));
}

/** Answers a request at an address where there is nothing; `api` is the path of the API. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply, api: string): FastifyReply {
  const places = `the GraphQL API is at POST ${api}/graphql, its schema at GET ${api}/schema.graphql, a playground at GET ${api}/playground, and GET ${api}/openapi.json describes all else`;
  const fault = `There is nothing at ${request.method} ${request.originalUrl.split('?')[0]}: ${places}`;
  return reply.code(404).send(errorBody(new AppError('NOT_FOUND', fault), request));
}

/** An error in the form of the API. */
export function errorBody({ message, extensions }: AppError, request: FastifyRequest) {
  return { errors: [{ message, extensions: { ...extensions, requestId: request.id } }] };
}

function asAppError(error: FastifyError): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof StoreUnavailableError)
    return new AppError('SERVICE_UNAVAILABLE', `${error.message}. Try again later`);
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new UnsupportedBodyError('Content-Type is no media type, such as application/json', 'content-type');
  }
  if (error.statusCode && error.statusCode < 500) return new AppError('BAD_REQUEST', error.message);
  return new AppError('INTERNAL_SERVER_ERROR', 'Internal server error');
}
