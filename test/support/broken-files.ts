import { FIDER_CSV, FIDER_TABLES, packZip, USERVOICE_CSV, zipOf } from './import-files.ts';

/** What an import makes of a file: nothing is wrong with it, some of its lines are, or it cannot be read at all. */
export type Expected = 'fine' | 'lines' | RegExp;
/** A file to import: its name, what it is said to be from, its bytes, and what is expected. */
export type BrokenFile = { name: string; from: string; bytes: Buffer; expected: Expected | null };

const CSV = `title,text,created,email,status,tags,voters
Dark mode,"For nights, ""dark"" ones",2024-02-29,ada@example.com,Planned,"design, ui",ben@example.com
Größe 🌒,Zeile,2024-03-01T10:00:00Z,cleo@example.com,open,,"ada@example.com, ben@example.com"
Export,,2024-03-02 10:00:00,,Completed,api,
`;
const LINES = [
  { row: 'post', id: 'p1', title: 'Dark mode', text: 'Please', dateCreated: '2024-01-01T00:00:00.000Z' },
  { row: 'comment', id: 'c1', postId: 'p1', type: 'BASIC', text: 'Yes', user: { id: 'u1', name: 'Ada' } },
  { row: 'vote', postId: 'p1', type: 'UP', user: { id: 'u2', name: 'Ben' } },
];
const JSONL = LINES.map((line) => `${JSON.stringify(line)}\n`).join('');
const HUGE = 'x'.repeat(10_000_000);
const TEXT_FILES = { csv: CSV, fider: FIDER_CSV, uservoice: USERVOICE_CSV, earshot: JSONL };

const UNREADABLE = /cut off|not CSV|not text|web page|no column|No column|empty|1 MB|too few|columns|ZIP/;

/** Two hundred broken files, and some that only look so. */
export async function makeBrokenFiles(): Promise<BrokenFile[]> {
  return [...brokenTexts(), ...brokenCells(), ...brokenLines(), ...(await brokenBackups())];
}

function text(from: string, name: string, content: string | Buffer, expected: Expected | null): BrokenFile {
  return { name: `${name}.${from === 'earshot' ? 'jsonl' : 'csv'}`, from, bytes: Buffer.from(content), expected };
}

/** Whole files: cut off, in other encodings, of other kinds. */
function* brokenTexts(): Generator<BrokenFile> {
  for (const [from, content] of Object.entries(TEXT_FILES)) {
    const bytes = Buffer.from(content);
    // Where it is cut off, it may still be a shorter file.
    for (let n = 1; n < 12; n++)
      yield text(from, `cut-${n}`, bytes.subarray(0, Math.floor((bytes.length * n) / 12)), null);
    yield text(from, 'empty', '', /empty/);
    yield text(from, 'mark', '\ufeff', /empty/);
    yield text(from, 'newlines', '\n\n\n', /empty/);
    yield text(
      from,
      'latin1',
      Buffer.from(`${content.replace('Go is', 'Gö is')}é`, 'latin1'),
      from === 'earshot' ? /UTF-8/ : null,
    );
    yield text(
      from,
      'half-character',
      Buffer.concat([bytes, Buffer.from([0xf0, 0x9f])]),
      from === 'earshot' ? /UTF-8/ : 'lines',
    );
    yield text(from, 'zip', Buffer.from('PK\x03\x04'), from === 'earshot' ? 'lines' : /ZIP/);
    yield text(
      from,
      'picture',
      Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      from === 'earshot' ? /UTF-8/ : /not text/,
    );
    yield text(from, 'html', '<!doctype html>\n<title>Sign in</title>\n', from === 'earshot' ? 'lines' : UNREADABLE);
    yield text(from, 'no-text', Buffer.alloc(1_000), null);
    if (from === 'earshot') continue;
    yield text(from, 'separated-124', content.replaceAll(',', '|').replaceAll('| ', ', '), null);
    for (const separator of [' ', '\u001f'])
      yield text(from, `separated-${separator.charCodeAt(0)}`, content.replaceAll(',', separator), UNREADABLE);
    yield text(from, 'utf16le-mark', Buffer.from(`\ufeff${content}`, 'utf16le'), 'fine');
    yield text(from, 'utf16be-mark', Buffer.from(`\ufeff${content}`, 'utf16le').swap16(), 'fine');
    yield text(from, 'utf16le', Buffer.from(content, 'utf16le'), 'fine');
    yield text(from, 'utf16be', Buffer.from(content, 'utf16le').swap16(), 'fine');
    yield text(
      from,
      'odd-utf16',
      Buffer.concat([Buffer.from(`\ufeff${content}`, 'utf16le'), Buffer.from([0x61])]),
      'lines',
    );
    yield text(from, 'semicolons', content.replaceAll(',', ';').replaceAll('; ', ', '), null);
    yield text(from, 'old-newlines', content.replaceAll('\n', '\r'), null);
    yield text(from, 'unclosed', content.replace('\n', '\n"'), null);
  }
  yield text('csv', 'two-titles', 'title,Title\na,b\n', 'fine');
  yield text('csv', 'header-only', 'title,text\n', 'fine');
  yield text('nolt', 'too-narrow', CSV, /too few columns/);
  yield text('nolt', 'empty', '', /empty/);
  yield text('csv', 'wide', `title${',x'.repeat(2_000)}\na\n`, /1000 columns/);
}

/** Cells of a readable file: each is a line that is wrong, or a text like others. */
function* brokenCells(): Generator<BrokenFile> {
  const cells: [name: string, row: string, expected: Expected][] = [
    ['formula', '"=cmd|\'/c calc\'!A1",@SUM(1),,,+1,-1,', 'fine'],
    ['no-title', ',text,,,,,', 'lines'],
    ['long-title', `${'x'.repeat(201)},,,,,,`, 'lines'],
    ['long-text', `t,${'x'.repeat(20_001)},,,,,`, 'lines'],
    ['huge-cell', `t,"${HUGE}",,,,,`, /longer than 1 MB/],
    ['nul-title', 'a\0b,,,,,,', 'lines'],
    ['nul-text', 'a,b\0c,,,,,', 'lines'],
    ['nul-status', 'a,,,,b\0c,,', 'lines'],
    ['nul-tag', 'a,,,,,b\0c,', 'lines'],
    ['nul-voter', 'a,,,,,,b\0@example.com', 'lines'],
    ['escape-date', 'a,,\u001b[2J,,,,', 'lines'],
    ['long-status', `a,,,,${'s'.repeat(51)},,`, 'lines'],
    ['many-tags', `a,,,,,"${Array.from({ length: 200 }, (_, n) => `tag${n}`)}",`, 'lines'],
    ['bad-voter', 'a,,,,,,nobody', 'lines'],
    ['bad-email', 'a,,,not an address,,,', 'lines'],
    ['invisible-title', '\u200b\u2060,,,,,,', 'lines'],
    ['turned-title', '\u202eedom krad,,,,,,', 'fine'],
    ['quote-inside', 'a,b"c,,,,,', 'fine'],
    ['quote-after', 'a,"b"c,,,,,', 'fine'],
    ['short-row', 'a', 'fine'],
    ['long-row', 'a,,,,,,,,,,,,', 'fine'],
  ];
  for (const [name, row, expected] of cells) yield text('csv', name, `${CSV}${row}\n`, expected);
  const wrong = ['01/02/2024', '2024-13-01', '2023-02-29', '20240101', 'yesterday'];
  const wrongToo = ['2024-01-01T25:00:00Z', '2024-01-01T00:00:00+99:00', '2999-01-01', '2024-W01', '٢٠٢٤-٠١-٠١'];
  const right = [
    '2.1.2024',
    '2024-1-1',
    '1704067200',
    'Jan 1 2024',
    '2024-01-01',
    '2024-01-01T00:00',
    '2024-01-01 00:00:00 UTC',
    '2024-01-01T00:00:00.123456789+0130',
    ' ',
    '0001-01-01',
  ];
  for (const date of [...wrong, ...wrongToo])
    yield text('csv', `date-${date.replace(/\W/g, '-')}`, `${CSV}Late,,${date},,,,\n`, 'lines');
  for (const date of right)
    yield text('csv', `good-date-${date.replace(/\W/g, '-')}`, `${CSV}Soon,,${date},,,,\n`, 'fine');
}

/** Lines of an export. */
function* brokenLines(): Generator<BrokenFile> {
  const lines: [name: string, line: string, expected: Expected | null][] = [
    ['no-json', 'hello', 'lines'],
    ['list', '[]', 'lines'],
    ['null', 'null', 'lines'],
    ['unknown', '{"row":"user"}', 'lines'],
    ['types', '{"row":"post","id":7,"title":[],"tags":"x","author":7,"status":"x","text":{}}', 'lines'],
    ['no-id', '{"row":"post","title":"t"}', 'lines'],
    ['half-surrogate', '{"row":"post","id":"s","title":"\\ud800"}', 'lines'],
    ['half-surrogate-id', '{"row":"post","id":"\\udfff","title":"t"}', 'lines'],
    ['nul-id', '{"row":"post","id":"\\u0000","title":"t"}', 'lines'],
    ['long-id', `{"row":"post","id":"${'x'.repeat(5_000)}","title":"t"}`, 'lines'],
    ['nul-person', '{"row":"vote","postId":"p1","type":"UP","user":{"id":"\\u0000"}}', 'lines'],
    [
      'long-sso',
      `{"row":"vote","postId":"p1","type":"UP","user":{"ssoType":"${'x'.repeat(60)}","ssoId":"1"}}`,
      'lines',
    ],
    ['late-vote', '{"row":"vote","postId":"p1","type":"UP","user":{"id":"u"},"dateCreated":"2999-01-01"}', 'lines'],
    ['lost-vote', '{"row":"vote","postId":"\\u001b[2J","type":"UP","user":{"id":"u"}}', 'lines'],
    ['lost-comment', '{"row":"comment","id":"c","postId":"p9","type":"BASIC","text":"x"}', 'lines'],
    ['lost-parent', '{"row":"comment","id":"c","postId":"p1","parentId":"c9","type":"BASIC","text":"x"}', 'lines'],
    ['empty-comment', '{"row":"comment","id":"c","postId":"p1","type":"BASIC","text":""}', 'lines'],
    ['nameless-comment', '{"row":"comment","postId":"p1","type":"BASIC","text":"x"}', 'lines'],
    ['lost-merge', '{"row":"post","id":"p2","title":"t","mergedIntoId":"p9"}', 'lines'],
    ['own-merge', '{"row":"post","id":"p2","title":"t","mergedIntoId":"p2"}', null],
    ['bad-month', '{"row":"post","id":"p2","title":"t","expected":"soon"}', 'lines'],
    ['untitled-entry', '{"row":"changelogEntry","id":"e","title":""}', 'lines'],
    ['nameless-entry', '{"row":"changelogEntry","title":"t"}', 'lines'],
    ['late-entry', '{"row":"changelogEntry","id":"e","title":"t","datePublished":"2999-01-01"}', 'lines'],
    ['lost-link', '{"row":"changelogEntry","id":"e","title":"t","postIds":["p9"]}', 'lines'],
    [
      'many-links',
      `{"row":"changelogEntry","id":"e","title":"t","postIds":${JSON.stringify(Array(60).fill('p1'))}}`,
      'fine',
    ],
    [
      'strange-entry',
      '{"row":"changelogEntry","id":"e","title":"t","labels":"NEW","postIds":{},"files":[1,{"url":1}]}',
      'fine',
    ],
    ['proto', '{"row":"post","id":"__proto__","title":"t","__proto__":{"x":1}}', 'fine'],
    ['deep', `${'['.repeat(100_000)}`, 'lines'],
    ['long', `{"row":"post","id":"l","title":"t","text":"${HUGE}"}`, /longer than 1 MB/],
  ];
  for (const [name, line, expected] of lines) yield text('earshot', name, `${JSONL}${line}\n`, expected);
}

/** Backups of Fider: broken as ZIP files, as JSON, and as tables. */
async function brokenBackups(): Promise<BrokenFile[]> {
  const good = await packZip(zipOf(FIDER_TABLES));
  const zips: [name: string, bytes: Buffer, expected: Expected | null][] = [];
  for (let n = 1; n < 10; n++)
    zips.push([`cut-${n}`, good.subarray(0, Math.floor((good.length * n) / 10)), /not a complete ZIP/]);
  for (let n = 0; n < 10; n++) zips.push([`flipped-${n}`, flip(good, Math.floor((good.length * n) / 10)), null]);
  const pack = async (name: string, files: Record<string, string | Buffer>, expected: Expected | null) => {
    zips.push([name, await packZip({ ...zipOf(FIDER_TABLES), ...files }), expected]);
  };
  await pack('no-list', { 'posts.json': '{}' }, /not a list of rows/);
  await pack('no-rows', { 'posts.json': '[1, null]' }, /not a list of rows/);
  await pack('no-json', { 'posts.json': '[{' }, /posts.json cannot be read/);
  await pack('latin1', { 'posts.json': Buffer.from('[{"title":"é"}]', 'latin1') }, /posts.json cannot be read/);
  await pack('deep', { 'posts.json': `${'['.repeat(200_000)}${']'.repeat(200_000)}` }, null);
  await pack('bomb', { 'posts.json': Buffer.alloc(300 * 1_048_576, ' ') }, /larger than 256 MB/);
  await pack('values', { 'posts.json': `[${'{},'.repeat(6_000_000)}{}]` }, /10,000,000 values/);
  await pack('types', { 'posts.json': '[{"id":{},"title":[],"user_id":null,"status":"x","created_at":7}]' }, 'lines');
  await pack('date', { 'posts.json': '[{"id":1,"title":"t","created_at":"soon"}]' }, 'lines');
  await pack('orphans', { 'comments.json': '[{"id":1,"post_id":99,"content":"x"}]' }, 'lines');
  await pack(
    'no-picture',
    { 'attachments.json': '[{"post_id":7,"attachment_bkey":"attachments/../../etc/passwd"}]' },
    'lines',
  );
  zips.push(['wrong-path', renamed(good, 'posts.json', '../ts.json'), /cannot be read: invalid relative path/]);
  zips.push(['absolute-path', renamed(good, 'posts.json', '/osts.json'), /cannot be read: absolute path/]);
  zips.push(['missing', renamed(good, 'posts.json', 'pasts.json'), /no posts.json/]);
  zips.push(['twice', renamed(good, 'users.json', 'posts.json'), /posts.json twice/]);
  for (const by of [-1, 1, 1_000]) zips.push([`size-${by}`, resized(good, by), /cannot be read/]);
  return zips.map(([name, bytes, expected]) => ({ name: `${name}.zip`, from: 'fider', bytes, expected }));
}

function flip(bytes: Buffer, at: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped[at] = (flipped[at] ?? 0) ^ 0xff;
  return flipped;
}

/** The ZIP file with another name for one of its files, in its directory and before its bytes. */
function renamed(zip: Buffer, from: string, to: string): Buffer {
  return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');
}

/** The ZIP file, but its directory has wrong sizes of what is unpacked. */
function resized(zip: Buffer, by: number): Buffer {
  const bytes = Buffer.from(zip);
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4)) {
    bytes.writeUInt32LE(bytes.readUInt32LE(at + 24) + by, at + 24);
  }
  return bytes;
}
