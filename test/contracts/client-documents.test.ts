import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { buildSchema, parse, specifiedRules, validate } from 'graphql';
import '../../src/api/graphql/features.ts';
import { makeSchema } from '../../src/api/graphql/schema.ts';
import { type GqlOptions, type TestApp, testBoth } from '../support/app.ts';
import { writeDocuments } from './client-documents.ts';

const contract = buildSchema(readFileSync(new URL('core.graphql', import.meta.url), 'utf8'));
const documents = writeDocuments(contract);

/** Ids of rows by the names that variables use for them. */
type Ids = Record<string, string>;

const ben = { ssotype: 'SSO', userId: 'ben' };
const person = (ssoId: string) => ({ ssoId, ssoType: 'SSO' });
const page = { cursor: null, limit: 10 };
const notices = {
  notifyOP: true,
  notifyCommenters: true,
  notifyUpVoters: false,
  notifyDownVoters: false,
  notifySubscribers: null,
};
const profile = {
  name: 'Grace',
  email: 'grace@example.com',
  emailOnMention: false,
  bio: 'Hi',
  imageUrl: 'https://example.com/g.png',
  attributes: { plan: 'pro', seats: [1, 2] },
};

/** What clients send with each operation, in the order in which it is sent. */
const variables: Record<string, (ids: Ids) => Record<string, unknown>> = {
  createUser: () => ({ ssotype: 'SSO', userId: 'grace', ssoType: 'SSO', ssoId: 'grace', ...profile, isApiUser: false }),
  board: () => ({}),
  viewer: () => ({}),
  rateLimit: () => ({}),
  listStatuses: () => ({}),
  listTags: () => ({}),
  listFields: () => ({}),
  roadmap: () => ({}),
  createTag: ({ post }) => ({ name: `Bug ${post}`, color: '#ff0000', isPrivate: false }),
  updateTag: ({ tag }) => ({ id: tag, name: 'Bugs', color: null, isPrivate: true }),
  createStatus: ({ board, post }) => ({
    boardId: board,
    postId: null,
    id: null,
    color: '#00ff00',
    name: `Beta ${post?.slice(-8)}`,
  }),
  createPost: ({ tag, planned }) => ({
    title: 'Export as CSV',
    comment: 'For our **spreadsheets**',
    files: null,
    properties: null,
    tagIds: [tag],
    statusId: planned,
    author: ben,
    dateCreated: '2026-01-02T03:04:05.678Z',
    externalId: 'ticket-1',
  }),
  updatePost: ({ post, tag }) => ({
    id: post,
    title: 'Darker mode',
    isLocked: false,
    isPinned: true,
    comment: 'Darker',
    properties: [],
    tagIds: [tag],
  }),
  createComment: ({ post, comment }) => ({
    postId: post,
    text: 'Yes!',
    files: null,
    ...notices,
    parentId: comment,
    type: 'BASIC',
    author: { email: 'ben@example.com' },
    dateCreated: '2026-01-02T03:04:05.678Z',
  }),
  updateComment: ({ comment }) => ({ id: comment, text: 'No!' }),
  changePostStatus: ({ post, planned }) => ({ postId: post, statusType: 'CUSTOM', statusId: planned, comment: 'Soon' }),
  changePostModerationStatus: ({ post }) => ({ id: post, moderationStatus: 'FLAGGED' }),
  changeCommentModerationStatus: ({ comment }) => ({ id: comment, moderationStatus: 'FLAGGED' }),
  upvotePost: ({ post, user }) => ({ postId: post, voter: { id: user } }),
  downvotePost: ({ post }) => ({ postId: post, voter: ben }),
  removeVote: ({ post }) => ({ postId: post, voter: null }),
  subscribeToPost: ({ post }) => ({ postId: post, user: ben }),
  unsubscribeFromPost: ({ post }) => ({ postId: post, user: null }),
  assignPost: ({ post }) => ({ postId: post, user: ben }),
  unassignPost: ({ post }) => ({ postId: post, user: ben }),
  post: ({ post }) => ({ id: post }),
  posts: ({ tag, planned, user }) => ({
    ...page,
    filters: [{ type: 'STATUS', is: 'CUSTOM' }],
    sort: 'TOP',
    search: null,
    where: {
      statusIds: [planned],
      statusTypes: ['CUSTOM'],
      tagIds: [tag],
      tagMode: 'ALL',
      author: { id: user },
      createdAfter: '2020-01-01T00:00:00Z',
      minUpvotes: 0,
      moderationStatus: ['APPROVED', 'FLAGGED'],
    },
  }),
  similarPosts: () => ({ title: 'Dark mode', text: 'My eyes', limit: 5 }),
  user: () => person('grace'),
  users: () => ({ ...page, search: 'gra' }),
  usersPage: () => ({ ...page, search: 'gra', since: '2020-01-01T00:00:00Z' }),
  status: ({ planned }) => ({ id: planned }),
  tag: ({ tag }) => ({ id: tag }),
  comment: ({ comment }) => ({ id: comment }),
  comments: ({ post }) => ({ ...page, postId: post, since: null, types: ['BASIC'], sort: 'NEWEST' }),
  votes: ({ post }) => ({ ...page, postId: post, ...person('ben'), since: '2020-01-01T00:00:00Z' }),
  events: () => ({ after: null, types: ['post.created'], limit: 10 }),
  mergePosts: ({ source, post }) => ({ sourceIds: [source], targetId: post }),
  unmergePost: ({ source }) => ({ id: source }),
  rearrangeStatuses: ({ planned }) => ({ ids: [planned] }),
  updateStatus: ({ planned }) => ({
    id: planned,
    color: '#0000ff',
    name: 'Next',
    postId: null,
    postVisibility: 'TEAM',
  }),
  createField: ({ board }) => ({
    boardId: board,
    id: null,
    allowUrlPrefill: true,
    label: 'Size',
    description: 'How much work it is',
    isRequired: false,
    locations: [],
    options: [{ id: null, name: 'Small', color: '#00ff00' }],
    type: 'SELECTION',
    visibility: 'TEAM',
  }),
  field: ({ field }) => ({ id: field }),
  updateField: ({ board, field }) => ({
    id: field,
    boardId: board,
    allowUrlPrefill: false,
    label: 'Effort',
    description: null,
    isRequired: false,
    locations: [],
    options: [{ name: 'Large' }],
    postId: null,
    type: 'SELECTION',
    visibility: 'PUBLIC',
  }),
  deleteField: ({ field }) => ({ id: field }),
  updateUser: () => ({ ...person('grace'), ...profile, name: 'Grace H.' }),
  addTeamUser: () => ({ emails: ['heidi@example.com'], type: 'MODERATOR' }),
  changeTeamUserRole: () => ({ ssoId: 'ben', role: 'MODERATOR' }),
  removeTeamUser: () => ({ ssoId: 'ben' }),
  deleteComment: ({ comment }) => ({ id: comment }),
  deletePost: ({ post }) => ({ postId: post }),
  restorePost: ({ post }) => ({ id: post }),
  deleteTag: ({ tag }) => ({ id: tag }),
  deleteStatus: ({ planned }) => ({ id: planned, postId: null }),
  deleteUser: () => ({ ...person('grace'), keepContent: true }),
};

test('the documents of existing clients are valid, whatever of the contract they use', () => {
  const schema = makeSchema();
  for (const { name, query } of documents) {
    const problems = validate(schema, parse(query), specifiedRules).map(({ message }) => message);
    assert.deepEqual(problems, [], name);
    assert.ok(variables[name], `${name} is carried out`);
  }
});

/** The two ways in which clients name the acting user, with the case of the headers as it comes. */
const spellings: GqlOptions[] = [
  { as: null, headers: { ssotype: 'SSO', ssoid: 'ada' } },
  { as: null, headers: { SsoType: 'SSO', userId: 'ada' } },
];

testBoth(
  'every operation is carried out as existing clients send it, with either spelling of the headers',
  async (app) => {
    for (const options of spellings) {
      const ids = await makeRows(app);
      for (const [name, write] of Object.entries(variables)) {
        const document = documents.find((one) => one.name === name);
        if (!document) continue;
        const sent = write(ids);
        const { data, errors } = await app.gql(document.query, sent, options);
        assert.deepEqual(errors, [], `${name} with ${JSON.stringify(sent)}`);
        const made = data[name]?.node?.id;
        if (name === 'createField') ids.field = made;
        if (name === 'createStatus') assert.equal(data.createStatus.id, made);
      }
    }
  },
);

/** Rows of the round's own, so that what one round deletes is there in the next. */
async function makeRows({ ask, board, makeUser, makePost, db, ...app }: TestApp): Promise<Ids> {
  const user = await makeUser('ben', 'MODERATOR');
  await ask('mutation { createUser(ssotype: "SSO", userId: "ben", email: "ben@example.com") { id } }');
  const post = await makePost('Dark mode');
  const source = await makePost('Night mode');
  const create =
    'mutation($id: String!) { createComment(postId: $id, text: "Please") { id } createTag(name: $id) { id } }';
  const { createComment, createTag } = await ask(create, { id: post });
  const { listStatuses } = await ask('{ listStatuses { id type } }');
  const planned = listStatuses.find(({ type }: { type: string }) => type === 'CUSTOM').id;
  app.clock.advance(1_000);
  return { board: board.id, user, post, source, comment: createComment.id, tag: createTag.id, planned };
}

/** Documents that clients of this style are known to send, with the variables as they declare them. */
const asSeen: [query: string, variables: Record<string, unknown>][] = [
  ['mutation($t: String!, $u: String!) { createUser(ssotype: $t, userId: $u) { id name } }', { t: 'SSO', u: 'a' }],
  [
    'mutation($t: SSOTypes!, $u: String!) { createUser(ssoType: $t, ssoId: $u, name: "A") { id ssoId } }',
    { t: 'okta', u: 'b' },
  ],
  ['mutation { createUser(ssoType: SSO, ssoId: "c", isApiUser: true) { id isAPIUser isSsoUser } }', {}],
  ['query($id: String!, $t: SSOTypes) { user(ssoId: $id, ssoType: $t) { id } }', { id: 'a', t: 'SSO' }],
  ['{ board { id pid description name } }', {}],
  ['query Board { board { statuses { id name color type } team { id role user { name } } } }', {}],
];

testBoth('both shapes of createUser and literals of both kinds are understood', async ({ ask }) => {
  for (const [query, sent] of asSeen) await ask(query, sent);
});
