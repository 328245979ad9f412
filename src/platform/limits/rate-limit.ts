import type { Db } from '../db/db.ts';
import { SECOND_MS } from '../lib/clock.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';

/**
 * Maximum number of requests in each window of this many seconds. Windows begin at multiples of their length since the
 * epoch.
 */
export type RateRule = { seconds: number; limit: number };

/** The state of one window: `resetAt` is when the next begins. */
export type RateWindow = RateRule & { remaining: number; resetAt: number };

/** Whether a request may proceed, and the windows after it was counted or refused. */
export type RateVerdict = { allowed: boolean; windows: RateWindow[] };

/** The key that is limited; no rules mean no limit. */
export type RatedKey = { id: string; boardId: string; rateRules: readonly RateRule[] };

/** Counts requests against the limits of their keys. */
export type RateLimiter = {
  take(key: RatedKey, now: number): MaybePromise<RateVerdict>;
  /** The windows as this process knows them, without counting. */
  peek(key: RatedKey, now: number): RateWindow[];
};

/** Limits for one process: counts in memory. A refused request is not counted. */
export function makeMemoryRateLimiter(): RateLimiter {
  const counts = new Counts();
  return {
    peek: (key, now) => counts.describe(key, now),
    take(key, now) {
      const allowed = counts.haveRoom(key, now);
      if (allowed) counts.add(key, now, 1);
      return { allowed, windows: counts.describe(key, now) };
    },
  };
}

declare module '../db/db.ts' {
  interface Tables {
    rate_windows: { board_id: string; api_key_id: string; seconds: number; window_start: number; used: number };
  }
}

/**
 * Limits for all processes on one PostgreSQL together: counts in a table, one statement for each request. A process
 * refuses requests from memory once it has seen the limit reached, so a flood costs the database almost nothing.
 */
export function makeSharedRateLimiter(db: Db): RateLimiter {
  const counts = new Counts();
  return {
    peek: (key, now) => counts.describe(key, now),
    async take(key, now) {
      if (!counts.haveRoom(key, now)) return { allowed: false, windows: counts.describe(key, now) };
      // Counted here immediately; otherwise a burst would fill the longer windows with refused requests.
      counts.add(key, now, 1);
      const rows = await addShared(db, key, now).catch((error) => {
        counts.add(key, now, -1);
        throw error;
      });
      for (const row of rows) counts.learn(key, row.seconds, { start: row.window_start, used: row.used });
      const allowed = key.rateRules.every((rule) =>
        rows.some((row) => row.seconds === rule.seconds && row.used <= rule.limit),
      );
      return { allowed, windows: counts.describe(key, now) };
    },
  };
}

type SharedRow = { seconds: number; window_start: number; used: number };

/** Counts one request in every window of the key; a window that is over begins again at 1. */
function addShared(db: Db, key: RatedKey, now: number): Promise<SharedRow[]> {
  const values = key.rateRules.map((rule) => ({
    board_id: key.boardId,
    api_key_id: key.id,
    seconds: rule.seconds,
    window_start: windowStart(rule.seconds, now),
    used: 1,
  }));
  return db.transaction((tx) =>
    tx
      .insertInto('rate_windows')
      .values(values)
      .onConflict((c) =>
        c.columns(['board_id', 'api_key_id', 'seconds']).doUpdateSet((e) => {
          // A process whose clock is behind counts in the window that others have opened.
          const isOpen = e('rate_windows.window_start', '>=', e.ref('excluded.window_start'));
          return {
            used: e
              .case()
              .when(isOpen)
              .then(e('rate_windows.used', '+', 1))
              .else(1)
              .end(),
            window_start: e
              .case()
              .when(isOpen)
              .then(e.ref('rate_windows.window_start'))
              .else(e.ref('excluded.window_start'))
              .end(),
          };
        }),
      )
      .returning(['seconds', 'window_start', 'used'])
      .execute(),
  );
}

type Window = { start: number; used: number };

/** The usage of the current windows of each key: two numbers per window, for all keys. */
class Counts {
  readonly #byKey = new Map<string, Map<number, Window>>();

  haveRoom(key: RatedKey, now: number): boolean {
    return key.rateRules.every((rule) => this.#window(key, rule.seconds, now).used < rule.limit);
  }

  add(key: RatedKey, now: number, requests: 1 | -1): void {
    for (const rule of key.rateRules) this.#window(key, rule.seconds, now).used += requests;
  }

  /**
   * Takes over the usage of all processes, unless a higher count is already known: responses can overtake each other.
   */
  learn(key: RatedKey, seconds: number, { start, used }: Window): void {
    const window = this.#window(key, seconds, start);
    if (window.start === start) window.used = Math.max(window.used, used);
  }

  describe(key: RatedKey, now: number): RateWindow[] {
    return key.rateRules.map(({ seconds, limit }) => {
      const { start, used } = this.#window(key, seconds, now);
      return { seconds, limit, remaining: Math.max(0, limit - used), resetAt: start + seconds * SECOND_MS };
    });
  }

  #windows(key: RatedKey): Map<number, Window> {
    let windows = this.#byKey.get(key.id);
    if (!windows) {
      windows = new Map();
      this.#byKey.set(key.id, windows);
    }
    return windows;
  }

  /** The current window; a clock that was set back does not open an old one again. */
  #window(key: RatedKey, seconds: number, now: number): Window {
    const windows = this.#windows(key);
    const start = windowStart(seconds, now);
    let window = windows.get(seconds);
    if (!window || window.start < start) {
      window = { start, used: 0 };
      windows.set(seconds, window);
    }
    return window;
  }
}

function windowStart(seconds: number, now: number): number {
  const length = seconds * SECOND_MS;
  return Math.floor(now / length) * length;
}
