import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { beginningOf } from './beginning.ts';

test('a long text is cut at the end of a line or of a word', () => {
  assert.equal(beginningOf('0123456789', 10), '0123456789');
  assert.equal(beginningOf('01234567890', 10), '0123456789');
  assert.equal(beginningOf('012345 7\n9 1', 10), '012345 7');
  assert.equal(beginningOf('012345 7 9 1', 10), '012345 7');
  assert.equal(beginningOf('0 2\n45678901', 10), '0 2\n456789');
  assert.equal(beginningOf('01234567 \n\n 2', 10), '01234567');
  assert.equal(beginningOf('012345678😀1', 10), '012345678');
});

test('the shortened text is a beginning of the original, and no character is halved', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer({ min: 1, max: 50 }), (text, most) => {
      const beginning = beginningOf(text, most);
      assert.ok(text.startsWith(beginning) && beginning.isWellFormed() && beginning.length <= Math.max(most, 0));
      if (text.length <= most) assert.equal(beginning, text);
    }),
  );
});
