import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDay, parseInstant, printDay } from './instant.ts';

test('a day is read if the calendar has it', () => {
  const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const number = (most: number) => fc.integer({ min: 0, max: most });
  fc.assert(
    fc.property(number(9_999), number(13), number(32), (year, month, day) => {
      const length = (lengths[month - 1] ?? 0) + (month === 2 && isLeap(year) ? 1 : 0);
      const pad = (value: number, digits = 2) => String(value).padStart(digits, '0');
      const text = `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
      const instant = parseDay(text);
      assert.equal(instant !== null, day >= 1 && day <= length, text);
      assert.equal(parseInstant(`${text}T00:00:00Z`), instant, text);
      if (instant !== null) assert.equal(printDay(instant), text);
    }),
  );
  for (const text of ['', '2026-1-1', '2026-01-01 ', '+002026-01-01', '2026-01-01T00:00:00Z', '20260101'])
    assert.equal(parseDay(text), null, text);
});

test('an instant is read with its zone, and refused when no clock shows it', () => {
  const noon = Date.parse('2026-11-21T12:00:00.000Z');
  const rows: [text: string, instant: number | null][] = [
    ['2026-11-21T12:00Z', noon],
    ['2026-11-21T12:00:00Z', noon],
    ['2026-11-21T12:00:00.123456789Z', noon + 123],
    ['2026-11-21T13:30:00+01:30', noon],
    ['2026-11-20T12:01:00-23:59', noon],
    ['2024-02-29T00:00:00Z', Date.parse('2024-02-29T00:00:00.000Z')],
    ['2026-02-29T00:00:00Z', null],
    ['2026-02-30T00:00:00Z', null],
    ['2026-04-31T00:00:00+02:00', null],
    ['2026-13-01T00:00:00Z', null],
    ['2026-00-01T00:00:00Z', null],
    ['2026-11-21T24:00:00Z', null],
    ['2026-11-21T12:60:00Z', null],
    ['2026-11-21T12:00:60Z', null],
    ['2026-11-21T12:00:00+24:00', null],
    ['2026-11-21T12:00:00+01:60', null],
    ['2026-11-21T12:00:00', null],
    ['2026-11-21T12:00:00z', null],
    ['2026-11-21 12:00:00Z', null],
    ['2026-11-21', null],
    ['9999-12-31T23:59:59.999Z', Date.parse('9999-12-31T23:59:59.999Z')],
    ['9999-12-31T23:59:59-00:01', null],
    ['0000-01-01T00:00:00+00:01', null],
    ['', null],
  ];
  for (const [text, instant] of rows) assert.equal(parseInstant(text), instant, text);
});

test('every instant that is written is read again', () => {
  const bounds = { min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z') };
  fc.assert(
    fc.property(fc.date({ ...bounds, noInvalidDate: true }), (date) => {
      assert.equal(parseInstant(date.toISOString()), date.getTime());
    }),
  );
});
