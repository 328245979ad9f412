import type { Field, FieldType } from '#src/feedback/fields/fields.ts';
import type { FieldChanges, NewField } from '#src/feedback/fields/managing.ts';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import type { IdeaField } from '../posts/idea-fields.ts';

/** Whether the form for ideas asks for a field. */
export type Asks = 'no' | 'optional' | 'required';

/** The changes that a form makes to a field, or to none; options that the form does not know of stay. */
export function changesOf(form: Record<string, string>, field: Pick<Field, 'type' | 'options'> | null): FieldChanges {
  const type = (form.type as FieldType | undefined) ?? field?.type ?? 'TEXT';
  const { label, description, asks } = form;
  return {
    label,
    description,
    type,
    // A field that the form does not ask for may still be required in the API.
    isOnForm: asks === 'optional' || asks === 'required',
    ...(asks !== 'no' && { isRequired: asks === 'required' }),
    visibility: form.private === 'on' ? 'TEAM' : 'PUBLIC',
    ...(/^SELECTION/.test(type) && { options: optionsOf(form, field?.options ?? []) }),
  };
}

type Option = { id?: string; name: string; color?: string | null };

function optionsOf(form: Record<string, string>, current: Field['options']): Option[] {
  const kept = current
    .filter(({ id }) => form[`remove:${id}`] !== 'on')
    .map(({ id, name, color }) => ({ id, name: form[`option:${id}`] ?? name, color }));
  const added = (form.options ?? '').split('\n').flatMap((line) => (line.trim() === '' ? [] : { name: line }));
  return [...moved(kept, form.move), ...added];
}

/** Options with one moved by one place, such as `up:<id>`. */
function moved<T extends { id: string }>(options: readonly T[], move = ''): T[] {
  const [, step, id] = /^(up|down):(.*)$/.exec(move) ?? [];
  const from = options.findIndex((option) => option.id === id);
  const option = options[from];
  if (!option) return [...options];
  return options.toSpliced(from, 1).toSpliced(Math.max(0, step === 'up' ? from - 1 : from + 1), 0, option);
}

/** The control that visitors would get for what is in the form; null while it has no name. */
export function previewOf(
  form: Record<string, string>,
  field: Pick<Field, 'type' | 'options'> | null,
): IdeaField | null {
  const { label, description, type, isRequired, options } = changesOf(form, field);
  if (!label?.trim()) return null;
  return {
    id: 'preview',
    values: [],
    label,
    description: description || null,
    type: type ?? 'TEXT',
    isRequired: isRequired === true && form.asks === 'required',
    options: (options ?? []).flatMap((option, n) => (option ? { id: `option-${n}`, name: option.name } : [])),
  };
}

/** What a field holds, in plain words. */
export function typeNames(l: Locale): Record<FieldType, string> {
  return {
    TEXT: m.typeText(l),
    TEXT_LONG: m.typeTextLong(l),
    SELECTION: m.typeSelection(l),
    SELECTION_MULTI: m.typeSelectionMulti(l),
    CHECKBOX: m.typeCheckbox(l),
    NUMBER: m.typeNumber(l),
    DATE: m.typeDate(l),
    URL: m.typeUrl(l),
  };
}

/** Fields that many teams have, for boards that have none yet. */
export function exampleFields(l: Locale): NewField[] {
  const named = (names: string) => names.split(/, |、|، /).map((name) => ({ name }));
  return [
    { label: m.exampleArea(l), type: 'SELECTION', options: named(m.exampleAreas(l)), isOnForm: true },
    { label: m.exampleEffort(l), type: 'SELECTION', options: named(m.exampleEfforts(l)), visibility: 'TEAM' },
    { label: m.exampleCustomer(l), type: 'TEXT', visibility: 'TEAM' },
  ];
}
