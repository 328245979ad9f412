import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LocalizedMessage } from '../../platform/messages.ts';
import { readCompanies } from './companies.ts';

const read = (claims: Record<string, unknown>) => {
  const notes: LocalizedMessage[] = [];
  return { companies: readCompanies(claims, notes), notes: notes.length };
};

test('companies are read as other products send them', () => {
  assert.deepEqual(read({ id: '42' }), { companies: null, notes: 0 });
  assert.deepEqual(read({ company: 'Acme' }).companies, [{ id: 'Acme', name: 'Acme' }]);
  assert.deepEqual(read({ companies: [] }).companies, []);
  // As Canny's identify call takes them.
  const canny = {
    id: 6,
    name: 'Acme',
    monthlySpend: 49.5,
    created: '2017-06-16T16:31:47',
    customFields: { region: 'EU' },
  };
  const acme = { id: '6', name: 'Acme', monthlyRevenue: 49.5, attributes: { region: 'EU' } };
  assert.deepEqual(read({ companies: [canny, canny] }), { companies: [acme], notes: 1 });
});

test('what is no company is ignored, with a note, and signs in nonetheless', () => {
  for (const wrong of [null, 7.5, [], {}, { id: '' }, { id: { a: 1 } }, { id: 'a', monthlyRevenue: 1e300 }]) {
    const { companies, notes } = read({ companies: [wrong, { id: 'ok' }] });
    assert.deepEqual(companies, [{ id: 'ok' }], JSON.stringify(wrong));
    assert.equal(notes, 1, JSON.stringify(wrong));
  }
  const many = Array.from({ length: 30 }, (_, n) => ({ id: `c${n}` }));
  assert.deepEqual([read({ companies: many }).companies?.length, read({ companies: many }).notes], [20, 1]);
  const nested = { id: 'a', attributes: { a: { b: 1 }, ok: true, long: 'x'.repeat(500) }, '\u0000': 'x' };
  const [kept] = read({ companies: [nested] }).companies ?? [];
  assert.deepEqual(kept?.attributes, { ok: true, long: `${'x'.repeat(199)}…` });
});
