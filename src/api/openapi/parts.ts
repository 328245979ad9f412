import { errorCatalogue, UNSUPPORTED_STATUS } from '../../platform/errors.ts';

const text = { type: 'string' };

/** The place of a schema by its name. */
export function refTo(name: string): string {
  return `#/components/schemas/${name}`;
}

/** The name under which a schema is registered. */
export function nameOf<Schema>(registry: { get(schema: Schema): { id?: string } | undefined }, schema: Schema): string {
  return registry.get(schema)?.id ?? 'Nothing';
}

/** A body of JSON. */
export function jsonOf(ref: string): object {
  return { 'application/json': { schema: { $ref: ref } } };
}

/** Headers that several operations take. */
export const headers = {
  ssotype: {
    name: 'ssotype',
    in: 'header',
    description: 'With `ssoid`: who acts. Without both it is the default user of the key, if it has one',
    schema: text,
  },
  ssoid: { name: 'ssoid', in: 'header', description: 'External id of the acting user', schema: text },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A repeat within 24 hours with the same key returns what the first request created',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
};

/** What every failure has in its body. */
export const errorSchema = {
  type: 'object',
  required: ['errors'],
  properties: {
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['message', 'extensions'],
        properties: {
          message: { type: 'string', description: 'For people' },
          extensions: {
            type: 'object',
            required: ['code', 'requestId'],
            properties: {
              code: { type: 'string', enum: Object.keys(errorCatalogue) },
              field: { type: 'string', description: 'What is invalid' },
              retryAfter: { type: 'integer', description: 'Seconds to wait' },
              requestId: text,
              verification: { $ref: refTo('Verification') },
            },
          },
        },
      },
    },
  },
};

const statuses = [
  ...Object.entries(errorCatalogue),
  // Of a body that comes in a way that is not supported.
  ['BAD_REQUEST', UNSUPPORTED_STATUS] as const,
];

/** The response to a failure, by its status. */
export const failures = Object.fromEntries(
  [...Map.groupBy(statuses, ([, status]) => status)]
    .sort(([a], [b]) => a - b)
    .map(([status, own]) => [
      status,
      { description: own.map(([code]) => code).join(', '), content: jsonOf(refTo('Error')) },
    ]),
);
