import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { fetchFile, listBytes, makeForm, sendForm, upload } from '../../../test/support/files.ts';
import {
  JPEG,
  makeChunk,
  makeExifOf,
  makePng,
  makeSegment,
  makeWebpChunk,
  WEBP,
  withSegments,
  withWebpChunks,
} from '../../../test/support/pictures.ts';
import { cleanPicture, MAX_PARTS } from './pictures.ts';
import { MAX_PIXELS } from './uploading.ts';

const SECRET = 'SECRET 48.137 N 11.575 E';
const EXIF = 'Exif\0\0';
const exifOf = (orientation: number) => Buffer.concat([Buffer.from(EXIF), makeExifOf(orientation, SECRET)]);

const jpegOf = (orientation: number) =>
  withSegments(
    JPEG,
    [
      makeSegment(0xe1, exifOf(orientation)),
      makeSegment(0xe1, `http://ns.adobe.com/xap/1.0/\0<x>${SECRET}</x>`),
      makeSegment(0xe1, exifOf(3)),
      makeSegment(0xe2, `MPF\0${SECRET}`),
      makeSegment(0xed, `Photoshop 3.0\0${SECRET}`),
      makeSegment(0xfe, SECRET),
    ],
    `${SECRET}${withSegments(JPEG, [makeSegment(0xe1, exifOf(1))]).toString('latin1')}`,
  );
const pngOf = (orientation: number) =>
  Buffer.concat([
    makePng(3, 2, [
      makeChunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f])),
      makeChunk('eXIf', makeExifOf(orientation, SECRET)),
      makeChunk('tEXt', `Comment\0${SECRET}`),
      makeChunk('iTXt', `XML:com.adobe.xmp\0\0\0\0\0${SECRET}`),
      makeChunk('caBX', SECRET),
    ]),
    Buffer.from(SECRET),
  ]);
const webpOf = (orientation: number) =>
  withWebpChunks(WEBP, [
    makeWebpChunk('EXIF', makeExifOf(orientation, SECRET)),
    makeWebpChunk('XMP ', SECRET),
    makeWebpChunk('none', SECRET),
  ]);

/** What Exif data of ours say and nothing else: the orientation is at the place of the first entry's value. */
function orientationIn(bytes: Buffer): number | null {
  const at = bytes.indexOf('MM\0*', 0, 'latin1');
  return at < 0 ? null : bytes.readUInt16BE(at + 18);
}

testBoth('a picture keeps its orientation, and nothing that identifies its maker', async (app) => {
  for (const make of [jpegOf, pngOf, webpOf]) {
    for (const orientation of [1, 6, 8]) {
      const bytes = make(orientation);
      assert.ok(bytes.includes(SECRET));
      const file = await upload(app, { filename: 'photo', bytes });
      const { rawPayload: served } = await fetchFile(app, file.url);
      assert.equal(served.includes('SECRET'), false);
      assert.equal(file.size, served.length);
      assert.equal(orientationIn(served), orientation === 1 ? null : orientation, `${make} ${orientation}`);
      const again = cleanPicture(file.contentType, served);
      assert.deepEqual(again?.bytes, served, 'what is clean stays as it is');
      const row = await findFile(app, file.id);
      assert.deepEqual([row.width, row.height], orientation === 1 ? [3, 2] : [2, 3], `${make} ${orientation}`);
    }
  }
});

function findFile({ db }: TestApp, id: string) {
  return db.read.selectFrom('files').select(['width', 'height']).where('id', '=', id).executeTakeFirstOrThrow();
}

testBoth('files without a known size, such as texts and broken pictures, have none', async (app) => {
  for (const bytes of [Buffer.from('text'), makePng(0, 2)]) {
    const { id } = await upload(app, { filename: 'file', bytes });
    assert.deepEqual({ ...(await findFile(app, id)) }, { width: null, height: null });
  }
});

testBoth('a picture without metadata is served as it was', async (app) => {
  for (const bytes of [JPEG, WEBP, makePng(3, 2)]) {
    const file = await upload(app, { filename: 'picture', bytes });
    assert.deepEqual((await fetchFile(app, file.url)).rawPayload, bytes, file.contentType);
  }
});

/** Pictures of five kinds that claim a size. */
const claiming: Record<string, (width: number, height: number) => Buffer> = {
  'image/png': (width, height) => makePng(width, height),
  'image/jpeg'(width, height) {
    const bytes = Buffer.from(JPEG);
    const frame = bytes.indexOf(Buffer.from([0xff, 0xc0, 0, 0x11]));
    bytes.writeUInt16BE(height, frame + 5);
    bytes.writeUInt16BE(width, frame + 7);
    return bytes;
  },
  'image/webp'(width, height) {
    const bytes = Buffer.from(WEBP);
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
    return bytes;
  },
  'image/gif'(width, height) {
    const bytes = Buffer.from('474946383961010001000000002c000000000100010080000000ffffff02024401003b', 'hex');
    bytes.writeUInt16LE(width, 18);
    bytes.writeUInt16LE(height, 20);
    return bytes;
  },
  'image/avif'(width, height) {
    const ispe = Buffer.alloc(20);
    ispe.writeUInt32BE(20);
    ispe.write('ispe', 4);
    ispe.writeUInt32BE(width, 12);
    ispe.writeUInt32BE(height, 16);
    const meta = Buffer.alloc(12);
    meta.writeUInt32BE(12 + ispe.length);
    meta.write('meta', 4);
    return Buffer.concat([Buffer.from('\0\0\0\x14ftypavif\0\0\0\0avif', 'latin1'), meta, ispe]);
  },
};

testBoth('a picture may claim the maximum number of pixels, and not one more', async (app) => {
  const [width, height] = [8_192, MAX_PIXELS / 8_192];
  for (const [type, make] of Object.entries(claiming)) {
    for (const bytes of [make(width, height - 1), make(width, height)]) {
      assert.equal((await upload(app, { filename: 'a', bytes })).contentType, type);
    }
    await app.db.transaction((tx) => tx.deleteFrom('files').execute());
    const before = listBytes(app);
    const response = await sendForm(app, makeForm([{ filename: 'a', bytes: make(width, height + 1) }]));
    assert.equal(response.statusCode, 400, type);
    const [{ message, extensions }] = response.json().errors;
    assert.deepEqual([extensions.code, extensions.field], ['BAD_REQUEST', 'file'], type);
    assert.equal(message, 'An image may have at most 52,428,800 pixels; it has 52,436,992');
    assert.deepEqual(listBytes(app), before, 'nothing of it is left');
  }
});

test('a picture of too many parts is refused before it costs anything', () => {
  const of = (count: number) => withSegments(JPEG, Array(count).fill(makeSegment(0xfe, '')));
  const own = 10;
  assert.ok(cleanPicture('image/jpeg', of(MAX_PARTS - own)));
  assert.throws(() => cleanPicture('image/jpeg', of(MAX_PARTS - own + 1)), /at most 20,000 parts/);
});

test('broken pictures are read as far as they go, and come to an end', () => {
  for (const make of [jpegOf, pngOf, webpOf, ...Object.values(claiming).map((claim) => () => claim(3, 2))]) {
    const whole = make(6);
    for (let length = 12; length < whole.length; length++) {
      for (const type of Object.keys(claiming)) cleanPicture(type, whole.subarray(0, length));
    }
  }
});
