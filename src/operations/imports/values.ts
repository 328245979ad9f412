import { requireMailAddress } from '../../platform/texts/email.ts';
import type { ImportedPerson } from './items.ts';

/** `2025-07-21`, with a time and a zone or without: without one it is UTC, as exports write it. */
const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z|UTC|[+-]\d\d:?\d\d)?)?$/;

/**
 * An instant as exports write it, in milliseconds; null for an empty text.
 * @throws RangeError for dates whose day and month could be either way round, and for anything else
 */
export function parseDate(raw: string): number | null {
  const text = raw.trim();
  if (text === '') return null;
  const [, day, time = '00:00', zone = 'Z'] = DATE.exec(text.slice(0, 50)) ?? [];
  const instant = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone === 'UTC' ? 'Z' : zone}`);
  // Dates that do not exist are moved to the next month.
  const isReal = Number.isFinite(instant) && new Date(`${day}T00:00Z`).toISOString().startsWith(day ?? '');
  if (isReal) return instant;
  throw new RangeError(`“${text.slice(0, 50)}” is not a date such as 2025-07-21 or 2025-07-21T14:05:00Z`);
}

/** A person, of what is not empty; null if nothing is. An address is used only if mail could be sent to it. */
export function personOf(raw: ImportedPerson): ImportedPerson | null {
  const person = {
    id: raw.id?.trim() || undefined,
    ssoType: raw.ssoType || undefined,
    email: addressOf(raw.email ?? ''),
    name: raw.name?.trim() || undefined,
  };
  return person.id === undefined && person.email === undefined && person.name === undefined ? null : person;
}

function addressOf(raw: string): string | undefined {
  try {
    return raw.trim() === '' ? undefined : requireMailAddress(raw);
  } catch {
    return undefined;
  }
}

/** Names that are separated by commas, or a JSON list of them. */
export function parseNames(raw: string): string[] {
  const text = raw.trim();
  const names = text.startsWith('[') ? parseList(text) : text.split(',');
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))];
}

function parseList(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(String) : [text];
  } catch {
    return [text];
  }
}
