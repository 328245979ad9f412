import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as zlib from 'node:zlib';
import { MAX_BODY_BYTES } from '../../src/api/graphql/route.ts';
import { MAX_FILE_BYTES } from '../../src/feedback/files/files.ts';
import { makeTestApp, testBoth } from '../support/app.ts';
import { FORM_TYPE, isEmpty, listBytes, makeForm } from '../support/files.ts';
import { testWeb } from '../support/web.ts';
import { type Door, makeDoors, makeSender } from './doors.ts';

type Bytes = string | Buffer;

const brotli = (body: Bytes) => zlib.brotliCompressSync(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } });

/** How bodies are compressed, by who was seen to send them so. */
const encoders: Readonly<Record<string, { header: string; encode: (body: Bytes) => Buffer }>> = {
  'Apache HttpClient 4.5, curl': { header: 'gzip', encode: (body) => zlib.gzipSync(body) },
  'older proxies': { header: 'X-GZip', encode: (body) => zlib.gzipSync(body) },
  'Python zlib.compress': { header: 'deflate', encode: (body) => zlib.deflateSync(body) },
  '.NET DeflateStream, without a header': { header: 'deflate', encode: (body) => zlib.deflateRawSync(body) },
  brotli: { header: 'br', encode: brotli },
  zstd: { header: 'zstd', encode: (body) => zlib.zstdCompressSync(body) },
  'nothing, twice': { header: 'identity, ,identity', encode: (body) => Buffer.from(body) },
  'nothing and gzip': { header: 'identity,gzip', encode: (body) => zlib.gzipSync(body) },
};

const ALL = 'gzip, deflate, br, zstd';
const json = (encoding: string) => ['Content-Type: application/json', `Content-Encoding: ${encoding}`];

/** Uploads as a door beside the others. */
const asDoor = ({ key }: { key: string }): Pick<Door, 'path' | 'headers'> => ({
  path: '/api/v1/files',
  headers: [`apikey: ${key}`, 'ssotype: SSO', 'ssoid: ada', `Content-Type: ${FORM_TYPE}`],
});

testBoth('a compressed body is read at every address', async (app) => {
  const doors = await makeDoors(app);
  const { post } = await makeSender(app);
  for (const [client, { header, encode }] of Object.entries(encoders)) {
    for (const [name, door] of Object.entries(doors)) {
      const { status, body } = await post(door, json(header), encode(door.bodyOf('Größe 🌒')));
      assert.ok(status === 200 || status === 201, `${name}, ${client}: ${body}`);
      assert.equal(door.storedIn(body), 'Größe 🌒', `${name}, ${client}`);
    }
    const bytes = Buffer.from('hello '.repeat(50_000));
    const form = makeForm([{ filename: 'Größe.txt', bytes }]);
    const uploaded = await post(asDoor(app), [`Content-Encoding: ${header}`], encode(form));
    const { size, name } = JSON.parse(uploaded.body);
    assert.deepEqual([uploaded.status, size, name], [201, bytes.length, 'Größe.txt'], client);
  }
});

/** A body of gzip in several members, one of them empty: programs that append to a compressed file send such. */
const inMembers = (body: Buffer): Buffer =>
  Buffer.concat([body.subarray(0, 9), Buffer.alloc(0), body.subarray(9)].map((part) => zlib.gzipSync(part)));

testBoth('a body of gzip may have several members, and nothing after them', async (app) => {
  const doors = await makeDoors(app);
  const { post } = await makeSender(app);
  for (const [name, door] of Object.entries(doors)) {
    const before = await door.count();
    const bytes = inMembers(Buffer.from(door.bodyOf('Size')));
    for (const rest of ['more', '\0\0\0', '\0\0more', '\x1f']) {
      const sent = await post(door, json('gzip'), Buffer.concat([bytes, Buffer.from(rest)]));
      assert.deepEqual([sent.status, sent.json().field], [400, 'content-encoding'], `${name}, ${JSON.stringify(rest)}`);
    }
    assert.equal(await door.count(), before, name);
    const { body } = await post(door, json('gzip'), bytes);
    assert.equal(door.storedIn(body), 'Size', name);
  }
  const form = makeForm([{ filename: 'a.txt', bytes: 'hello '.repeat(50_000) }]);
  const uploaded = await post(asDoor(app), ['Content-Encoding: gzip'], inMembers(form));
  assert.deepEqual([uploaded.status, JSON.parse(uploaded.body).size], [201, 300_000]);
});

testBoth('an encoding that is not understood is refused with 415, which names those that are', async (app) => {
  const doors = {
    ...(await makeDoors(app)),
    uploads: { ...asDoor(app), bodyOf: (text: string) => text, count: async () => 0 },
  };
  const { post } = await makeSender(app);
  for (const [name, door] of Object.entries(doors)) {
    for (const encoding of [
      'compress',
      'gzip, gzip',
      'br,gzip',
      'utf-8',
      'aws-chunked',
      '__proto__',
      'x'.repeat(5_000),
    ]) {
      const sent = await post(
        door,
        name === 'uploads' ? [`Content-Encoding: ${encoding}`] : json(encoding),
        zlib.gzipSync(door.bodyOf('x')),
      );
      const { code, field, message } = sent.json();
      assert.deepEqual([sent.status, code, field], [415, 'BAD_REQUEST', 'content-encoding'], `${name}, ${encoding}`);
      assert.equal(sent.headers.get('accept-encoding'), ALL, `${name}, ${encoding}`);
      assert.ok(message.startsWith(`Content-Encoding must be one of ${ALL}, or be left out; it is `), message);
      assert.ok(message.length < 200);
    }
    assert.equal(await door.count(), 0, name);
  }
  assert.ok(await isEmpty(app));
});

testBoth('a compressed body that is cut off, damaged, or longer than its stream is refused with 400', async (app) => {
  const doors = await makeDoors(app);
  const { post } = await makeSender(app);
  const form = makeForm([{ filename: 'a.txt', bytes: 'hello '.repeat(20_000) }]);
  for (const { header, encode } of Object.values(encoders)) {
    if (header.startsWith('identity, ')) continue;
    const broken = (body: Bytes) => {
      const whole = encode(body);
      return [
        whole.subarray(0, -3),
        whole.subarray(0, whole.length / 2),
        Buffer.concat([whole, Buffer.from('more')]),
        Buffer.from(body),
      ];
    };
    for (const [name, door] of Object.entries(doors)) {
      for (const [n, bytes] of broken(door.bodyOf('Size')).entries()) {
        const sent = await post(door, json(header), bytes);
        assert.deepEqual([sent.status, sent.json().field], [400, 'content-encoding'], `${name}, ${header}, ${n}`);
        assert.match(
          sent.json().message,
          /^The body cannot be decoded as (gzip|deflate|br|zstd): it is cut off or damaged$/,
        );
      }
      assert.equal(await door.count(), 0, name);
    }
    for (const [n, bytes] of broken(form).entries()) {
      const sent = await post(asDoor(app), [`Content-Encoding: ${header}`], bytes);
      assert.equal(sent.status, 400, `uploads, ${header}, ${n}: ${sent.body}`);
      assert.ok(await isEmpty(app), `uploads, ${header}, ${n}`);
    }
  }
  assert.deepEqual(app.logged, []);
});

test('a body may have as many bytes after decompressing as without, and no more of it is decompressed', async (t) => {
  const app = await makeTestApp(t, 'sqlite');
  const doors = await makeDoors(app);
  const { post } = await makeSender(app);
  const limits = {
    GraphQL: [MAX_BODY_BYTES, '1 MiB'],
    MCP: [MAX_BODY_BYTES, '1 MiB'],
    REST: [16_384, '16 KiB'],
  } as const;
  for (const { header, encode } of Object.values(encoders)) {
    for (const [name, [limit, words]] of Object.entries(limits)) {
      const door = doors[name] ?? assert.fail(name);
      const body = door.bodyOf('Size');
      const send = (bytes: number) => post(door, json(header), encode(body.padEnd(bytes)));
      assert.ok((await send(limit)).status < 300, `${name}, ${header}`);
      const sent = await send(limit + 1);
      const { code, message } = sent.json();
      assert.deepEqual([sent.status, code], [413, 'PAYLOAD_TOO_LARGE'], `${name}, ${header}`);
      assert.equal(message, `The body is larger than the limit of ${words}`);
    }
  }
  const most = Buffer.alloc(MAX_FILE_BYTES);
  const upload = (header: string, ...parts: Bytes[]) => {
    const form = Buffer.concat(parts.map((part) => Buffer.from(part)));
    return post(
      asDoor(app),
      [`Content-Encoding: ${header}`],
      header === 'br' ? brotli(form) : zlib.zstdCompressSync(form),
    );
  };
  for (const header of ['br', 'zstd']) {
    assert.equal((await upload(header, makeForm([{ filename: 'a', bytes: most }]))).status, 201, header);
    const before = listBytes(app).length;
    for (const form of [
      makeForm([{ filename: 'a', bytes: Buffer.alloc(MAX_FILE_BYTES + 1) }]),
      Buffer.concat([most, most]),
    ]) {
      assert.equal((await upload(header, form, makeForm([{ filename: 'a', bytes: 'a' }]))).status, 413, header);
    }
    assert.equal(listBytes(app).length, before);
  }
});

testWeb('a form that is compressed, in another charset or not in UTF-8 is refused with a clear error', async (web) => {
  const { exchange } = await makeSender(web);
  const post = (headers: readonly string[], body: Bytes) =>
    exchange(
      'POST /look',
      ['Host: board.test', 'Origin: http://board.test', 'Sec-Fetch-Site: same-origin', ...headers],
      Buffer.from(body),
    );
  const TYPE = 'Content-Type: application/x-www-form-urlencoded';
  const PARTS = `Content-Type: ${FORM_TYPE}`;
  const parts = (...own: Parameters<typeof makeForm>[0]) => makeForm([{ field: 'next', bytes: '/b/acme' }, ...own]);
  const latin1 = Buffer.from('Größe', 'latin1');
  const refused: [what: string, status: number, words: RegExp, sent: ReturnType<typeof post>][] = [
    [
      'gzip',
      415,
      /^A form must not be compressed: send it without Content-Encoding/,
      post([TYPE, 'Content-Encoding: gzip'], zlib.gzipSync('next=/b/acme')),
    ],
    ['compress', 415, /^Content-Encoding must be one of/, post([TYPE, 'Content-Encoding: compress'], 'next=/b/acme')],
    [
      'a charset',
      415,
      /^The charset in Content-Type must be utf-8, not latin1/,
      post([`${TYPE}; charset=latin1`], 'next=/b/acme'),
    ],
    ['a charset of parts', 415, /must be utf-8, not utf-16/, post([`${PARTS}; charset=utf-16`], parts())],
    [
      'percent-encoded bytes',
      400,
      /^The form is not in UTF-8, so nothing was changed/,
      post([TYPE], 'next=/b/acme&text=Gr%F6%DFe'),
    ],
    ['raw bytes', 400, /not in UTF-8/, post([TYPE], Buffer.concat([Buffer.from('next=/b/acme&text='), latin1]))],
    ['a name', 400, /not in UTF-8/, post([TYPE], 'next=/b/acme&%f6=1')],
    ['a part', 400, /not in UTF-8/, post([PARTS], parts({ field: 'text', bytes: latin1 }))],
    [
      'a part that only looks like a file',
      400,
      /not in UTF-8/,
      post([PARTS], parts({ field: 'a; filename=x', bytes: latin1 })),
    ],
    [
      'the name of a file',
      400,
      /not in UTF-8/,
      post([PARTS], Buffer.from(parts({ filename: 'Größe', bytes: 'a' }).toString(), 'latin1')),
    ],
  ];
  for (const [what, status, words, sent] of refused) {
    assert.equal((await sent).status, status, `${what}: ${(await sent).body}`);
    assert.match((await sent).body, words, what);
  }
  const taken = [
    post([TYPE, 'Content-Encoding: identity'], 'next=/b/acme&text=Gr%C3%B6%c3%9fe+%+%zz'),
    post([`${TYPE}; charset="UTF-8"`], 'next=/b/acme&text=Größe'),
    post([PARTS], parts({ field: 'text', bytes: 'Größe' }, { filename: 'Größe', bytes: latin1 })),
  ];
  for (const sent of taken) assert.equal((await sent).status, 302, (await sent).body);
  assert.deepEqual(web.logged, []);
});
