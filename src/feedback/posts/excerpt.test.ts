import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excerptOf } from './excerpt.ts';

test('an excerpt is the text of a description without Markdown syntax', () => {
  assert.equal(excerptOf('My **eyes** hurt,\nsee [the docs](https://docs.example).'), 'My eyes hurt, see the docs.');
  assert.equal(
    excerptOf('- first\n- then\n\n> quoted\n\n```js\nconst x = 1;\n```\n\nAt last.'),
    'first then quoted At last.',
  );
  assert.equal(excerptOf('# Plan\n\n| Plan | Price |\n|---|---|\n| Pro | 9 |'), 'Plan');
  assert.equal(excerptOf('2 * 3 * 4 <b>'), '2 * 3 * 4 <b>');
});

test('excerpts of long descriptions are short, and cost no more than their beginning', () => {
  assert.equal([...excerptOf('word '.repeat(4_000))].length, 200);
  const begin = performance.now();
  excerptOf('|a|b\n|-|-|\n'.repeat(1_800));
  assert.ok(performance.now() - begin < 100);
});
