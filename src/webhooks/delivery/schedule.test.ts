import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { nextAttempt, parseRetryAfter, probeDelay, RETRY_DELAYS_MS } from './schedule.ts';

const NOW = Date.parse('2026-09-21T12:00:00Z');
const least = () => 0;
const most = () => 1 - Number.EPSILON;

test('a delivery is retried ten times over three days, up to 20 % late, and then given up', () => {
  const hours = RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0) / HOUR_MS;
  assert.ok(hours > 72 && hours < 78);
  RETRY_DELAYS_MS.forEach((delay, n) => {
    assert.equal(nextAttempt(n + 1, null, NOW, least), NOW + delay);
    const latest = (nextAttempt(n + 1, null, NOW, most) ?? 0) - NOW;
    assert.ok(latest > delay * 1.19 && latest <= delay * 1.2);
  });
  assert.equal(nextAttempt(11, null, NOW, least), null);
  assert.equal(nextAttempt(11, 1, NOW, least), null);
});

test('Retry-After makes the wait longer, up to an hour, never shorter', () => {
  const cases: [attempt: number, retryAfterMs: number, delay: number][] = [
    [1, 0, 5 * SECOND_MS],
    [1, 30 * SECOND_MS, 30 * SECOND_MS],
    [1, 1e12, HOUR_MS],
    [4, MINUTE_MS, 30 * MINUTE_MS],
    [5, 1e12, 2 * HOUR_MS],
  ];
  for (const [attempt, retryAfterMs, delay] of cases) {
    assert.equal(nextAttempt(attempt, retryAfterMs, NOW, least), NOW + delay, `${attempt} ${retryAfterMs}`);
  }
});

test('Retry-After is read in every form that servers send', () => {
  const cases: [header: string | null, milliseconds: number | null][] = [
    ['120', 120_000],
    [' 5 ', 5_000],
    ['0', 0],
    ['1.5', 1_500],
    ['0.0001', 1],
    ['1000000000', 1e12],
    ['Mon, 21 Sep 2026 12:00:30 GMT', 30_000],
    ['Monday, 21-Sep-26 12:00:30 GMT', 30_000],
    ['Mon Sep 21 12:00:30 2026', 30_000],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['Sun Nov  6 08:49:37 1994', 0],
    ['Mon, 99 Sep 2026 12:00:30 GMT', null],
    ['2026-09-21T12:00:30Z', null],
    ['-5', null],
    ['1e9', null],
    ['9'.repeat(400), null],
    ['soon', null],
    ['in 5 minutes', null],
    ['5, 10', null],
    ['', null],
    [null, null],
  ];
  for (const [header, milliseconds] of cases) assert.equal(parseRetryAfter(header, NOW), milliseconds, String(header));
});

test('a failing webhook is probed at growing distances that never delay a single delivery', () => {
  const delays = [0, 80, 40_000, 600_000, 2_400_000, 1e9].map((ms) => probeDelay({ failingSince: NOW }, NOW + ms));
  assert.deepEqual(delays, [0, 10, 5_000, 75_000, 300_000, 300_000]);
  let failingFor = 0;
  for (const delay of RETRY_DELAYS_MS) {
    assert.ok(probeDelay({ failingSince: NOW }, NOW + failingFor) <= delay);
    failingFor += delay;
  }
});
