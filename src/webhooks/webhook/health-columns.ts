import type { Generated, Selectable } from 'kysely';
import type { Health } from './health.ts';

/** The health of a webhook as it is stored. */
export type HealthTable = {
  state: Health['state'];
  disabled_by: Health['disabledBy'];
  failures_in_row: number;
  failing_since: number | null;
  ramp_limit: number;
  told: Health['lastNotified'];
  failure_share: Generated<number>;
  troubled_since: number | null;
  date_told: number | null;
  date_last_failure: number | null;
};

/** The columns that store the health of a webhook. */
export function healthColumns(health: Health) {
  return {
    state: health.state,
    disabled_by: health.disabledBy,
    failures_in_row: health.failuresInRow,
    failing_since: health.failingSince,
    ramp_limit: health.rampLimit,
    told: health.lastNotified,
    failure_share: health.failureShare,
    troubled_since: health.troubledSince,
    date_told: health.notifiedAt,
  };
}

/** The health stored in a row. */
export function healthOf(row: Selectable<HealthTable>): Health {
  return {
    state: row.state,
    disabledBy: row.disabled_by,
    failuresInRow: row.failures_in_row,
    failingSince: row.failing_since,
    rampLimit: row.ramp_limit,
    lastNotified: row.told,
    failureShare: row.failure_share,
    troubledSince: row.troubled_since,
    lastFailure: row.date_last_failure,
    notifiedAt: row.date_told,
  };
}
