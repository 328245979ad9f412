import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLoosely } from './loose-answer.ts';

/** More than is ever read: what takes a time in proportion takes milliseconds, and else many seconds. */
const MANY = 100_000;

test('an answer is read in a time in proportion to its length, whatever is in it', () => {
  const headers = ['content-length: 1', 'transfer-encoding: chunked', 'transfer-encoding: x', 'a: b'];
  for (const header of headers) {
    for (const part of [' ', '\t', ',', ' ,', '\r', '\n ', ';', 'c']) {
      const begun = performance.now();
      readLoosely(Buffer.from(`HTTP/1.1 200 OK\r\n${header}${part.repeat(MANY)}2\r\n\r\n1${part.repeat(MANY)}`), true);
      readLoosely(Buffer.from(`HTTP/1.1 200${part.repeat(MANY)}`), true);
      assert.ok(performance.now() - begun < 1_000, `${header}, ${JSON.stringify(part)}`);
    }
  }
});
