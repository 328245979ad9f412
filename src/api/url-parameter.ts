import type { FastifyRequest } from 'fastify';
import { badRequest } from '../platform/errors.ts';

/** A parameter of the URL. @throws BAD_REQUEST if it is there more than once */
export function parameterOf(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name];
  if (Array.isArray(value)) throw badRequest(`${name} is in the URL more than once`, name);
  return value;
}
