import type { KeySettings } from '#src/identity/keys/managing.ts';
import { badRequest } from '#src/platform/errors.ts';
import { parseDay } from '#src/platform/lib/instant.ts';
import type { RateRule } from '#src/platform/limits/rate-limit.ts';
import { msg } from '#src/platform/messages.ts';
import { splitAddresses, windows } from './settings.ts';

const DAY_MS = 86_400_000;

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

function parseRule(form: Record<string, string>, field: string, seconds: number): RateRule[] {
  const text = form[field]?.trim() ?? '';
  if (text === '') return [];
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1_000_000_000) return [{ seconds, limit }];
  throw badRequest(msg('keyLimitInvalid'), field);
}

/** A key works until the end of the chosen day, in UTC. */
function parseExpiry(text: string): number | null {
  if (text === '') return null;
  const start = parseDay(text);
  if (start === null) throw badRequest(msg('keyExpiryInvalid'), 'expires');
  return start + DAY_MS - 1;
}
