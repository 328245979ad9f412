import { type Field, listFields, listFormFields } from '#src/feedback/fields/fields.ts';
import { type PropertyInput, readProperties } from '#src/feedback/fields/properties.ts';
import { namesOf, parseValues } from '#src/feedback/fields/values.ts';
import type { PostRow } from '#src/feedback/posts/posts.ts';
import type { ViewerContext } from '#src/identity/users/request-context.ts';
import { AppError, badRequest } from '#src/platform/errors.ts';
import { msg } from '#src/platform/messages.ts';
import type { View } from '../parts/requests/joining.ts';
import { compareForm, versionsOf } from '../parts/requests/versions.ts';

/** A field of the board that the form of an idea asks for. */
export type IdeaField = Pick<Field, 'id' | 'label' | 'description' | 'type'> & {
  isRequired: boolean;
  options: { id: string; name: string }[];
  /** What the idea has in it. */
  values: readonly string[];
};

/** The fields that the form for a new idea asks a viewer for. */
export async function viewIdeaFields(view: View): Promise<IdeaField[]> {
  return (await listAsked(view)).map(viewIdeaField);
}

/** What the form of an idea shows of a field. */
export function viewIdeaField({ id, label, description, type, is_required, options }: Field): IdeaField {
  return {
    id,
    label,
    description,
    type,
    isRequired: is_required === 1,
    options: options.map((option) => ({ id: option.id, name: option.name })),
    values: [],
  };
}

/** The fields that the viewer can fill in, with their values, and the versions of these. */
export async function viewFieldsForm({ context }: View, post: PostRow) {
  const fields = await listWithValues(context, post);
  return {
    versions: versionsOf(textsOf(fields)),
    fields: fields.map(({ field, values }) => ({ ...viewIdeaField(field), values })),
  };
}

/**
 * What a form changes of the values of an idea, refused if others have changed it differently since it was shown.
 * @throws BAD_REQUEST naming the control of a field
 */
export async function compareFields(context: ViewerContext, post: PostRow, form: Record<string, string>) {
  // Fields that were made since are not in the form, which would clear them.
  const before = (await listWithValues(context, post)).filter(({ name }) => form[`was:${name}`] !== undefined);
  const given = before.map((each) => ({ ...each, values: readValues(each.field, form) }));
  const words = before.map(({ name, field, values }) => [name, namesOf(field, values).join(', ')]);
  const typed = { ...form, ...textsOf(given) };
  const { changed, conflict } = compareForm(typed, textsOf(before), Object.fromEntries(words));
  const isChanged = ({ name }: { name: string }) => changed.has(name);
  const seen = before.filter(isChanged).map(({ name, values }) => [name, values.length > 0 ? values : null]);
  return {
    conflict: conflict && { ...conflict, values: form },
    properties: given.filter(isChanged).map(({ field, values }) => ({ parent: field.id, values })),
    seen: Object.fromEntries(seen),
  };
}

type WithValues = { field: Field; name: string; values: readonly string[] };

/** Every field that the viewer sees, with the values of an idea. */
async function listWithValues({ db, board, actor }: ViewerContext, post: PostRow): Promise<WithValues[]> {
  const fields = await listFields(db.read, board.id, actor);
  const properties = (await readProperties(db.read, board.id, [post.id], fields)).get(post.id) ?? [];
  return fields.map((field) => {
    const values = properties.find((property) => property.field === field)?.values ?? [];
    return { field, name: `field:${field.id}`, values };
  });
}

/** The values as versions of them are made: a box that is not ticked has none. */
function textsOf(fields: readonly WithValues[]): Record<string, string> {
  const textOf = ({ field, values }: WithValues) =>
    field.type === 'CHECKBOX' && values[0] === 'false' ? '' : values.join(' ');
  return Object.fromEntries(fields.map((each) => [each.name, textOf(each)]));
}

function listAsked({ visit, context: { board, actor } }: View): Promise<Field[]> {
  return listFormFields(visit.db.read, board.id, actor);
}

/**
 * The values of fields in a form for a new idea.
 * @throws BAD_REQUEST naming the control of the field
 */
export async function readIdeaFields(view: View, form: Record<string, string>): Promise<PropertyInput[]> {
  return (await listAsked(view)).flatMap((field) => {
    const values = readValues(field, form);
    return values.length === 0 ? [] : [{ parent: field.id, values }];
  });
}

/** The values of a field in a form. @throws BAD_REQUEST naming the control of the field */
function readValues(field: Field, form: Record<string, string>): string[] {
  const name = `field:${field.id}`;
  const values = parseInForm(field, name, valuesOf(field, name, form));
  if (values.length === 0 && field.is_required === 1) throw badRequest(msg('fieldNeedsValue', field.label), name);
  return values;
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
