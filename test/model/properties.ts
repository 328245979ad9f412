import type { Any, Code } from './operation.ts';
import { isTeam, type Viewer } from './rights.ts';
import { type Field, type FieldType, type Post, stored, type World } from './world.ts';

/** Texts that are sent to fields of each type, some of them wrong. */
export const texts: Record<FieldType, readonly string[]> = {
  TEXT: ['Größe', ' padded ', 'GRÖSSE', '', 'two\nlines'],
  TEXT_LONG: ['two\nlines', 'x'.repeat(20_000), 'x'.repeat(20_001)],
  NUMBER: ['-12.50', '007', '+3', '-0.0', '1e3', ''],
  DATE: ['2026-11-21', '2026-11-21T23:30:00-05:00', '2026-02-30'],
  URL: ['https://example.com/a', 'ftp://example.com'],
  CHECKBOX: ['true', 'FALSE', 'yes'],
  SELECTION: ['Small', 'LARGE', 'opt-medium', 'Huge', ''],
  SELECTION_MULTI: ['Small', 'large', 'opt-medium', 'Huge'],
};

/** What a field makes of a text; null for one that it does not take. */
function read({ type, options }: Field, raw: string): string | null {
  const text = stored(raw);
  switch (type) {
    case 'TEXT':
      return text.length <= 500 && !text.includes('\n') ? text : null;
    case 'TEXT_LONG':
      return text.length <= 20_000 ? text : null;
    case 'NUMBER':
      return /^[+-]?\d+(\.\d+)?$/.test(text) ? String(Number(text) + 0).replace('-0', '0') : null;
    case 'DATE':
      return readDate(text);
    case 'URL':
      return /^https?:/.test(text) ? text : null;
    case 'CHECKBOX':
      return /^(true|false)$/i.test(text) ? text.toLowerCase() : null;
    default:
      return options.find(({ id, name }) => id === text || name.toLowerCase() === text.toLowerCase())?.id ?? null;
  }
}

function readDate(text: string): string | null {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return null;
  const day = date.toISOString().slice(0, 10);
  return text.length === 10 && day !== text ? null : day;
}

/** What a field makes of several texts, of which those that say nothing are none; null when it does not take them. */
export function readValues(field: Field, raw: readonly string[]): string[] | null {
  const values = new Set(raw.filter((text) => text.trim() !== '').map((text) => read(field, text)));
  if (values.has(null) || (values.size > 1 && field.type !== 'SELECTION_MULTI')) return null;
  return [...values] as string[];
}

export function seesField(viewer: Viewer, field: Field): boolean {
  return field.visibility === 'PUBLIC' || isTeam(viewer);
}

/** What is wrong with the properties of a post; `isComplete` when required fields that are not named are missing. */
export function propertyProblems(world: World, viewer: Viewer, inputs: Any[] | undefined, isComplete: boolean): Code[] {
  const named = (inputs ?? []).map(({ parent, values }) => ({ field: world.find(world.fields, parent), values }));
  const problems: Code[] = named.flatMap(({ field, values }) => {
    if (!field || !seesField(viewer, field)) return ['NOT_FOUND' as const];
    const read = readValues(field, values);
    return read === null || (read.length === 0 && field.isRequired) ? ['BAD_REQUEST' as const] : [];
  });
  if (new Set((inputs ?? []).map(({ parent }) => parent)).size < named.length) problems.push('BAD_REQUEST');
  const missing = world.fields.some(
    (field) => field.isRequired && seesField(viewer, field) && !named.some((one) => one.field === field),
  );
  return isComplete && missing ? [...problems, 'BAD_REQUEST'] : problems;
}

/** Gives a post what it shall have in the fields that are named. */
export function fillIn(world: World, post: Post, inputs: Any[] | undefined): void {
  for (const { parent, values } of inputs ?? []) {
    const field = world.find(world.fields, parent);
    const read = field && readValues(field, values);
    if (field && read && read.length > 0) post.values.set(field, read);
    else if (field) post.values.delete(field);
  }
}

export const PROPERTY_FIELDS = 'parent type values';

/** What a post has in the fields that a viewer sees, the oldest field first. */
export function showProperties(world: World, viewer: Viewer, post: Post) {
  return world.fields.flatMap((field) => {
    const values = post.values.get(field);
    return values && seesField(viewer, field) ? [{ parent: field.id, type: field.type, values }] : [];
  });
}
