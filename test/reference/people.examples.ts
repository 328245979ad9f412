import { byMember, type Example } from './example.ts';

/** Under headings, in the order in which they are carried out on one board. */
export const peopleExamples: Record<string, Example[]> = {
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
};
