import type { KeyRow } from '#src/identity/keys/keys.ts';
import type { KeySettings } from '#src/identity/keys/managing.ts';
import { parseDay } from '#src/platform/lib/instant.ts';
import type { RateRule } from '#src/platform/limits/rate-limit.ts';
import type { MessagePart } from '#src/platform/messages.ts';

/** The windows for which the form has fields. */
export const windows = { perSecond: 1, perMinute: 60, perHour: 3_600 } as const;
const DAY_MS = 86_400_000;

/** The values of a key's fields. */
export type KeyFields = {
  name: string;
  read: boolean;
  write: boolean;
  webhooks: boolean;
  ips: string;
  expires: string;
  limits: Record<keyof typeof windows, string>;
};

/** The error of a field, as the server reports it. */
export class KeyFieldError extends Error {
  readonly extensions: { code: 'BAD_REQUEST'; field: string };
  readonly said: readonly MessagePart[];

  constructor(field: string, message: string) {
    super(message);
    this.extensions = { code: 'BAD_REQUEST', field };
    this.said = [[message]];
  }
}

/** The settings from a form. Rules for which the form has no field stay unchanged. */
export function parseKeySettings(form: Record<string, string>, before: readonly RateRule[] = []): KeySettings {
  const seconds = Object.values<number>(windows);
  const others = before.filter((rule) => !seconds.includes(rule.seconds));
  return {
    name: form.name ?? '',
    permissions: [
      ...(form.read === 'on' ? (['READ'] as const) : []),
      ...(form.write === 'on' ? (['WRITE'] as const) : []),
      ...(form.webhooks === 'on' ? (['WEBHOOKS'] as const) : []),
    ],
    allowedIps: splitAddresses(form.allowedIps ?? ''),
    rateRules: [...Object.entries(windows).flatMap(([field, length]) => parseRule(form, field, length)), ...others],
    expiresAt: parseExpiry(form.expires ?? ''),
  };
}

/** Addresses as people type them: one per line, or separated by commas. */
export function splitAddresses(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

function parseRule(form: Record<string, string>, field: string, seconds: number): RateRule[] {
  const text = form[field]?.trim() ?? '';
  if (text === '') return [];
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1_000_000_000) return [{ seconds, limit }];
  throw new KeyFieldError(field, 'limit must be a whole number of at least 1, or empty for none');
}

/** A key works until the end of the chosen day, in UTC. */
function parseExpiry(text: string): number | null {
  if (text === '') return null;
  const start = parseDay(text);
  if (start === null) throw new KeyFieldError('expires', 'expires must be a day such as 2027-01-31');
  return start + DAY_MS - 1;
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
  };
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
