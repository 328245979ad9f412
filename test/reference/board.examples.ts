import { byMember, type Example, unknown } from './example.ts';

/** Under headings, in the order in which they are carried out on one board. */
export const boardExamples: Record<string, Example[]> = {
  'Board and API key': [
    { query: '{ board { name url locale statuses { name type } postCount } }' },
    { query: '{ viewer { apiKeyName permissions user { name role } board { name } } }' },
    { query: '{ rateLimit { windows { seconds limit remaining resetAt } } }' },
  ],
  Users: [
    {
      query: `mutation ($ssoType: SSOTypes, $ssoId: String, $name: String, $email: String) {
        createUser(ssoType: $ssoType, ssoId: $ssoId, name: $name, email: $email) { id ssoId name role dateCreated }
      }`,
      variables: { ssoType: 'SSO', ssoId: '42', name: 'Mona', email: 'mona@example.com' },
      refused: { variables: { ssoType: 'SSO', name: 'Mona' } },
    },
    {
      query: 'query ($ssoId: String!) { user(ssoId: $ssoId) { id name email role } }',
      variables: { ssoId: '42' },
      refused: { variables: { ssoId: '43' } },
    },
    { query: '{ users(limit: 2) { id name } }' },
    { query: '{ usersPage(search: "mo", limit: 2) { nodes { id name } hasMore cursor totalCount } }' },
    {
      query: `mutation ($ssoId: String!, $bio: String) {
        updateUser(ssoId: $ssoId, bio: $bio) { name bio }
      }`,
      variables: { ssoId: '42', bio: 'Runs the print shop' },
      refused: byMember,
    },
    {
      query: 'mutation ($ssoId: String!) { deleteUser(ssoId: $ssoId) { id } }',
      variables: { ssoId: '44' },
      refused: { variables: { ssoId: '45' } },
    },
  ],
  Team: [
    {
      query: `mutation ($emails: [String!]!, $type: BoardUserType!) {
        addTeamUser(emails: $emails, type: $type) { team { email role isInvitationPending } }
      }`,
      variables: { emails: ['joe@example.com'], type: 'MODERATOR' },
      refused: byMember,
    },
    {
      query: `mutation ($ssoId: String!, $role: BoardUserType!) {
        changeTeamUserRole(ssoId: $ssoId, role: $role) { team { role user { name } } }
      }`,
      variables: { ssoId: '42', role: 'MODERATOR' },
      refused: byMember,
    },
    {
      query: 'mutation ($ssoId: String!) { removeTeamUser(ssoId: $ssoId) }',
      variables: { ssoId: '42' },
      refused: byMember,
    },
  ],
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
