import { listTags } from '#src/feedback/tags/tags.ts';
import type { KeyBudget } from '#src/identity/keys/budget.ts';
import type { KeySettings } from '#src/identity/keys/managing.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import type { Reader } from '#src/platform/db/db.ts';
import { badRequest } from '#src/platform/errors.ts';
import { parseDay } from '#src/platform/lib/instant.ts';
import type { RateRule } from '#src/platform/limits/rate-limit.ts';
import { msg } from '#src/platform/messages.ts';
import type { TagChoice } from './fields.tsx';
import { splitAddresses, TAG_FIELD, windows } from './settings.ts';

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
    budget: parseBudget(form),
  };
}

/** The budget from a form, see `BudgetFieldset`. */
export function parseBudget(form: Record<string, string>): KeyBudget {
  const tags = Object.keys(form).flatMap((name) => (name.startsWith(TAG_FIELD) ? [name.slice(TAG_FIELD.length)] : []));
  return {
    operations: parseMost(form.operations),
    votes: parseMost(form.votes),
    tags: tags.length > 0 ? tags : null,
  };
}

/** The tags that a budget can allow. */
export async function listTagChoices(reader: Reader, { board, actor }: ActorContext): Promise<TagChoice[]> {
  return (await listTags(reader, board.id, actor)).map(({ id, name }) => ({ id, name }));
}

/** What is no number is refused where a budget is stored. */
function parseMost(text = ''): number | null {
  return text.trim() === '' ? null : Number(text);
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
