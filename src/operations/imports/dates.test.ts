import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AmbiguousDate, orderShownBy, parseDate } from './dates.ts';

const read = (text: string) => new Date(parseDate(text) ?? assert.fail(text)).toISOString();

test('dates are read in the forms in which programs and people write them', () => {
  const forms: [text: string, instant: string][] = [
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-05-06T07:08Z', '2024-05-06T07:08:00.000Z'],
    ['2024-05-06T07:08:09+02', '2024-05-06T05:08:09.000Z'],
    ['2024-05-06 07:08:09 +0200', '2024-05-06T05:08:09.000Z'],
    ['2024-05-06 07:08:09.123456+00', '2024-05-06T07:08:09.123Z'],
    ['2024-05-06T07:08:09.5+05:30', '2024-05-06T01:38:09.500Z'],
    ['2024-01-05 10:11:12 UTC', '2024-01-05T10:11:12.000Z'],
    ['1715000000', '2024-05-06T12:53:20.000Z'],
    ['1715000000000', '2024-05-06T12:53:20.000Z'],
    ['31.12.2024', '2024-12-31T00:00:00.000Z'],
    ['01.02.2024 14:05', '2024-02-01T14:05:00.000Z'],
    ['12/Mar/24 9:41 AM', '2024-03-12T09:41:00.000Z'],
    ['Jan/2/06 3:04 PM', '2006-01-02T15:04:00.000Z'],
    ['Wed May 13 2026 11:21:41 GMT+0000 (GMT+00:00)', '2026-05-13T11:21:41.000Z'],
    ['Fri Oct 02 2026 17:00:00 GMT-0700 (Pacific Daylight Time)', '2026-10-03T00:00:00.000Z'],
    ['Wed, 13 May 2026 11:21:41 +0200', '2026-05-13T09:21:41.000Z'],
    ['Mon, 06 May 2024 07:08:09 EST', '2024-05-06T12:08:09.000Z'],
    ['2024/05/06 7:08:09 AM GMT+2', '2024-05-06T05:08:09.000Z'],
    ['January 5th, 2024 at 10:00 PM', '2024-01-05T22:00:00.000Z'],
    ['Jan 5, 2024 12:30 AM', '2024-01-05T00:30:00.000Z'],
    ['5. Januar 2024', '2024-01-05T00:00:00.000Z'],
    ['1er mars 2024', '2024-03-01T00:00:00.000Z'],
    ['5 de enero de 2024', '2024-01-05T00:00:00.000Z'],
    ['5 stycznia 2024', '2024-01-05T00:00:00.000Z'],
    ['2024年5月6日', '2024-05-06T00:00:00.000Z'],
    ['5/5/2024', '2024-05-05T00:00:00.000Z'],
    ['12/31/2024', '2024-12-31T00:00:00.000Z'],
    ['31/12/2024', '2024-12-31T00:00:00.000Z'],
  ];
  for (const [text, instant] of forms) assert.equal(read(text), instant, text);
  assert.equal(parseDate(' '), null);
});

test('a date that fits two ways is not guessed, and read as is said', () => {
  assert.throws(() => parseDate('01/02/2025 14:05'), AmbiguousDate);
  assert.equal(parseDate('01/02/2025', 'day-first'), Date.UTC(2025, 1, 1));
  assert.equal(parseDate('01/02/2025', 'month-first'), Date.UTC(2025, 0, 2));
  // What a date shows itself is not changed by what was said.
  assert.equal(parseDate('31/12/2024', 'month-first'), Date.UTC(2024, 11, 31));
  assert.deepEqual(['31/12/2024', '12/31/2024', '01/02/2025', '31.12.2024', 'x'].map(orderShownBy), [
    'day-first',
    'month-first',
    null,
    null,
    null,
  ]);
});

test('what is no date is refused', () => {
  const wrong = [
    'garbage',
    '12',
    '3.5',
    'May 2024',
    '2023-02-29',
    '2024-13-01',
    '99/99/2024',
    '2024-01-01T25:00',
    '1/1/1',
  ];
  for (const text of [...wrong, '2024-01-01 13:00 PM', '2024-01-01 10:00 XST', '9'.repeat(1_000), '5/'.repeat(5_000)]) {
    assert.throws(() => parseDate(text), RangeError, text);
  }
});
