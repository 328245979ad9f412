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
      query: `mutation ($ssoId: String!, $bio: String, $companies: [CompanyInput!]) {
        updateUser(ssoId: $ssoId, bio: $bio, companies: $companies) { name bio companies { name plan } }
      }`,
      variables: {
        ssoId: '42',
        bio: 'Runs the print shop',
        companies: [{ id: 'shop', name: 'Print Shop', plan: 'Pro' }],
      },
      refused: byMember,
    },
    {
      query: 'mutation ($ssoId: String!) { deleteUser(ssoId: $ssoId) { id } }',
      variables: { ssoId: '44' },
      refused: { variables: { ssoId: '45' } },
    },
  ],
  'Companies and segments': [
    {
      query: `mutation ($externalId: String!, $name: String, $plan: String, $monthlyRevenue: Float) {
        createCompany(externalId: $externalId, name: $name, plan: $plan, monthlyRevenue: $monthlyRevenue) {
          id name plan monthlyRevenue
        }
      }`,
      variables: { externalId: 'acme', name: 'Acme', plan: 'Pro', monthlyRevenue: 1_200 },
      refused: byMember,
    },
    { query: '{ companies(sort: REVENUE, limit: 2) { nodes { name plan userCount } hasMore cursor } }' },
    {
      query: 'query ($externalId: String!) { company(externalId: $externalId) { id name plan } }',
      variables: { externalId: 'acme' },
    },
    {
      query: `mutation ($id: String!, $plan: String) { updateCompany(id: $id, plan: $plan) { name plan } }`,
      variables: { id: '<company>', plan: 'Enterprise' },
      refused: byMember,
    },
    {
      query: 'mutation ($id: String!) { deleteCompany(id: $id) { name } }',
      variables: { id: '<old company>' },
      refused: { variables: { id: '<tag>' } },
    },
    {
      query: `mutation ($name: String!, $conditions: [SegmentConditionInput!]!) {
        createSegment(name: $name, conditions: $conditions) { id name userCount }
      }`,
      variables: {
        name: 'Enterprise',
        conditions: [{ of: 'COMPANY', attribute: 'plan', comparison: 'IS', values: ['Enterprise'] }],
      },
      refused: {
        variables: {
          name: 'Large',
          conditions: [{ of: 'USER', attribute: 'seats', comparison: 'AT_LEAST', values: ['many'] }],
        },
      },
    },
    { query: '{ segments { name match conditions { of attribute comparison values } } }' },
    {
      query: 'mutation ($id: String!, $name: String) { updateSegment(id: $id, name: $name) { name } }',
      variables: { id: '<segment>', name: 'With a role' },
      refused: byMember,
    },
    {
      query: 'mutation ($id: String!) { deleteSegment(id: $id) { name } }',
      variables: { id: '<segment>' },
      refused: byMember,
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
