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
  Changelog: [
    {
      query: `mutation ($title: String!, $text: String, $labels: [ChangelogLabel!], $postIds: [String!]) {
        createChangelogEntry(title: $title, text: $text, labels: $labels, postIds: $postIds) { id number title state }
      }`,
      variables: { title: 'Dark mode', text: 'At **last**.', labels: ['NEW'], postIds: ['<post>'] },
      refused: { variables: { title: '' } },
    },
    {
      query: 'query ($number: Int) { changelogEntry(number: $number) { title state posts { nodes { title } } } }',
      variables: { number: 1 },
      refused: { variables: {} },
    },
    {
      query: 'mutation ($id: String!, $title: String) { updateChangelogEntry(id: $id, title: $title) { title } }',
      variables: { id: '<entry>', title: 'Keyboard shortcuts' },
      refused: byMember,
    },
    {
      query: `mutation ($id: String!, $at: DateTime) {
        publishChangelogEntry(id: $id, at: $at) { state datePublished url }
      }`,
      variables: { id: '<entry>' },
      refused: { variables: { id: '<entry>', at: '2020-01-01T00:00:00.000Z' } },
    },
    {
      query:
        'query ($cursor: String) { changelog(cursor: $cursor, limit: 2) { nodes { title labels datePublished } hasMore cursor } }',
      variables: { cursor: null },
      refused: { variables: { cursor: 'x' } },
    },
    {
      query: `mutation ($id: String!, $reaction: ChangelogReaction!) {
        addChangelogReaction(id: $id, reaction: $reaction) { reactions { reaction count } viewerReactions }
      }`,
      variables: { id: '<entry>', reaction: 'HEART' },
      refused: { variables: { id: unknown, reaction: 'HEART' } },
    },
    {
      query: `mutation ($id: String!, $reaction: ChangelogReaction!) {
        removeChangelogReaction(id: $id, reaction: $reaction) { viewerReactions }
      }`,
      variables: { id: '<entry>', reaction: 'HEART' },
      refused: { variables: { id: '<entry>', reaction: 'ANGER' } },
    },
    {
      query: 'mutation ($id: String!) { unpublishChangelogEntry(id: $id) { state } }',
      variables: { id: '<entry>' },
      refused: byMember,
    },
    {
      query: 'mutation ($id: String!) { deleteChangelogEntry(id: $id) { id } }',
      variables: { id: '<entry>' },
      refused: { variables: { id: unknown } },
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
  Views: [
    {
      query: `mutation ($kind: ViewKind!, $name: String!, $isShared: Boolean, $conditions: [ViewConditionInput!]!) {
        createView(kind: $kind, name: $name, isShared: $isShared, conditions: $conditions) { id name isShared }
      }`,
      variables: {
        kind: 'TRIAGE',
        name: 'Loud and unanswered',
        isShared: true,
        conditions: [
          { parameter: 'LIST', values: ['unanswered'] },
          { parameter: 'VOTES', values: ['10'] },
        ],
      },
      refused: {
        variables: { kind: 'PEOPLE', name: 'Voters', conditions: [{ parameter: 'VOTES', values: ['10'] }] },
      },
    },
    { query: '{ views(kind: IDEAS) { id name count conditions { parameter values } leftOut { value reason } } }' },
    {
      query: 'mutation ($id: String!, $name: String) { updateView(id: $id, name: $name) { name dateUpdated } }',
      variables: { id: '<view>', name: 'Editor and planned' },
      refused: byMember,
    },
    {
      query: 'mutation ($ids: [String!]!) { rearrangeViews(ids: $ids) { id name } }',
      variables: { ids: ['<view>'] },
      refused: { variables: { ids: [unknown] } },
    },
    {
      query: 'mutation ($id: String!) { deleteView(id: $id) { id } }',
      variables: { id: '<view>' },
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
      query: 'mutation ($ids: [String!]!) { rearrangeFields(ids: $ids) }',
      variables: { ids: ['<field>'] },
      refused: { variables: { ids: [unknown] } },
    },
    {
      query: 'mutation ($id: String!) { deleteField(id: $id) { node { id } } }',
      variables: { id: '<field>' },
      refused: { variables: { id: unknown } },
    },
  ],
  Undo: [
    {
      query: 'mutation ($id: String!) { undo(operationId: $id) { dateUndone undoneBy { name } } }',
      variables: { id: '<operation>' },
      refused: byMember,
    },
    {
      query: `query ($cursor: String) {
        operations(cursor: $cursor, limit: 1) {
          nodes { id actor { name } dateCreated isUndoable changes { thing before after } } hasMore cursor
        }
      }`,
      variables: { cursor: null },
      refused: { variables: { cursor: 'x' } },
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
    {
      query: `subscription ($after: String, $types: [String!]) {
        events(after: $after, types: $types) { cursor id type triggeredAt post { title } }
      }`,
      variables: { after: null, types: ['post.status.updated'] },
    },
  ],
};
