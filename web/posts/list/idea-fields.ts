import { type Field, listFormFields } from '#src/feedback/fields/fields.ts';
import type { PropertyInput } from '#src/feedback/fields/properties.ts';
import { parseValues } from '#src/feedback/fields/values.ts';
import { AppError, badRequest } from '#src/platform/errors.ts';
import { msg } from '#src/platform/messages.ts';
import type { View } from '../../parts/requests/joining.ts';

/** A field of the board that the form for a new idea asks for. */
export type IdeaField = Pick<Field, 'id' | 'label' | 'description' | 'type'> & {
  isRequired: boolean;
  options: { id: string; name: string }[];
};

/** The fields that the form for a new idea asks a viewer for. */
export async function viewIdeaFields(view: View): Promise<IdeaField[]> {
  return (await listFields(view)).map(viewIdeaField);
}

/** What the form for a new idea shows of a field. */
export function viewIdeaField({ id, label, description, type, is_required, options }: Field): IdeaField {
  return {
    id,
    label,
    description,
    type,
    isRequired: is_required === 1,
    options: options.map((option) => ({ id: option.id, name: option.name })),
  };
}

function listFields({ visit, context: { board, actor } }: View): Promise<Field[]> {
  return listFormFields(visit.db.read, board.id, actor);
}

/**
 * The values of fields in a form for a new idea.
 * @throws BAD_REQUEST naming the control of the field
 */
export async function readIdeaFields(view: View, form: Record<string, string>): Promise<PropertyInput[]> {
  return (await listFields(view)).flatMap((field) => {
    const name = `field:${field.id}`;
    const values = parseInForm(field, name, valuesOf(field, name, form));
    if (values.length === 0 && field.is_required === 1) throw badRequest(msg('fieldNeedsValue', field.label), name);
    return values.length === 0 ? [] : [{ parent: field.id, values }];
  });
}

function valuesOf(field: Field, name: string, form: Record<string, string>): string[] {
  if (field.type === 'SELECTION_MULTI') {
    return field.options.flatMap(({ id }) => (form[`${name}:${id}`] === 'on' ? [id] : []));
  }
  const value = form[name] ?? '';
  return field.type === 'CHECKBOX' ? [value === 'on' ? 'true' : ''] : [value];
}

function parseInForm(field: Field, name: string, values: readonly string[]): string[] {
  try {
    return parseValues(field, values);
  } catch (error) {
    if (error instanceof AppError) error.extensions.field = name;
    throw error;
  }
}
