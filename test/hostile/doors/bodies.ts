import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { eachOf, makeDoor } from '../attack.ts';
import type { Target } from '../target.ts';
import { hostileTexts, repeat } from '../texts.ts';
import type { HostileRequest } from '../wire.ts';

const QUERY = '{"query":"{ board { id } }"}';

/** Bodies that are no requests, or far too large. */
export const bodies: Readonly<Record<string, string | Buffer>> = {
  nothing: '',
  null: 'null',
  'a number': '1',
  'a list': '[]',
  'a batch': `[${Array(200).fill(QUERY).join(',')}]`,
  'a batch of many': `[${Array(30_000).fill(QUERY).join(',')}]`,
  'a persisted query': '{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"00"}}}',
  'half of it': '{"query":"{ boa',
  'lists that do not end': '['.repeat(1_000_000),
  'objects that do not end': '{"a":'.repeat(200_000),
  'a query that is a list': '{"query":["{ board { id } }"]}',
  'a query that is an object': '{"query":{"toString":"a"}}',
  'a prototype': '{"__proto__":{"query":"{ board { id } }"}}',
  'a mark at its beginning': `\ufeff${QUERY}`,
  'no UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x22, 0x7d]),
  'random bytes': Buffer.from(Array.from({ length: 100_000 }, (_, n) => (n * 7_919) % 256)),
  spaces: `${' '.repeat(1_000_000)}${QUERY}`,
  'as much as there may be': `{"query":"{ board { id } }","x":"${'x'.repeat(1_048_000)}"}`,
  'more than there may be': 'x'.repeat(1_200_000),
  'an escape in each letter': `{"query":"${repeat('\\u0041', 900_000)}"}`,
};

export const mediaTypes: Readonly<Record<string, string>> = {
  'no media type': '',
  text: 'text/plain',
  'a form': 'application/x-www-form-urlencoded',
  'a form of parts': 'multipart/form-data; boundary=x',
  GraphQL: 'application/graphql',
  'another character set': 'application/json; charset=utf-16',
  'an unknown character set': 'application/json; charset=ebcdic-int',
  'many parameters': `application/json${'; a=b'.repeat(2_000)}`,
  quotes: `application/json; charset="${'\\"'.repeat(3_000)}`,
  slashes: '/'.repeat(8_000),
  'what is no media type': 'application/json, application/json',
  'a star': '*/*',
};

const MANY = Buffer.alloc(100_000_000);

/** What bodies say of how they are compressed, and what they are. */
const compressed: Readonly<Record<string, readonly [encoding: string, body: string | Buffer]>> = {
  'a bomb of zstd': ['zstd', zstdCompressSync(MANY)],
  'a bomb of Brotli': ['br', brotliCompressSync(MANY, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  'a bomb of gzip': ['gzip', gzipSync(MANY.subarray(0, 20_000_000))],
  'a bomb in a bomb': ['gzip, gzip', gzipSync(gzipSync(MANY.subarray(0, 20_000_000)))],
  // A frame without its size, whose window is the largest that there is (RFC 8878, §3.1.1.1.2).
  'a window of terabytes': ['zstd', Buffer.from('28b52ffd00ff0100006161', 'hex')],
  'a window of Brotli that is too large': ['br', Buffer.from('1100ff', 'hex')],
  'random bytes': ['deflate', Buffer.from(Array.from({ length: 100_000 }, (_, n) => (n * 7_919) % 256))],
  'nothing of it': ['gzip', gzipSync(QUERY).subarray(0, 10)],
  'members without an end': ['gzip', Buffer.concat(Array(2_000).fill(gzipSync('')))],
  'frames that are skipped': ['zstd', Buffer.concat(Array(50_000).fill(Buffer.from('502a4d1800000000', 'hex')))],
  'many names': [`${'gzip,'.repeat(2_500)}gzip`, QUERY],
  'a prototype': ['__proto__', QUERY],
};

export const idempotencyKeys: Readonly<Record<string, string>> = {
  nothing: '',
  spaces: '   ',
  'too long': 'x'.repeat(256),
  'much too long': 'x'.repeat(12_000),
  marks: 'e\u0301'.repeat(100),
  'percent signs': '%00%0a%0d'.repeat(20),
  'a bell': '\u0007',
  'a key in quotes': '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
};

const CREATE = { query: 'mutation($t: String!) { createPost(title: $t) { id } }' };

/** Bodies, media types, methods and idempotency keys at the address of GraphQL. */
export const bodyDoor = makeDoor('bodies', {
  ...eachOf(bodies, (body, name) => ({
    [name]: ({ apiHeaders }) => ({ path: '/api/v1/graphql', headers: apiHeaders, body }),
    [`${name}, in chunks`]: ({ apiHeaders }) => ({
      path: '/api/v1/graphql',
      headers: { ...apiHeaders, 'transfer-encoding': 'chunked' },
      body: chunksOf(Buffer.from(body)),
    }),
  })),
  ...eachOf(mediaTypes, (type, name) => ({
    [`as ${name}`]: ({ apiHeaders }) => ({
      path: '/api/v1/graphql',
      headers: { ...apiHeaders, 'content-type': type },
      body: QUERY,
    }),
    [`accepting ${name}`]: ({ apiHeaders }) => ({
      path: '/api/v1/graphql',
      headers: { ...apiHeaders, accept: type },
      body: QUERY,
    }),
  })),
  ...eachOf(compressed, ([encoding, body], name) => ({
    [`compressed: ${name}`]: ({ apiHeaders }) =>
      ['/api/v1/graphql', '/api/v1/mcp', '/api/v1/webhooks', '/api/v1/files', '/sign-in'].map((path) => ({
        path,
        headers: {
          ...apiHeaders,
          'content-encoding': encoding,
          ...(path.endsWith('files') && { 'content-type': 'multipart/form-data; boundary=x' }),
        },
        body,
      })),
  })),
  ...eachOf(idempotencyKeys, (key, name) => ({
    [`an idempotency key: ${name}`]: (target, random) => creating(target, key, random.text()),
  })),
  ...eachOf(hostileTexts, (make, name) => ({
    [`the title of a request that is repeated: ${name}`]: (target, random) => {
      const request = creating(target, random.text(), make(190));
      return [request, request, creating(target, random.text(), make(500_000))];
    },
  })),
  'a body in chunks of a byte': ({ apiHeaders }) => ({
    path: '/api/v1/graphql',
    headers: { ...apiHeaders, 'transfer-encoding': 'chunked' },
    body: `${' '.repeat(500_000).replaceAll(' ', '1\r\n \r\n')}0\r\n\r\n`,
  }),
  'every method': ({ apiHeaders }) =>
    ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'BREW', 'get'].map((method) => ({
      method,
      path: '/api/v1/graphql',
      headers: apiHeaders,
    })),
  'addresses with odd parameters': ({ apiHeaders }) =>
    [
      'query=%',
      'query=%ff',
      'query={board{id}}&query={board{id}}',
      'variables=[',
      'variables=%5B',
      `${'a&'.repeat(6_000)}`,
    ].map((search) => ({ path: `/api/v1/graphql?${search}`, headers: apiHeaders })),
});

function creating({ apiHeaders }: Target, key: string, title: string): HostileRequest {
  const headers = { ...apiHeaders, 'idempotency-key': key };
  return { path: '/api/v1/graphql', headers, body: JSON.stringify({ ...CREATE, variables: { t: title } }) };
}

/** A body in chunks of a thousand bytes. */
export function chunksOf(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += 1_000) {
    const part = body.subarray(at, at + 1_000);
    chunks.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}
