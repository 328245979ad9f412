import { requireMailAddress } from '../../platform/texts/email.ts';
import type { ImportedPerson } from './items.ts';

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

/** Names that are separated by commas, or else by semicolons, or a list of them in brackets, of JSON or without quotes. */
export function parseNames(raw: string): string[] {
  const text = raw.trim();
  const names = text.startsWith('[') ? parseList(text) : text.split(text.includes(',') ? ',' : ';');
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))];
}

function parseList(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(String) : [text];
  } catch {
    return text.endsWith(']') ? text.slice(1, -1).split(',') : [text];
  }
}
