import * as z from 'zod';
import { type Operation, operations } from '../webhooks/operations.ts';
import { statusOf, WEBHOOKS_PATH } from '../webhooks/route.ts';
import { schemas } from '../webhooks/schemas.ts';
import { fileSchema, others } from './others.ts';
import { errorSchema, failures, headers, jsonOf, nameOf, refTo } from './parts.ts';

export const OPENAPI_PATH = '/api/v1/openapi.json';

/**
 * The OpenAPI document of everything but GraphQL, which has a schema of its own.
 * @param prefix the path under which the server is reached, '' for the root
 */
export function printOpenApi(prefix = ''): string {
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Earshot',
      version: 'v1',
      description:
        'The HTTP API beside GraphQL (`/api/v1/schema.graphql`): webhooks, the stream of events, files and exports.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: prefix || '/' }],
    security: [{ apikey: [] }, { bearer: [] }],
    tags: ['Webhooks', 'Events', 'Files', 'Exports'].map((name) => ({ name })),
    paths: { ...pathsOf(operations), ...others },
    components: {
      securitySchemes: {
        apikey: { type: 'apiKey', in: 'header', name: 'apikey' },
        bearer: { type: 'http', scheme: 'bearer' },
        apikeyInUrl: { type: 'apiKey', in: 'query', name: 'apikey' },
      },
      parameters: headers,
      schemas: { ...printSchemas(), File: fileSchema, Error: errorSchema },
      responses: failures,
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The schemas that requests are validated with. */
function printSchemas(): object {
  const printed = z.toJSONSchema(schemas, { uri: refTo, io: 'input' }).schemas;
  return Object.fromEntries(
    Object.entries(printed).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]),
  );
}

function pathsOf(all: readonly Operation[]): object {
  const byPath = Map.groupBy(all, ({ path }) => WEBHOOKS_PATH + path.replaceAll(/:(\w+)/g, '{$1}'));
  return Object.fromEntries(
    [...byPath].map(([path, own]) => [
      path,
      Object.fromEntries(own.map((operation) => [operation.method.toLowerCase(), describe(operation)])),
    ]),
  );
}

function describe(operation: Operation): object {
  const { id, method, path, summary, input, output } = operation;
  const ids = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: `Id of the ${name}`,
    schema: { type: 'string' },
  }));
  const takesBody = method !== 'GET' && method !== 'DELETE';
  const needsBody = takesBody && !input.safeParse({}).success;
  const own = id === 'createWebhook' ? ['Idempotency-Key'] : [];
  const parameters = [...ids, ...(method === 'GET' ? queryOf(input) : []), ...refsTo(['ssotype', 'ssoid', ...own])];
  const body = { required: needsBody, content: jsonOf(refTo(nameOf(schemas, input))) };
  const success = output
    ? { description: 'Success', content: jsonOf(refTo(nameOf(schemas, output))) }
    : { description: 'Success' };
  return {
    operationId: id,
    summary,
    tags: ['Webhooks'],
    parameters,
    ...(takesBody && { requestBody: body }),
    responses: { [statusOf(operation)]: success, ...failuresOf(operation) },
  };
}

function queryOf(input: z.ZodType): object[] {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input' });
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...own } = schema as { description?: string };
    return { name, in: 'query', description, schema: own };
  });
}

function refsTo(names: readonly string[]): object[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function failuresOf({ method, reachesOut }: Operation): object {
  const codes = [400, 401, 403, 404, ...(method === 'GET' ? [] : [409, 413, 415])];
  const all = [...codes, ...(reachesOut ? [422] : []), 429, 500, 503];
  return Object.fromEntries(all.map((status) => [status, { $ref: `#/components/responses/${status}` }]));
}
