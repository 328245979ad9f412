import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contrastOf, TEXT_CONTRAST } from '../../platform/lib/contrast.ts';
import { makeBrand } from './brand.ts';

test('contrast is what WCAG says it is', () => {
  assert.equal(contrastOf('#000000', '#ffffff'), 21);
  assert.equal(contrastOf('#ffffff', '#ffffff'), 1);
  assert.ok(Math.abs(contrastOf('#767676', '#ffffff') - 4.54) < 0.01);
});

test('any color becomes one that can be read on both themes', () => {
  const channel = fc.integer({ min: 0, max: 255 }).map((n) => n.toString(16).padStart(2, '0'));
  fc.assert(
    fc.property(fc.tuple(channel, channel, channel), (parts) => {
      const { light, dark } = makeBrand(`#${parts.join('')}`);
      for (const ground of ['#fbfaf8', '#ffffff', '#f4f3f0', light.soft]) {
        assert.ok(contrastOf(light.accent, ground) >= TEXT_CONTRAST, `${light.accent} on ${ground}`);
      }
      for (const ground of ['#101014', '#19191e', '#0b0b0e', dark.soft]) {
        assert.ok(contrastOf(dark.accent, ground) >= TEXT_CONTRAST, `${dark.accent} on ${ground}`);
      }
    }),
  );
});

test('a color that can be read as it is stays as it is', () => {
  assert.equal(makeBrand('#4b54bf').light.accent, '#4b54bf');
  assert.equal(makeBrand('#94a4f9').dark.accent, '#94a4f9');
});
