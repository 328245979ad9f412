import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import {
  afterAttempt,
  afterMail,
  disabledByOwner,
  disablesAt,
  enabledHealth,
  type Health,
  type HealthMail,
  inFlightLimit,
  isHalfThere,
  mailDue,
  newHealth,
} from './health.ts';

type Kind = Parameters<typeof afterAttempt>[1]['kind'];
const active: Health = { ...enabledHealth(), rampLimit: 8 };
const failing: Health = { ...active, state: 'failing', failuresInRow: 3, failingSince: 0, rampLimit: 1 };
const disabled: Health = { ...failing, state: 'disabled', disabledBy: 'service' };

test('every transition of a webhook', () => {
  const HOURS_72 = 72 * HOUR_MS;
  const recovered = { state: 'active', failuresInRow: 0, failingSince: null, rampLimit: 2 } as const;
  const cases: [from: Health, kind: Kind, now: number, changes: Partial<Health>][] = [
    [active, 'delivered', 5, {}],
    [active, 'released', 5, {}],
    [active, 'failed', 5, { failuresInRow: 1, failingSince: 5 }],
    [{ ...active, failuresInRow: 1, failingSince: 1 }, 'failed', 5, { failuresInRow: 2 }],
    [{ ...active, failuresInRow: 2, failingSince: 1 }, 'delivered', 5, { failuresInRow: 0, failingSince: null }],
    [
      { ...active, failuresInRow: 2, failingSince: 1 },
      'failed',
      5,
      { state: 'failing', failuresInRow: 3, rampLimit: 1 },
    ],
    [active, 'gone', 5, { state: 'disabled', disabledBy: 'service', failuresInRow: 1, failingSince: 5 }],
    [failing, 'gone', 5, { state: 'disabled', disabledBy: 'service', failuresInRow: 4 }],
    [failing, 'released', 5, {}],
    [failing, 'delivered', 5, recovered],
    [{ ...failing, lastNotified: 'failing' }, 'delivered', 5, recovered],
    [{ ...failing, lastNotified: 'warning' }, 'delivered', 5, { ...recovered, lastNotified: 'failing' }],
    [failing, 'failed', HOURS_72, { failuresInRow: 4 }],
    [{ ...failing, failuresInRow: 8 }, 'failed', HOURS_72, { failuresInRow: 9 }],
    [{ ...failing, failuresInRow: 50 }, 'failed', HOURS_72 - 1, { failuresInRow: 51 }],
    [
      { ...failing, failuresInRow: 9 },
      'failed',
      HOURS_72,
      { state: 'disabled', disabledBy: 'service', failuresInRow: 10 },
    ],
    [{ ...active, rampLimit: 2 }, 'delivered', 5, { rampLimit: 4 }],
    [{ ...active, rampLimit: 4 }, 'delivered', 5, { rampLimit: 8 }],
    [{ ...active, rampLimit: 4 }, 'failed', 5, { failuresInRow: 1, failingSince: 5, rampLimit: 2 }],
    [disabled, 'delivered', 5, {}],
    [disabled, 'failed', HOURS_72, {}],
    [disabled, 'gone', 5, {}],
    [newHealth(), 'delivered', 5, {}],
  ];
  for (const [from, kind, now, changes] of cases) {
    assert.deepEqual(
      afterAttempt(from, { kind }, now),
      { ...from, ...shareAfter(from, kind, now), ...changes },
      `${JSON.stringify(from)} ${kind} ${now}`,
    );
  }
});

/** What every attempt that counts changes, besides what the cases say. */
function shareAfter(from: Health, kind: Kind, now: number): Partial<Health> {
  if (from.state === 'disabled' || kind === 'released') return {};
  return kind === 'delivered' ? {} : { failureShare: 62, lastFailure: now };
}

test('the owner can disable at any time and enabling starts with a clean slate', () => {
  assert.deepEqual(disabledByOwner({ ...failing, lastNotified: 'failing' }), {
    ...failing,
    state: 'disabled',
    disabledBy: 'owner',
  });
  assert.equal(mailDue(disabledByOwner({ ...failing, lastNotified: 'failing' }), 1e12), null);
  assert.deepEqual([newHealth().state, newHealth().disabledBy, mailDue(newHealth(), 0)], ['disabled', null, null]);
  assert.deepEqual(
    [enabledHealth().state, enabledHealth().failuresInRow, enabledHealth().lastNotified],
    ['active', 0, 'none'],
  );
});

test('after an outage the deliveries in flight grow one success at a time', () => {
  const limits: number[] = [];
  let health = failing;
  for (const kind of [
    'failed',
    'delivered',
    'delivered',
    'failed',
    'delivered',
    'delivered',
    'delivered',
    'failed',
  ] as const) {
    health = afterAttempt(health, { kind }, 1);
    limits.push(inFlightLimit(health));
  }
  assert.deepEqual(limits, [1, 2, 4, 2, 4, 8, 8, 8]);
  assert.deepEqual([inFlightLimit(failing), inFlightLimit(disabled), inFlightLimit(enabledHealth())], [1, 0, 1]);
});

test('each state calls for its mail until the owner is notified', () => {
  const before = 48 * HOUR_MS - 1;
  const troubled: Health = { ...active, failureShare: 500, troubledSince: 0, lastFailure: 1e9 };
  const cases: [health: Health, now: number, mail: HealthMail | null][] = [
    [active, 0, null],
    [{ ...active, failuresInRow: 2, failingSince: 0 }, 1e12, null],
    [{ ...active, lastNotified: 'failing', lastFailure: 0 }, MINUTE_MS, 'recovered'],
    [{ ...active, lastNotified: 'warning', lastFailure: 0 }, MINUTE_MS, 'recovered'],
    [{ ...active, lastNotified: 'failing', lastFailure: 0 }, MINUTE_MS - 1, null],
    [failing, MINUTE_MS - 1, null],
    [failing, MINUTE_MS, 'failing'],
    [failing, before, 'failing'],
    [{ ...failing, notifiedAt: 0 }, HOUR_MS - 1, null],
    [{ ...failing, notifiedAt: 0 }, HOUR_MS, 'failing'],
    [troubled, 5 * MINUTE_MS - 1, null],
    [troubled, 5 * MINUTE_MS, 'failing'],
    [{ ...troubled, lastNotified: 'failing' }, 1e9, null],
    [{ ...failing, lastNotified: 'failing' }, before, null],
    [{ ...failing, lastNotified: 'failing' }, before + 1, 'warning'],
    [failing, before + 1, 'warning'],
    [{ ...failing, lastNotified: 'warning' }, 1e12, null],
    [disabled, 1e12, 'disabled'],
    [{ ...disabled, lastNotified: 'warning' }, 1e12, 'disabled'],
    [{ ...disabled, lastNotified: 'disabled' }, 1e12, null],
    [{ ...disabled, disabledBy: 'owner' }, 1e12, null],
  ];
  for (const [health, now, mail] of cases) assert.equal(mailDue(health, now), mail, `${JSON.stringify(health)} ${now}`);
  assert.deepEqual([disablesAt(failing), disablesAt(active), disablesAt(disabled)], [72 * HOUR_MS, null, null]);
});

/** What happened to a webhook: attempts of some kinds, some hours apart. */
const attempts = fc.array(
  fc.record({
    kind: fc.constantFrom<Kind[]>('delivered', 'failed', 'failed', 'failed', 'failed', 'failed', 'released'),
    afterHours: fc.double({ min: 0, max: 20, noNaN: true }),
  }),
  { maxLength: 60 },
);

test('a webhook is disabled exactly when 72 h and 10 attempts have passed without one success', () => {
  fc.assert(
    fc.property(attempts, (history) => {
      let health = enabledHealth();
      let now = 0;
      let failures: number[] = [];
      for (const { kind, afterHours } of history) {
        now += afterHours * HOUR_MS;
        health = afterAttempt(health, { kind }, now);
        if (kind === 'delivered') failures = [];
        if (kind === 'failed') failures.push(now);
        const isDue = failures.length >= 10 && now - (failures[0] ?? now) >= 72 * HOUR_MS;
        const expected = isDue ? 'disabled' : failures.length >= 3 ? 'failing' : 'active';
        assert.equal(health.state, expected);
        if (isDue) return;
      }
    }),
  );
});

test('sporadic failures never disable a webhook nor slow it down', () => {
  const { failureShare: _, lastFailure: __, ...withoutShare } = active;
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 100 }), (runs) => {
      let health = active;
      runs.forEach((failures, day) => {
        for (let n = 0; n < failures; n++) health = afterAttempt(health, { kind: 'failed' }, day * 24 * HOUR_MS);
        health = afterAttempt(health, { kind: 'delivered' }, day * 24 * HOUR_MS);
        const { failureShare: _, lastFailure: __, ...rest } = health;
        assert.ok(health.troubledSince === null);
        assert.deepEqual(rest, withoutShare);
      });
    }),
  );
});

test('the owner gets one mail for each change of state and is notified of a recovery only after trouble', () => {
  const follows: Record<HealthMail, readonly (HealthMail | undefined)[]> = {
    failing: [undefined, 'recovered'],
    warning: [undefined, 'recovered', 'failing'],
    disabled: [undefined, 'recovered', 'failing', 'warning'],
    recovered: ['failing', 'warning'],
  };
  fc.assert(
    fc.property(attempts, (history) => {
      let health = enabledHealth();
      let now = 0;
      let last: HealthMail | undefined;
      for (const { kind, afterHours } of history) {
        now += afterHours * HOUR_MS;
        health = afterAttempt(health, { kind }, now);
        const mail = mailDue(health, now);
        if (!mail) continue;
        assert.ok(follows[mail].includes(last), `${mail} after ${last}`);
        health = afterMail(health, mail, now);
        assert.equal(mailDue(health, now), null);
        last = mail;
      }
    }),
  );
});

test('a receiver that takes every other event is distinguished from one that is down, and its owner gets one mail an hour', () => {
  const run = (minutes: number, isTaken: (n: number) => boolean, begun: Health = { ...active }) => {
    let health = begun;
    const mails: HealthMail[] = [];
    let half = 0;
    for (let n = 0; n < minutes * 60; n++) {
      const now = n * SECOND_MS;
      health = afterAttempt(health, { kind: isTaken(n) ? 'delivered' : 'failed' }, now);
      if (isHalfThere(health, now)) half++;
      const mail = mailDue(health, now);
      if (mail) mails.push(mail);
      if (mail) health = afterMail(health, mail, now);
    }
    return { mails, half: half / (minutes * 60), health };
  };
  const often = run(180, (n) => n % 2 === 0 || n % 7 === 0);
  assert.deepEqual(often.mails, ['failing']);
  assert.ok(often.half > 0.9);
  const down = run(180, () => false);
  assert.deepEqual([down.mails, down.half], [['failing'], 0]);
  const seldom = run(180, (n) => n % 20 !== 0);
  assert.deepEqual([seldom.mails, seldom.half, seldom.health.state], [[], 0, 'active']);
  const inTurns = run(360, (n) => n % 600 < 300);
  assert.ok(inTurns.mails.filter((mail) => mail === 'failing').length <= 6, inTurns.mails.join());
});
