import { eventTypes } from '../../feedback/event-log/event-types.ts';
import { UPLOAD_PATH } from '../files/route.ts';
import { STREAM_PATH } from '../stream/route.ts';

const text = { type: 'string' };
const flag = { type: 'boolean', default: false };
const asUser = [{ $ref: '#/components/parameters/ssotype' }, { $ref: '#/components/parameters/ssoid' }];

const mediaTypes = { csv: 'text/csv', jsonl: 'application/jsonl' } as const;

/** The other endpoints, which read their parameters themselves. */
export const others = {
  [STREAM_PATH]: {
    get: {
      operationId: 'followEvents',
      summary: 'The events of the board as they happen, as server-sent events',
      tags: ['Events'],
      parameters: [
        query('after', 'Cursor to continue after; `end` begins with what happens from now on', text),
        query('types', 'Types of events, separated by commas', {
          type: 'array',
          items: { type: 'string', enum: eventTypes },
        }),
        { name: 'Last-Event-ID', in: 'header', description: 'As `after`, which it overrides', schema: text },
        ...asUser,
      ],
      responses: {
        200: { description: 'Events', content: { 'text/event-stream': {} } },
        ...failing(404, 410, 429, 503),
      },
    },
  },
  [UPLOAD_PATH]: {
    post: {
      operationId: 'uploadFile',
      summary: 'Upload a file, to be attached to a post, a comment or a changelog entry',
      tags: ['Files'],
      parameters: asUser,
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: { type: 'object', required: ['file'], properties: { file: { contentEncoding: 'binary' } } },
          },
        },
      },
      responses: {
        201: {
          description: 'The file',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/File' } } },
        },
        ...failing(404, 413, 415, 429, 503),
      },
    },
  },
  '/api/csv': { get: describeExport('exportCsv', 'csv') },
  '/api/board.csv': { get: describeExport('exportSpreadsheet', 'csv') },
  '/api/jsonl': { get: describeExport('exportJsonl', 'jsonl') },
};

/** What an upload returns. */
export const fileSchema = {
  type: 'object',
  required: ['id', 'name', 'contentType', 'size', 'url'],
  properties: { id: text, name: text, contentType: text, size: { type: 'integer' }, url: text },
};

function describeExport(operationId: string, format: keyof typeof mediaTypes): object {
  return {
    operationId,
    summary: `The posts of the board as ${format.toUpperCase()}`,
    tags: ['Exports'],
    security: [{ apikey: [] }, { bearer: [] }, { apikeyInUrl: [] }],
    parameters: [
      query('comments', 'Whether comments are included', flag),
      query('votes', 'Whether votes are included', flag),
      ...(format === 'csv' ? [query('bom', 'Whether it begins with a byte order mark, for Excel', flag)] : []),
      ...asUser,
    ],
    responses: { 200: { description: 'The export', content: { [mediaTypes[format]]: {} } }, ...failing(404, 429, 503) },
  };
}

function query(name: string, description: string, schema: object): object {
  return { name, in: 'query', description, schema, ...('items' in schema && { style: 'form', explode: false }) };
}

function failing(...statuses: readonly number[]): object {
  const all = [400, 401, 403, ...statuses];
  return Object.fromEntries(all.map((status) => [status, { $ref: `#/components/responses/${status}` }]));
}
