import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimeZone, localTime, startOfHour } from '../../platform/lib/time-zone.ts';
import { nextDigest } from './schedule.ts';

const at = (instant: string) => Date.parse(instant);
const iso = (instant: number) => new Date(instant).toISOString();

test('an hour of a wall clock is an instant, whatever the offset is on that day', () => {
  const eight = (zone: string, month: number, day: number) =>
    iso(startOfHour(zone, { year: 2026, month, day, hour: 8 }));
  assert.equal(eight('Europe/Berlin', 3, 28), '2026-03-28T07:00:00.000Z');
  assert.equal(eight('Europe/Berlin', 3, 29), '2026-03-29T06:00:00.000Z');
  assert.equal(eight('Europe/Berlin', 10, 25), '2026-10-25T07:00:00.000Z');
  assert.equal(eight('Pacific/Kiritimati', 1, 1), '2025-12-31T18:00:00.000Z');
  assert.equal(eight('Etc/GMT+12', 1, 1), '2026-01-01T20:00:00.000Z');
  assert.equal(eight('Asia/Kathmandu', 1, 1), '2026-01-01T02:15:00.000Z');
});

test('a day is that of the zone', () => {
  const { day, hour, weekday } = localTime('Asia/Tokyo', at('2026-11-21T15:30:00Z'));
  assert.deepEqual([day, hour, weekday], [22, 0, 0]);
});

test('time zones are known by their names', () => {
  assert.deepEqual(['Europe/Berlin', 'UTC', 'Mars/Olympus', '', 'x'.repeat(1_000)].map(isTimeZone), [
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('a digest is due the next morning, also across a change of the clocks, and a weekly one on Monday', () => {
  const next = (frequency: 'DAILY' | 'WEEKLY', zone: string, now: string) => iso(nextDigest(frequency, zone, at(now)));
  assert.equal(next('DAILY', 'Europe/Berlin', '2026-03-28T06:59:59Z'), '2026-03-28T07:00:00.000Z');
  assert.equal(next('DAILY', 'Europe/Berlin', '2026-03-28T07:00:00Z'), '2026-03-29T06:00:00.000Z');
  assert.equal(next('DAILY', 'America/New_York', '2026-11-01T04:30:00Z'), '2026-11-01T13:00:00.000Z');
  assert.equal(next('WEEKLY', 'America/New_York', '2026-10-31T12:00:00Z'), '2026-11-02T13:00:00.000Z');
  assert.equal(next('WEEKLY', 'Pacific/Auckland', '2026-11-22T18:59:59Z'), '2026-11-22T19:00:00.000Z');
  assert.equal(next('WEEKLY', 'Pacific/Auckland', '2026-11-22T19:00:00Z'), '2026-11-29T19:00:00.000Z');
});
