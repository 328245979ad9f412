import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { PNG } from '../../../test/support/files.ts';
import { makeFileName } from './names.ts';
import { isRasterImage, sniff } from './sniffing.ts';

const TEXT = 'text/plain; charset=utf-8';
const UNKNOWN = 'application/octet-stream';

test('the type of a file is detected from its bytes: only pictures that cannot carry scripts are shown in place', async () => {
  const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
  const gif = Buffer.from(
    '47494638396101000100800000ffffff00000021f90401000000002c00000000010001000002024401003b',
    'hex',
  );
  const kinds: [what: string, bytes: Buffer, contentType: string][] = [
    ['PNG', PNG, 'image/png'],
    ['PNG with a page behind it', Buffer.concat([PNG, Buffer.from('<script>alert(1)</script>')]), 'image/png'],
    ['JPEG', jpeg, 'image/jpeg'],
    ['GIF', gif, 'image/gif'],
    ['WebP', Buffer.from('RIFF\x24\0\0\0WEBPVP8L\x17\0\0\0', 'latin1'), 'image/webp'],
    ['script that begins like a GIF', Buffer.from('GIF89a/*\n*/=1;alert(1)'), TEXT],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>'), TEXT],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), TEXT],
    ['SVG with a declaration', Buffer.from('<?xml version="1.0"?><svg onload="alert(1)"/>'), TEXT],
    ['XML behind a mark', Buffer.from('\ufeff<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'), TEXT],
    ['XML in UTF-16', Buffer.from('\ufeff<?xml version="1.0"?><a/>', 'utf16le'), UNKNOWN],
    ['HTML in UTF-16', Buffer.from('\ufeff<script>alert(1)</script>', 'utf16le'), UNKNOWN],
    ['JavaScript', Buffer.from('alert(1)'), TEXT],
    ['a letter that is cut', Buffer.from('é'.repeat(3_000)).subarray(0, 4_099), TEXT],
    ['PDF', Buffer.from('%PDF-1.7\n1 0 obj\n'), 'application/pdf'],
    ['a program', Buffer.from('MZ\x90\0\x03\0\0\0\x04\0', 'latin1'), 'application/x-msdownload'],
    ['a zip that is a bomb', makeZip(deflateRawSync(Buffer.alloc(50_000_000))), 'application/zip'],
    ['noise', Buffer.from([0, 1, 2, 3, 250, 251]), UNKNOWN],
  ];
  for (const [what, bytes, contentType] of kinds) {
    assert.equal((await sniff(bytes.subarray(0, 4_100))).contentType, contentType, what);
  }
  const shown = kinds.filter(([, , type]) => isRasterImage(type)).map(([what]) => what);
  assert.deepEqual(shown, ['PNG', 'PNG with a page behind it', 'JPEG', 'GIF', 'WebP']);
});

/** A zip with one packed file in it, as a document of an office program begins. */
function makeZip(packed: Buffer): Buffer {
  const name = '[Content_Types].xml';
  const head = Buffer.alloc(30);
  head.write('PK\x03\x04', 'latin1');
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(packed.length, 18);
  head.writeUInt32LE(50_000_000, 22);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, Buffer.from(name), packed]);
}

test('a name has no folders, nothing that tricks the reader, and an ending that fits the bytes', () => {
  const png = ['png'];
  const txt = ['txt', 'log'];
  const bin = ['bin'];
  const names: [given: string, endings: string[], name: string][] = [
    ['photo.png', png, 'photo.png'],
    ['Photo.PNG', png, 'Photo.PNG'],
    ['server.log', txt, 'server.log'],
    ['../../etc/passwd', txt, 'passwd.txt'],
    ['..\\..\\boot.ini', bin, 'boot.ini.bin'],
    ['/etc/', png, 'file.png'],
    ['..', png, 'file.png'],
    ['.htaccess', txt, 'htaccess.txt'],
    ['.png', png, 'png.png'],
    ['', png, 'file.png'],
    [' \t ', png, 'file.png'],
    ['page.html', txt, 'page.html.txt'],
    ['run.exe', png, 'run.exe.png'],
    ['evil\u202egnp.exe', png, 'evilgnp.exe.png'],
    ['a\u0000b\r\nc.png', png, 'abc.png'],
    ['a"b<c>:|?*.png', png, 'abc.png'],
    ['\ud800.png', png, '\ufffd.png'],
    ['Größe 更大 🌒.png', png, 'Größe 更大 🌒.png'],
    ['می\u200cخواهم 👩\u200d💻.png', png, 'می\u200cخواهم 👩\u200d💻.png'],
    ['e\u0301.png', png, 'é.png'],
    [`${'x'.repeat(10_000)}.png`, png, `${'x'.repeat(196)}.png`],
    [`${'🌒'.repeat(10_000)}.png`, png, `${'🌒'.repeat(196)}.png`],
    [`a${' .'.repeat(100_000)}b.png`, png, 'a.png'],
    [`e${'\u0301'.repeat(100_000)}.png`, png, `é${`${'\u0301'.repeat(30)}\u034f`.repeat(7).slice(1, 196)}.png`],
    [`a.${'x'.repeat(10_000)}`, png, `a.${'x'.repeat(194)}.png`],
  ];
  for (const [given, endings, name] of names) {
    assert.equal(makeFileName(given, endings), name, JSON.stringify(given.slice(0, 40)));
    assert.ok([...makeFileName(given, endings)].length <= 200);
    assert.equal(makeFileName(name, endings), name, 'what is clean stays as it is');
  }
});
