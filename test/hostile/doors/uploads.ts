import { deflateSync } from 'node:zlib';
import { BOUNDARY, FORM_TYPE, makeForm, type Part } from '../../support/files.ts';
import { eachOf, makeDoor } from '../attack.ts';
import type { Target } from '../target.ts';
import { hostileTexts } from '../texts.ts';
import type { HostileRequest } from '../wire.ts';

/** Files that are not what they say, or say more than they are. */
const files: Readonly<Record<string, Buffer>> = {
  nothing: Buffer.alloc(0),
  'a PNG of billions of pixels': png(0x7fffffff, 0x7fffffff, Buffer.alloc(10)),
  'a PNG that is a bomb': png(20_000, 20_000, deflateSync(Buffer.alloc(20_000_000))),
  'a PNG of many chunks': Buffer.concat([
    png(1, 1, Buffer.alloc(1)),
    ...Array(50_000).fill(chunk('tEXt', Buffer.alloc(0))),
  ]),
  'a PNG with a chunk that is longer than the file': Buffer.concat([
    png(1, 1, Buffer.alloc(1)).subarray(0, 33),
    Buffer.from('7fffffff49444154', 'hex'),
  ]),
  'a JPEG that is cut off': Buffer.from('ffd8ffe1ffff4578696600004d4d002a00000008ffff', 'hex'),
  'a JPEG of many segments': Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    ...Array(100_000).fill(Buffer.from('ffe00002', 'hex')),
    Buffer.from('ffd9', 'hex'),
  ]),
  'a JPEG with pictures in circles': Buffer.from(
    'ffd8ffe100224578696600004d4d002a00000008000187690004000000010000000800000008ffd9',
    'hex',
  ),
  'a GIF of a large screen': Buffer.from('474946383961ffffffff80000000000000ffffff2c00000000ffffffff0002', 'hex'),
  'a WebP of a large size': Buffer.from('52494646ffffffff57454250565038580a000000ff000000ffffffffffff', 'hex'),
  'an AVIF of boxes in boxes': Buffer.concat(Array(5_000).fill(Buffer.from('0000ffff667479706176696600000000', 'hex'))),
  'a ZIP that is a bomb': Buffer.concat(Array(20_000).fill(Buffer.from('504b0304140000000800', 'hex'))),
  'an XML of entities': Buffer.from(
    `<?xml version="1.0"?><!DOCTYPE a [${'<!ENTITY a "&a;&a;">'.repeat(20_000)}]><svg>&a;</svg>`,
  ),
  'a page': Buffer.from('<!doctype html><script>alert(1)</script>'),
  'a TIFF of many pictures': Buffer.concat([Buffer.from('49492a0008000000ffff', 'hex'), Buffer.alloc(700_000, 1)]),
  'an ID3 tag of a large size': Buffer.from('4944330400007f7f7f7f00', 'hex'),
  'an MKV of large elements': Buffer.concat([Buffer.from('1a45dfa3', 'hex'), Buffer.alloc(300_000, 0xff)]),
  'a file that is too large': Buffer.alloc(10_485_761, 97),
  'random bytes': Buffer.from(Array.from({ length: 500_000 }, (_, n) => (n * 7_919 + (n >> 8)) % 256)),
};

const bodies: Readonly<Record<string, Buffer>> = {
  'many files': makeForm(Array(2_000).fill({ filename: 'a', bytes: 'b' } satisfies Part)),
  'many fields': makeForm(Array(2_000).fill({ bytes: 'b' } satisfies Part)),
  'a file behind many fields': makeForm([...Array(999).fill({ bytes: 'b' }), { filename: 'a', bytes: 'b' }]),
  'a header without an end': Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: ${'a'.repeat(2_000_000)}`),
  'many headers': Buffer.from(`--${BOUNDARY}\r\n${'a: b\r\n'.repeat(200_000)}\r\n`),
  'a body without an end': makeForm([{ filename: 'a', bytes: 'b'.repeat(100_000) }]).subarray(0, 50_000),
  'no boundary': Buffer.alloc(1_000_000, 45),
  prototypes: makeForm([{ field: '__proto__', filename: '__proto__', bytes: 'b' }]),
  'an encoding': makeForm([
    { filename: 'a', type: 'text/plain\r\nContent-Transfer-Encoding: base64', bytes: '=='.repeat(9_000) },
  ]),
};

/** What the head of a part may say of its file. */
const dispositions: Readonly<Record<string, string>> = {
  'parameters that do not end': `form-data${';a="x'.repeat(650)}`,
  'quotes that do not end': `form-data; filename="${'"x'.repeat(1_700)}`,
  'escapes that do not end': `form-data; filename="${'\\'.repeat(3_500)}`,
  'words that do not end': `form-data; filename="${'=?utf-8?q?'.repeat(340)}"`,
  'many words': `form-data; filename="${'=?utf-8?b?AAAA?= '.repeat(200)}"`,
  'words in odd charsets': `form-data; filename="${'=?utf-7?q?+AAA-?==?utf-16?b?2AA=?='.repeat(50)}"`,
  'many percent signs': `form-data; filename*=UTF-8''${'%c3%bf%'.repeat(480)}`,
  'a charset that is long': `form-data; filename*=${'x'.repeat(3_000)}''a`,
  spaces: `form-data;${' '.repeat(3_500)}=`,
};

/** Uploads of the API: files that are broken or large, names that are odd, and bodies that are no forms. */
export const uploadDoor = makeDoor('uploads', {
  ...eachOf(files, (bytes, name) => ({
    [name]: ({ apiHeaders, filePath }) => [
      upload(apiHeaders, makeForm([{ filename: 'a.png', bytes }])),
      upload(apiHeaders, makeForm([{ filename: 'a.jpg', type: 'image/jpeg', bytes }])),
      { path: filePath },
    ],
    [`${name}, as a logo`]: ({ boardPath, ownerHeaders }) => ({
      path: `${boardPath}/settings/general`,
      headers: { ...ownerHeaders, 'content-type': FORM_TYPE },
      body: makeForm([
        { field: 'intent', bytes: 'logo' },
        { field: 'logo', filename: 'a.png', type: 'image/png', bytes: bytes.subarray(0, 1_000_000) },
      ]),
    }),
    [`${name}, as a picture of an idea`]: ({ boardPath, ownerHeaders }) => ({
      path: `${boardPath}/uploads`,
      headers: { ...ownerHeaders, 'content-type': FORM_TYPE },
      body: makeForm([{ field: 'file', filename: 'a.png', type: 'image/png', bytes: bytes.subarray(0, 1_000_000) }]),
    }),
    [`${name}, as the picture of a user`]: ({ boardPath, ownerHeaders }) => ({
      path: `${boardPath}/settings/profile`,
      headers: { ...ownerHeaders, 'content-type': FORM_TYPE },
      body: makeForm([
        { field: 'intent', bytes: 'picture' },
        { field: 'picture', filename: 'a.png', type: 'image/png', bytes: bytes.subarray(0, 1_000_000) },
      ]),
    }),
    [`${name}, to import`]: (target) => importOf(target, makeForm([{ filename: 'a.csv', bytes }])),
  })),
  ...eachOf(bodies, (body, name) => ({
    [name]: ({ apiHeaders }) => upload(apiHeaders, body),
    [`${name}, to import`]: (target) => importOf(target, body),
  })),
  ...eachOf(dispositions, (disposition, name) => ({
    [`the head of a part: ${name}`]: ({ apiHeaders }) =>
      upload(
        apiHeaders,
        Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n\r\na\r\n--${BOUNDARY}--`),
      ),
  })),
  ...eachOf(hostileTexts, (make, name) => ({
    [`a name: ${name}`]: ({ apiHeaders }) =>
      [200, 7_000, 60_000].map((length) =>
        upload(apiHeaders, makeForm([{ filename: make(length).replaceAll(/[\r\n]/g, ' '), bytes: 'text' }])),
      ),
  })),
  'other media types': ({ apiHeaders }) =>
    [
      'text/plain',
      'multipart/form-data',
      'multipart/mixed; boundary=x',
      `multipart/form-data; boundary=${'x'.repeat(9_000)}`,
    ].map((type) => ({ path: '/api/v1/files', headers: { ...apiHeaders, 'content-type': type }, body: 'text' })),
  'without a key': ({ apiHeaders }) =>
    upload({ ...apiHeaders, apikey: 'x' }, files['a file that is too large'] ?? Buffer.alloc(0)),
});

/** Parts of a file that are asked for. */
const ranges = [
  'bytes=0-',
  'bytes=-1',
  'bytes=-0',
  'bytes=5-1',
  'bytes=99999999999999999999-',
  'bytes=0-99999999999999999999',
  'bytes=-99999999999999999999',
  'bytes=a-b',
  'bytes=0-0,1-1',
  `bytes=${'0-1,'.repeat(3_000)}0-1`,
  'lines=0-1',
  '',
];

/** Files as they are asked for. */
export const fileDoor = makeDoor('files', {
  ranges: ({ filePath }) => ranges.map((range) => ({ path: filePath, headers: { range } })),
  'ranges of a file that was changed': ({ filePath }) =>
    ['"', 'W/"a"', 'Sat, 30 Feb 2026', 'x'.repeat(9_000)].map((tag) => ({
      path: filePath,
      headers: { range: 'bytes=0-1', 'if-range': tag, 'if-none-match': tag },
    })),
  'other paths': ({ filePath }) =>
    ['/..', '/%2e%2e', '%00', '/%2f', '?a', '#a', '/'.repeat(3_000), '/%'].map((end) => ({
      path: `${filePath}${end}`,
    })),
  'paths with dots within': ({ filePath }) =>
    ['..', '%2e%2e', '%252e%252e', '%00', '\\..\\..', '__proto__', 'a'.repeat(9_000)].flatMap((part) =>
      [2, 3, 4].map((at) => ({
        path: filePath
          .split('/')
          .map((own, n) => (n === at ? part : own))
          .join('/'),
      })),
    ),
  'every method': ({ filePath }) =>
    ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'].map((method) => ({ method, path: filePath })),
});

const exportParameters = [
  '',
  'comments=true&votes=true',
  'comments=1',
  'comments=true&comments=true',
  'apikey=a&apikey=b',
  'comments=%',
  '__proto__=1',
  `apikey=${'x'.repeat(12_000)}`,
  'a=b&'.repeat(3_000),
  'comments[]=true',
  'votes=true%00',
];

/** Exports of the board with its hostile texts. */
export const exportDoor = makeDoor('exports', {
  ...eachOf({ csv: 'csv', jsonl: 'jsonl' }, (format) => ({
    [`parameters of ${format}`]: ({ apiHeaders }) =>
      exportParameters.map((search) => ({ path: `/api/${format}?${search}`, headers: apiHeaders })),
    [`the key in the address of ${format}`]: ({ apiHeaders }) => [
      { path: `/api/${format}?comments=true&votes=true&apikey=${apiHeaders.apikey}` },
      { path: `/api/${format}?apikey=${encodeURIComponent('\u0301\u0323'.repeat(800))}` },
      { path: `/api/${format}/..`, headers: apiHeaders },
      { path: `/api/${format}`, headers: apiHeaders, method: 'POST', body: '' },
    ],
    [`the page of ${format}`]: ({ boardPath, ownerHeaders: { cookie = '' } }) =>
      [`format=${format}&comments=on`, 'format=__proto__', 'format=%', 'a&'.repeat(5_000)].map((search) => ({
        path: `${boardPath}/settings/export/file?${search}`,
        headers: { cookie },
      })),
  })),
});

function upload(headers: Record<string, string>, body: Buffer): HostileRequest {
  return { path: '/api/v1/files', headers: { ...headers, 'content-type': FORM_TYPE }, body };
}

function importOf(
  { boardPath, ownerHeaders }: Pick<Target, 'boardPath' | 'ownerHeaders'>,
  body: Buffer,
): HostileRequest {
  const headers = { ...ownerHeaders, 'content-type': FORM_TYPE };
  return { path: `${boardPath}/settings/import/file`, headers, body };
}

function png(width: number, height: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  const magic = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([magic, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** A chunk whose checksum is not looked at. */
function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
}
