import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileNameOf } from './file-name.ts';

/** Far longer than what is read of a header: what takes a time in proportion takes milliseconds, and else many seconds. */
const MANY = 20_000;

test('a name is found in a time in proportion to the header, whatever is in it', () => {
  const parts = [
    ';a="x',
    ';a="\\',
    ';a="\\x',
    ';a= "x',
    ';a="  "x',
    '"x;a="',
    '" ',
    '; ',
    ';a',
    '=?a?q?',
    '=?a?q?= ',
    '%e',
  ];
  for (const part of parts) {
    const begun = performance.now();
    fileNameOf(`form-data; b="${part.repeat(MANY)}`);
    fileNameOf(`form-data; filename=x${part.repeat(MANY)}`);
    assert.ok(performance.now() - begun < 1_000, part);
  }
});

test('quotes that are not closed hold all the rest', () => {
  assert.equal(fileNameOf('form-data; filename="a;b.txt'), 'a;b.txt');
  assert.equal(fileNameOf('form-data; filename="a\\'), 'a\\');
  assert.equal(fileNameOf('form-data; name="a; filename=b.txt'), null);
});
