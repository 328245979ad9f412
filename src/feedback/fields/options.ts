import { badRequest, conflict } from '../../platform/errors.ts';
import { requireColorOr } from '../../platform/lib/color.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { findableLine, requireLine } from '../../platform/texts/text.ts';

const MAX_OPTIONS = 100;

/** An option of a field. Posts store its id, so a new name appears on all of them. */
export type FieldOption = { id: string; name: string; color: string | null };

/** An option from outside: an existing one by its id, or without one by its name, or a new one. */
export type NewOption = { id?: string | null | undefined; name: string; color?: string | null | undefined };

/** Options from outside; nulls are ignored. */
export type NewOptions = readonly (NewOption | null | undefined)[];

/**
 * The new options of a selection, in their order. Existing ones keep their ids.
 * @throws BAD_REQUEST for too few or too many, CONFLICT when two have the same name or id
 */
export function parseOptions(input: NewOptions, current: readonly FieldOption[]): FieldOption[] {
  const raw = input.filter((option) => option != null);
  if (raw.length < 1 || raw.length > MAX_OPTIONS) {
    throw badRequest(msg('optionsCount', MAX_OPTIONS, raw.length), 'options');
  }
  const options = raw.map((option) => parseOption(option, current));
  const names = new Set(options.map((option) => foldName(option.name)));
  const ids = new Set(options.map((option) => option.id));
  if (names.size < options.length) throw conflict(msg('optionsSameName'));
  if (ids.size < options.length) throw conflict('Two options have the same id');
  return options;
}

function parseOption(raw: NewOption, current: readonly FieldOption[]): FieldOption {
  const name = requireLine(raw.name, { field: 'options', min: 1, max: 100 });
  const color = requireColorOr(raw.color ?? null);
  const same = current.find((option) => foldName(option.name) === foldName(name));
  const id = raw.id == null ? (same?.id ?? makeId()) : requireLine(raw.id, { field: 'options', min: 1, max: 100 });
  return { id, name, color };
}

/** The option that a text from outside names: by its id, or by its name ignoring case. */
export function findOption(options: readonly FieldOption[], raw: string): FieldOption | undefined {
  const text = findableLine(raw);
  if (text === null) return undefined;
  const folded = foldName(text);
  return options.find((option) => option.id === text) ?? options.find((option) => foldName(option.name) === folded);
}

function foldName(name: string): string {
  return name.toLowerCase();
}
