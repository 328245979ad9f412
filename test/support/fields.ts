import type { TestApp } from './app.ts';

/** Operations on fields, and on posts as far as fields go. */
export const CREATE_FIELD = `mutation(
  $boardId: String!, $id: String, $label: String!, $description: String, $type: FieldType!, $isRequired: Boolean,
  $allowUrlPrefill: Boolean, $locations: [String!], $options: [FieldOptionInput], $visibility: FieldVisibility
) {
  createField(
    boardId: $boardId, id: $id, label: $label, description: $description, type: $type, isRequired: $isRequired,
    allowUrlPrefill: $allowUrlPrefill, locations: $locations, options: $options, visibility: $visibility
  ) { node { ...F } }
}
fragment F on Field {
  id label description type isRequired allowUrlPrefill locations visibility options { id name color }
}`;
export const UPDATE_FIELD = `mutation(
  $id: String!, $label: String, $description: String, $type: FieldType, $isRequired: Boolean,
  $allowUrlPrefill: Boolean, $locations: [String!], $options: [FieldOptionInput], $visibility: FieldVisibility
) {
  updateField(
    id: $id, label: $label, description: $description, type: $type, isRequired: $isRequired,
    allowUrlPrefill: $allowUrlPrefill, locations: $locations, options: $options, visibility: $visibility
  ) { node { ...F } }
}
fragment F on Field {
  id label description type isRequired allowUrlPrefill locations visibility options { id name color }
}`;
export const DELETE_FIELD = 'mutation($id: String!) { deleteField(id: $id) { node { id label } } }';
export const ADD_POST = `mutation($title: String = "Dark mode", $properties: [PostPropertyInput], $date: DateTime) {
  createPost(title: $title, properties: $properties, dateCreated: $date) { id properties { parent values } }
}`;
export const SET_PROPERTIES = `mutation($id: String!, $properties: [PostPropertyInput]) {
  updatePost(id: $id, properties: $properties) { node { id properties { parent values } } }
}`;
export const FIND_POSTS = `query($filters: [PostFilter!], $sort: PostSortOrder = OLDEST, $limit: Int, $cursor: String) {
  posts(filters: $filters, sort: $sort, limit: $limit, cursor: $cursor) { totalCount nodes { title } cursor }
}`;

/** A field as clients see it. */
export type SeenField = { id: string; label: string; options: { id: string; name: string; color: string | null }[] };

/** Makes a field. */
export async function makeField({ ask, board }: TestApp, label: string, more: object = {}): Promise<SeenField> {
  return (await ask(CREATE_FIELD, { boardId: board.id, label, type: 'TEXT', ...more })).createField.node;
}

/** What a post shall have in a field. */
export const put = (field: { id: string }, ...values: (string | null)[]) => ({ parent: field.id, values });
