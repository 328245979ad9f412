import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Field, FieldType } from './fields.ts';
import { keyOfValue, namesOf, parseValues } from './values.ts';

function makeField(type: FieldType): Field {
  return {
    board_id: 'b',
    id: 'f',
    label: 'Field',
    label_folded: 'field',
    description: null,
    type,
    is_required: 0,
    is_on_form: 0,
    position: 0,
    allow_url_prefill: 0,
    locations: [],
    options: [
      { id: 'one', name: 'Größe', color: null },
      { id: 'two', name: 'one', color: null },
    ],
    visibility: 'PUBLIC',
    revision: 0,
    date_created: 0,
  };
}

/** What a field of each type makes of values from outside. */
const taken: Record<FieldType, [given: (string | null)[], stored: string[]][]> = {
  TEXT: [
    [[' a\tb '], ['a\tb']],
    [['Gro\u0308ße'], ['Größe']],
    [['x'.repeat(500)], ['x'.repeat(500)]],
    [['', null, ' '], []],
    [['a', 'a', null], ['a']],
  ],
  TEXT_LONG: [
    [['a\r\nb'], ['a\nb']],
    [['👍'.repeat(20_000)], ['👍'.repeat(20_000)]],
  ],
  NUMBER: [
    [['007'], ['7']],
    [[' -1.50 '], ['-1.5']],
    [['+3.0'], ['3']],
    [['-0.0'], ['0']],
    [['0.0000000001'], ['0.0000000001']],
    [['99999999999999999999'], ['99999999999999999999']],
    [['1', '1.0'], ['1']],
  ],
  DATE: [
    [['2026-11-21'], ['2026-11-21']],
    [['2024-02-29'], ['2024-02-29']],
    [['2026-11-21T23:30:00-01:00'], ['2026-11-22']],
    [['2026-11-21T09:30:00.000Z'], ['2026-11-21']],
  ],
  URL: [
    [['https://example.com/ü?q=1#x'], ['https://example.com/ü?q=1#x']],
    [[`http://x.test/${'a'.repeat(1_986)}`], [`http://x.test/${'a'.repeat(1_986)}`]],
  ],
  CHECKBOX: [
    [['true'], ['true']],
    [[' FALSE '], ['false']],
  ],
  SELECTION: [
    [['one'], ['one']],
    [[' GRÖßE '], ['one']],
    [['two'], ['two']],
  ],
  SELECTION_MULTI: [
    [
      ['two', 'Größe', 'one'],
      ['two', 'one'],
    ],
    [[], []],
  ],
};

const refused: Record<FieldType, string[][]> = {
  TEXT: [['x'.repeat(501)], ['a\nb'], ['a\u0000b'], ['\ud800'], ['a', 'b']],
  TEXT_LONG: [['x'.repeat(20_001)], ['a', 'b']],
  NUMBER: [
    ['1e3'],
    ['1,5'],
    ['.5'],
    ['1.'],
    ['--1'],
    ['NaN'],
    ['0x10'],
    ['1'.repeat(21)],
    ['0.00000000001'],
    ['1', '2'],
  ],
  DATE: [
    ['21.11.2026'],
    ['2026-02-30'],
    ['2026-02-30T00:00:00Z'],
    ['0000-01-01T00:00:00+05:00'],
    ['2026-13-01'],
    ['2025-02-29'],
    ['2026-11-21T09:30'],
    ['today'],
    ['2026-1-1'],
  ],
  URL: [
    ['example.com'],
    ['javascript:alert(1)'],
    ['ftp://x.test'],
    ['https://'],
    ['https://x.test/a b'],
    [`http://x.test/${'a'.repeat(1_987)}`],
  ],
  CHECKBOX: [['yes'], ['1'], ['true', 'false']],
  SELECTION: [['three'], ['one', 'two'], ['constructor']],
  SELECTION_MULTI: [['one', 'three']],
};

for (const [type, rows] of Object.entries(taken)) {
  test(`a field of type ${type} stores what it takes in one form`, () => {
    for (const [given, stored] of rows) assert.deepEqual(parseValues(makeField(type as FieldType), given), stored);
  });
}

for (const [type, rows] of Object.entries(refused)) {
  test(`a field of type ${type} refuses what it does not take`, () => {
    for (const given of rows) {
      const error = {
        code: 'BAD_REQUEST',
        message: /^The field "Field" /,
        extensions: { code: 'BAD_REQUEST', field: 'properties' },
      };
      assert.throws(() => parseValues(makeField(type as FieldType), given), error, JSON.stringify(given).slice(0, 80));
    }
  });
}

test('texts in capitals or not are one value to a filter, ids of options are not', () => {
  const text = makeField('TEXT');
  assert.equal(keyOfValue(text, 'Größe'), keyOfValue(text, 'GRÖßE'));
  assert.notEqual(keyOfValue(text, 'a'), keyOfValue({ ...text, id: 'g' }, 'a'));
  assert.notEqual(keyOfValue(makeField('SELECTION'), 'a'), keyOfValue(makeField('SELECTION'), 'A'));
  assert.equal(keyOfValue(text, 'x'.repeat(20_000)).length, 22);
});

test('people read the names of options', () => {
  assert.deepEqual(namesOf(makeField('SELECTION_MULTI'), ['two', 'one', 'gone']), ['one', 'Größe', 'gone']);
  assert.deepEqual(namesOf(makeField('TEXT'), ['one']), ['one']);
});
