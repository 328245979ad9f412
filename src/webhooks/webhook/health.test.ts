import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import {
  afterAttempt,
  disabledByOwner,
  disablesAt,
  enabledHealth,
  type Health,
  type HealthMail,
  inFlightLimit,
  mailDue,
  newHealth,
  notifiedAfter,
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
    [{ ...active, rampLimit: 4 }, 'failed', 5, { failuresInRow: 1, failingSince: 5, rampLimit: 1 }],
    [disabled, 'delivered', 5, {}],
    [disabled, 'failed', HOURS_72, {}],
    [disabled, 'gone', 5, {}],
    [newHealth(), 'delivered', 5, {}],
  ];
  for (const [from, kind, now, changes] of cases) {
    assert.deepEqual(
      afterAttempt(from, { kind }, now),
      { ...from, ...changes },
      `${JSON.stringify(from)} ${kind} ${now}`,
    );
  }
});

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
  assert.deepEqual(limits, [1, 2, 4, 1, 2, 4, 8, 8]);
  assert.deepEqual([inFlightLimit(failing), inFlightLimit(disabled), inFlightLimit(enabledHealth())], [1, 0, 1]);
});

test('each state calls for its mail until the owner is notified', () => {
  const before = 48 * HOUR_MS - 1;
  const cases: [health: Health, now: number, mail: HealthMail | null][] = [
    [active, 0, null],
    [{ ...active, failuresInRow: 2, failingSince: 0 }, 1e12, null],
    [{ ...active, lastNotified: 'failing' }, 0, 'recovered'],
    [{ ...active, lastNotified: 'warning' }, 0, 'recovered'],
    [failing, before, 'failing'],
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
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 100 }), (runs) => {
      let health = active;
      runs.forEach((failures, day) => {
        for (let n = 0; n < failures; n++) health = afterAttempt(health, { kind: 'failed' }, day * 24 * HOUR_MS);
        health = afterAttempt(health, { kind: 'delivered' }, day * 24 * HOUR_MS);
        assert.deepEqual(health, active);
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
        health = { ...health, lastNotified: notifiedAfter(mail) };
        assert.equal(mailDue(health, now), null);
        last = mail;
      }
    }),
  );
});
