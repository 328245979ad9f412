import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../errors.ts';
import { openFormFile } from './form-file.ts';

const BOUNDARY = '--b-';

/** What is read of a form that arrives in these pieces. @throws what is wrong with it */
async function read(pieces: Iterable<Buffer>): Promise<string> {
  async function* arriving() {
    yield* pieces;
  }
  const { name, bytes } = await openFormFile(arriving(), BOUNDARY);
  const received = await Array.fromAsync(bytes);
  return `${name}: ${Buffer.concat(received).toString('latin1')}`;
}

function* piecesOf(body: Buffer, size: number, first = size): Generator<Buffer> {
  yield body.subarray(0, first);
  for (let at = first; at < body.length; at += size) yield body.subarray(at, at + size);
}

const formOf = (bytes: string, before = '', after = '\r\n') =>
  Buffer.from(
    `${before}--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${bytes}\r\n--${BOUNDARY}--${after}`,
    'latin1',
  );

test('a file comes out of a form as it went in, in whatever pieces the form arrives', async () => {
  const contents = ['', 'a', '\r\n', '\r\n\r\n', '\r', '\n', `\r\n-${BOUNDARY}`, `--${BOUNDARY}x`, `\n--${BOUNDARY}--`];
  for (const content of [...contents, '\r\n--', '\r\r\n-\r\n--', 'x'.repeat(300), '\xff\x00\x80']) {
    for (const [before, after] of [
      ['', '\r\n'],
      ['', ''],
      ['\r\n', '\r\n'],
      ['before\r\n\r\n', ' \r\nafter\r\n--x'],
    ]) {
      const form = formOf(content, before, after);
      for (const size of [1, 3, 64]) {
        assert.equal(await read(piecesOf(form, size)), `a: ${content}`, JSON.stringify([content, before, size]));
      }
      for (let first = 0; first < form.length; first++) {
        assert.equal(await read(piecesOf(form, form.length, first)), `a: ${content}`, `${content} ${first}`);
      }
    }
  }
});

test('a form that is cut off anywhere is refused', async () => {
  const form = formOf('hello', 'before\r\n', '');
  for (let length = 0; length < form.length; length++) {
    for (const size of [1, form.length]) {
      await assert.rejects(read(piecesOf(form.subarray(0, length), size)), AppError, `${length}, ${size}`);
    }
  }
});
