import type { KeyBudget } from '#src/identity/keys/budget.ts';
import type { KeyRow } from '#src/identity/keys/keys.ts';
import type { RateRule } from '#src/platform/limits/rate-limit.ts';

/** The windows for which the form has fields. */
export const windows = { perSecond: 1, perMinute: 60, perHour: 3_600 } as const;

/** The names of the fields of tags begin so, and go on with their ids. */
export const TAG_FIELD = 'tag-';

/** The values of a key's fields. */
export type KeyFields = {
  name: string;
  read: boolean;
  write: boolean;
  webhooks: boolean;
  ips: string;
  expires: string;
  limits: Record<keyof typeof windows, string>;
  budget: { operations: string; votes: string; tags: readonly string[] };
};

/** Addresses as people type them: one per line, or separated by commas. */
export function splitAddresses(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

/** The fields of a key as it is. */
export function fieldsOf(row: KeyRow): KeyFields {
  const rules: RateRule[] = JSON.parse(row.rate_limits);
  return {
    name: row.name,
    read: row.permissions.includes('READ'),
    write: row.permissions.includes('WRITE'),
    webhooks: row.permissions.includes('WEBHOOKS'),
    ips: (JSON.parse(row.allowed_ips) as string[]).join('\n'),
    expires: row.date_expires === null ? '' : new Date(row.date_expires).toISOString().slice(0, 10),
    limits: limitsOf(rules),
    budget: budgetOf(row.budget),
  };
}

/** A budget as it is stored, by field; empty ones for none. */
export function budgetOf(stored: string | null): KeyFields['budget'] {
  const { operations, votes, tags }: Partial<KeyBudget> = JSON.parse(stored ?? '{}');
  return { operations: String(operations ?? ''), votes: String(votes ?? ''), tags: tags ?? [] };
}

/** The limits of rules, by field. */
export function limitsOf(rules: readonly RateRule[]): KeyFields['limits'] {
  const limitFor = (seconds: number) => String(rules.find((rule) => rule.seconds === seconds)?.limit ?? '');
  return { perSecond: limitFor(1), perMinute: limitFor(60), perHour: limitFor(3_600) };
}

/** Whether a key can be used, and if not why. */
export function stateOf(row: KeyRow, now: number): 'active' | 'expired' | 'revoked' {
  if (row.date_revoked !== null) return 'revoked';
  return row.date_expires !== null && row.date_expires <= now ? 'expired' : 'active';
}
