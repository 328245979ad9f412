import { ImportError } from '../items.ts';
import { bounded, boundedList } from './bounds.ts';

/** An object from outside: nothing about its values is certain. */
export type Row = Readonly<Record<string, unknown>>;

/** A value that should be an object; an empty one for anything else. */
export function rowOf(value: unknown): Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : {};
}

/** A value that should be a list; an empty one for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The list that an API was asked for. @throws ImportError for anything else: it is not the same as an empty one */
export function requireList(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new ImportError(`${what} was answered without a list`);
}

/** A list that belongs to an item; an empty one for anything else. @throws RangeError if it is too long */
export function itemListOf(value: unknown): readonly unknown[] {
  return boundedList(listOf(value));
}

/** A value that should be a text; an empty one for anything else. @throws RangeError if it is too long */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? bounded(value) : '';
}
