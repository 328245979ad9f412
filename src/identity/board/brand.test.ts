import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contrastOf, TEXT_CONTRAST } from '../../platform/lib/contrast.ts';
import { makeBrand, penOf } from './brand.ts';

test('contrast is computed as WCAG defines it', () => {
  assert.equal(contrastOf('#000000', '#ffffff'), 21);
  assert.equal(contrastOf('#ffffff', '#ffffff'), 1);
  assert.ok(Math.abs(contrastOf('#767676', '#ffffff') - 4.54) < 0.01);
});

test('any color becomes one that can be read on both themes', () => {
  const channel = fc.integer({ min: 0, max: 255 }).map((n) => n.toString(16).padStart(2, '0'));
  fc.assert(
    fc.property(fc.tuple(channel, channel, channel), (parts) => {
      const { light, dark } = makeBrand(`#${parts.join('')}`);
      for (const ground of ['#fbf9f5', '#fffefd', '#ffffff', '#f3f0ea', light.soft]) {
        assert.ok(contrastOf(light.accent, ground) >= TEXT_CONTRAST, `${light.accent} on ${ground}`);
      }
      for (const ground of ['#151310', '#1e1b18', '#26231f', '#0e0c0b', dark.soft]) {
        assert.ok(contrastOf(dark.accent, ground) >= TEXT_CONTRAST, `${dark.accent} on ${ground}`);
      }
    }),
  );
});

test('a color that can be read as it is stays as it is, and pages get the same', () => {
  const brand = makeBrand('#2d48c0');
  assert.equal(brand.light.accent, '#2d48c0');
  assert.equal(brand.dark.accent, '#91aefc');
  assert.deepEqual(penOf(brand), { l: 0.4609, c: 0.1898, h: 268, darkChroma: 0.1172 });
});
