import { eachOf, makeDoor } from '../attack.ts';
import type { Target } from '../target.ts';
import { hostileTexts } from '../texts.ts';
import type { HostileRequest } from '../wire.ts';
import { bodies, chunksOf, idempotencyKeys, mediaTypes } from './bodies.ts';

const PATH = '/api/v1/webhooks';
/** An id of no webhook. */
const ID = '01a1ff42-09f5-7000-9fa3-da8e3706634a';

/** Values that are not what a property of a webhook is. */
const values: Readonly<Record<string, unknown>> = {
  nothing: null,
  'a number': 1e308,
  'many items': Array(5_000).fill('post.created'),
  'lists in lists': JSON.parse(`${'['.repeat(4_000)}${']'.repeat(4_000)}`),
  'an object with many fields': Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`a${n}`, n])),
};

const searches = [
  'limit=1e9',
  'limit=-1',
  'limit=1&limit=2',
  'limit=%00',
  'state=__proto__',
  'state[]=waiting',
  `cursor=${'0'.repeat(9_000)}`,
  'cursor=%ff',
  'event=%27%20or%201=1--',
  'a=b&'.repeat(3_000),
];

/** Webhooks as a key manages them: bodies, values, ids and parameters that are none. Nothing is sent to a receiver. */
export const webhookDoor = makeDoor('webhooks', {
  ...eachOf(bodies, (body, name) => ({
    [name]: (target) => create(target, body),
    [`${name}, in chunks`]: (target) => create(target, chunksOf(Buffer.from(body)), { 'transfer-encoding': 'chunked' }),
    [`${name}, for one that is not there`]: ({ apiHeaders }) =>
      ['enable', 'disable', 'test', 'rotate-secret', 'settle-secret'].map((verb) => ({
        path: `${PATH}/${ID}/${verb}`,
        headers: apiHeaders,
        body,
      })),
  })),
  ...eachOf(mediaTypes, (type, name) => ({
    [`as ${name}`]: (target) => create(target, '{"url":"http://10.0.0.1/"}', { 'content-type': type }),
  })),
  ...eachOf(idempotencyKeys, (key, name) => ({
    [`an idempotency key: ${name}`]: (target) =>
      create(target, { url: 'http://10.0.0.1/' }, { 'idempotency-key': key }),
  })),
  ...eachOf(values, (value, name) => ({
    [`a value: ${name}`]: (target) =>
      ['url', 'events', 'signingSecret', 'verifyToken', 'enable', '__proto__', 'constructor'].map((property) =>
        create(target, `{"url":"http://10.0.0.1/",${JSON.stringify(property)}:${JSON.stringify(value)}}`),
      ),
  })),
  ...eachOf(hostileTexts, (make, name) => ({
    [`a text: ${name}`]: (target) =>
      [100, 2_000, 9_000].flatMap((length) => [
        create(target, { url: `http://10.0.0.1/${make(length)}` }),
        create(target, { url: `http://${make(length)}.invalid/` }),
        create(target, { url: 'http://10.0.0.1/', signingSecret: make(length), events: [make(length)] }),
        create(target, { [make(length)]: 1 }),
      ]),
  })),
  parameters: ({ apiHeaders }) =>
    searches.flatMap((search) => [
      { path: `${PATH}?${search}`, headers: apiHeaders },
      { path: `${PATH}/${ID}/deliveries?${search}`, headers: apiHeaders },
    ]),
  ids: ({ apiHeaders }) =>
    ['..', '%00', '__proto__', '%2e%2e', "'", 'x'.repeat(99), 'x'.repeat(9_000), '%', '%ff'].flatMap((id) => [
      { path: `${PATH}/${id}`, headers: apiHeaders },
      { path: `${PATH}/${ID}/deliveries/${id}`, headers: apiHeaders },
      { path: `${PATH}/${id}`, headers: apiHeaders, method: 'DELETE' },
    ]),
  'every method': ({ apiHeaders }) =>
    ['HEAD', 'PUT', 'OPTIONS', 'TRACE', 'BREW'].map((method) => ({ method, path: PATH, headers: apiHeaders })),
  'without a key': (target) => create(target, bodies['more than there may be'] ?? '', { apikey: 'x' }),
});

function create(
  { apiHeaders }: Target,
  body: string | Buffer | object,
  headers: Record<string, string> = {},
): HostileRequest {
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  return { path: PATH, headers: { ...apiHeaders, ...headers }, body: isText ? body : JSON.stringify(body) };
}
