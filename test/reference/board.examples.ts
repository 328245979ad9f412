import { byMember, type Example, unknown } from './example.ts';

/** Under headings, in the order in which they are carried out on one board. */
export const boardExamples: Record<string, Example[]> = {
  Statuses: [
    { query: '{ listStatuses { id name type color position } }' },
    { query: 'query ($id: String!) { status(id: $id) { name postVisibility } }', variables: { id: '<status>' } },
    {
      query: `mutation ($name: String!, $color: String!) {
        createStatus(name: $name, color: $color) { node { id name type position } }
      }`,
      variables: { name: 'In review', color: '#3b82f6' },
      refused: { variables: { name: 'In review', color: 'blue' } },
    },
    {
      query: `mutation ($id: String!, $name: String) {
        updateStatus(id: $id, name: $name) { node { name } }
      }`,
      variables: { id: '<status>', name: 'Scheduled' },
      refused: byMember,
    },
    {
      query: 'mutation ($ids: [String!]!) { rearrangeStatuses(ids: $ids) }',
      variables: { ids: ['<status>'] },
      refused: { variables: { ids: [unknown] } },
    },
    {
      query: 'mutation ($id: String!) { deleteStatus(id: $id) { node { id } } }',
      variables: { id: '<status>' },
      refused: { variables: { id: '<unassigned>' } },
    },
  ],
  Tags: [
    {
      query: `mutation ($name: String!, $color: String) {
        createTag(name: $name, color: $color) { id name color isPrivate }
      }`,
      variables: { name: 'Mobile', color: '#16a34a' },
      refused: { variables: { name: 'Editor' } },
    },
    { query: '{ listTags { id name postCount } }' },
    { query: 'query ($id: String!) { tag(id: $id) { name color } }', variables: { id: '<tag>' } },
    {
      query:
        'mutation ($id: String!, $isPrivate: Boolean) { updateTag(id: $id, isPrivate: $isPrivate) { name isPrivate } }',
      variables: { id: '<tag>', isPrivate: true },
      refused: byMember,
    },
    {
      query: 'mutation ($id: String!) { deleteTag(id: $id) { id } }',
      variables: { id: '<tag>' },
      refused: { variables: { id: unknown } },
    },
  ],
  Fields: [
    {
      query: `mutation ($boardId: String!, $label: String!, $type: FieldType!, $options: [FieldOptionInput]) {
        createField(boardId: $boardId, label: $label, type: $type, options: $options) { node { id label options { id name } } }
      }`,
      variables: {
        boardId: 'acme',
        label: 'Platform',
        type: 'SELECTION',
        options: [{ name: 'iOS' }, { name: 'Android' }],
      },
      refused: { variables: { boardId: 'acme', label: 'Platform', type: 'SELECTION' } },
    },
    { query: '{ listFields { id label type isRequired } }' },
    { query: 'query ($id: String!) { field(id: $id) { label type visibility } }', variables: { id: '<field>' } },
    {
      query: `mutation ($id: String!, $isRequired: Boolean) {
        updateField(id: $id, isRequired: $isRequired) { node { label isRequired } }
      }`,
      variables: { id: '<field>', isRequired: true },
      refused: byMember,
    },
    {
      query: 'mutation ($id: String!) { deleteField(id: $id) { node { id } } }',
      variables: { id: '<field>' },
      refused: { variables: { id: unknown } },
    },
  ],
  Events: [
    {
      query: `query ($after: String, $types: [String!]) {
        events(after: $after, types: $types, limit: 1) { nodes { id type triggeredAt post { title } } hasMore cursor }
      }`,
      variables: { after: null, types: ['post.status.updated'] },
      refused: { variables: { after: null, types: ['post.creatd'] } },
    },
  ],
};
