import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { CombinedGraphQLErrors } from '@apollo/client';
import { CombinedError } from '@urql/core';
import { parse } from 'graphql';
import { createPost } from '../../src/feedback/lifecycle/creating.ts';
import { findUser } from '../../src/identity/users/users.ts';
import { type TestApp, testOnce } from '../support/app.ts';
import { clientMakers } from './client-makers.ts';
import { listen } from './listening.ts';

const CREATE_USER = parse(`
  mutation Register($type: String!, $id: String!, $attributes: JSON) {
    createUser(ssotype: $type, userId: $id, name: "Grace", attributes: $attributes) { id ssoId ssoType name attributes }
  }
`);

const CREATE_USER_BY_SSO = parse(`
  mutation Register($ssoType: SSOTypes!, $ssoId: String!, $name: String!, $emailOnMention: Boolean) {
    createUser(ssoType: $ssoType, ssoId: $ssoId, name: $name, emailOnMention: $emailOnMention) { id ssoId ssoType name }
  }
`);

const UPDATE_USER = parse(`
  mutation Update($ssoId: String!, $ssoType: SSOTypes!, $bio: String) {
    updateUser(ssoId: $ssoId, ssoType: $ssoType, bio: $bio) { id bio }
  }
`);

const USERS = parse('query Users($limit: Int) { users(limit: $limit) { id name ssoId ssoType role } }');

const TEAM = parse('query Team { board { id team { id isInvitationPending role ssoId user { id name } } } }');

const CHANGE_ROLE = parse(`
  mutation ChangeRole($ssoId: String!, $role: BoardUserType!) {
    changeTeamUserRole(ssoId: $ssoId, role: $role) { id team { id role } }
  }
`);

const REMOVE = parse('mutation Remove($ssoId: String!) { removeTeamUser(ssoId: $ssoId) }');

const CREATE_POST = parse(`
  mutation Suggest($title: String!, $text: String) {
    createPost(title: $title, comment: $text) { id title content author { id name } status { id type } }
  }
`);

const PAGE = parse(`
  query Page($cursor: String, $limit: Int, $sort: PostSortOrder) {
    posts(cursor: $cursor, limit: $limit, sort: $sort) { nodes { id title author { id name } } hasMore cursor totalCount }
  }
`);

const CREATE_STATUS = parse(`
  mutation Add($boardId: String!, $postId: String!, $id: String!, $name: String!, $color: String!) {
    createStatus(boardId: $boardId, postId: $postId, id: $id, name: $name, color: $color) {
      node { id color name type postVisibility }
    }
  }
`);

const UPDATE_STATUS = parse(`
  mutation Change($id: String!, $postId: String!, $name: String, $postVisibility: PostVisibility) {
    updateStatus(id: $id, postId: $postId, name: $name, postVisibility: $postVisibility) {
      id color name type postVisibility
    }
  }
`);

const DELETE_STATUS = parse(`
  mutation Remove($id: String!, $postId: String!) {
    deleteStatus(id: $id, postId: $postId) { id node { id name } }
  }
`);

const REARRANGE = parse('mutation Order($ids: [String!]!) { rearrangeStatuses(ids: $ids) }');

const CREATE_FIELD = parse(`
  mutation Add($boardId: String!, $id: String!, $label: String!, $type: FieldType!, $options: [FieldOptionInput]) {
    createField(boardId: $boardId, id: $id, label: $label, type: $type, options: $options) {
      node { id label type options { id name } }
    }
  }
`);

const FILL_FIELD = parse(`
  mutation Fill($id: String!, $properties: [PostPropertyInput]) {
    updatePost(id: $id, properties: $properties) { node { id properties { id parent type values field { id label } } } }
  }
`);

const FIND_BY_FIELD = parse(`
  query Find($filters: [PostFilter!]) { posts(filters: $filters) { nodes { id } } }
`);

const CHANGE_FIELD = parse(`
  mutation Change($id: String!, $boardId: String!, $postId: String!, $options: [FieldOptionInput]) {
    updateField(id: $id, boardId: $boardId, postId: $postId, options: $options) { node { id options { id name } } }
  }
`);

const DELETE_FIELD = parse('mutation Remove($id: String!) { deleteField(id: $id) { node { id } } }');

type NewUser = { createUser: { id: string; ssoId: string; ssoType: string; name: string; attributes: unknown } };
type Someone = { id: string; name: string; bio?: string; role?: string };
type Team = { board: { team: { role: string; ssoId: string; isInvitationPending: boolean; user: Someone }[] } };
type NewPost = { createPost: { id: string; title: string; content: string; author: { id: string; name: string } } };
type StatusAnswer = Record<'createStatus' | 'updateStatus' | 'deleteStatus', { id: string; node: { name: string } }> & {
  rearrangeStatuses: boolean;
};
type FieldAnswer = Record<
  'createField' | 'updateField' | 'deleteField',
  { node: { id: string; options: object[] } }
> & {
  updatePost: { node: { properties: { parent: string; values: string[] }[] } };
  posts: { nodes: { id: string }[] };
};
type Page = { posts: { nodes: { id: string }[]; hasMore: boolean; cursor: string | null; totalCount: number } };

for (const [name, make] of Object.entries(clientMakers)) {
  testOnce(`${name} creates a user and a post`, async (testApp) => {
    const url = await listen(testApp);
    const registrar = make(url, { apikey: testApp.key });
    const attributes = { plan: 'team', seats: [1, 2] };
    const { createUser } = await registrar.mutate<NewUser>(CREATE_USER, { type: 'SSO', id: 'grace', attributes });
    assert.deepEqual(
      { ...createUser, id: '', __typename: 'User' },
      { __typename: 'User', id: '', ssoId: 'grace', ssoType: 'SSO', name: 'Grace', attributes },
    );

    const client = make(url, { apikey: testApp.key, ssotype: 'SSO', ssoid: 'grace' });
    const variables = { title: 'Dark mode', text: 'My eyes. 🌒' };
    const { createPost } = await client.mutate<NewPost>(CREATE_POST, variables);
    assert.equal(createPost.title, variables.title);
    assert.equal(createPost.content, variables.text);
    assert.equal(createPost.author.id, createUser.id);
  });

  testOnce(`${name} adds, changes, moves and deletes a status, in node and flat`, async (testApp) => {
    const url = await listen(testApp);
    const client = make(url, { apikey: testApp.key, ssotype: 'SSO', ssoid: 'ada' });
    const [boardId, postId, id] = [testApp.board.id, await testApp.makePost('Dark mode'), randomUUID()];
    const status = {
      __typename: 'Status',
      id,
      name: 'Later',
      color: '#123456',
      type: 'CUSTOM',
      postVisibility: 'PUBLIC',
    };
    const input = { boardId, postId, id, name: 'Later', color: '#123456' };
    assert.deepEqual((await client.mutate<StatusAnswer>(CREATE_STATUS, input)).createStatus.node, status);
    const changes = { id, postId, name: 'Soon', postVisibility: 'TEAM' };
    const { updateStatus } = await client.mutate<StatusAnswer>(UPDATE_STATUS, changes);
    const changed = { ...status, name: 'Soon', postVisibility: 'TEAM', __typename: 'StatusPayload' };
    assert.deepEqual({ ...updateStatus }, changed);
    assert.equal((await client.mutate<StatusAnswer>(REARRANGE, { ids: [id] })).rearrangeStatuses, true);
    const { deleteStatus } = await client.mutate<StatusAnswer>(DELETE_STATUS, { id, postId });
    assert.deepEqual([deleteStatus.id, deleteStatus.node.name], [id, 'Soon']);
  });

  testOnce(`${name} registers people by either spelling, and manages the team`, async (testApp) => {
    const client = make(await listen(testApp), { apikey: testApp.key, ssotype: 'SSO', ssoid: 'ada' });
    const flat = await client.mutate<NewUser>(CREATE_USER, { type: 'SSO', id: 'grace' });
    const variables = { ssoType: 'SSO', ssoId: 'grace', name: 'Grace H.', emailOnMention: false };
    const { createUser } = await client.mutate<NewUser>(CREATE_USER_BY_SSO, variables);
    assert.deepEqual([createUser.id, createUser.name], [flat.createUser.id, 'Grace H.']);
    const change = { ssoId: 'grace', ssoType: 'SSO', bio: 'Compilers' };
    const { updateUser } = await client.mutate<{ updateUser: Someone }>(UPDATE_USER, change);
    assert.deepEqual([updateUser.id, updateUser.bio], [createUser.id, 'Compilers']);
    const { users } = await client.query<{ users: Someone[] }>(USERS, { limit: 100 });
    assert.deepEqual(
      users.map((user) => user.name),
      ['ada', 'Grace H.'],
    );
    await client.mutate(CHANGE_ROLE, { ssoId: 'grace', role: 'ADMIN' });
    const { board } = await client.query<Team>(TEAM, {});
    assert.deepEqual(
      board.team.map(({ ssoId, role, isInvitationPending }) => [ssoId, role, isInvitationPending]),
      [
        ['ada', 'OWNER', false],
        ['grace', 'ADMIN', false],
      ],
    );
    const { removeTeamUser } = await client.mutate<{ removeTeamUser: boolean }>(REMOVE, { ssoId: 'grace' });
    assert.equal(removeTeamUser, true);
  });

  testOnce(
    `${name} makes a field, fills it in on a post, finds the post by it and deletes the field`,
    async (testApp) => {
      const url = await listen(testApp);
      const client = make(url, { apikey: testApp.key, ssotype: 'SSO', ssoid: 'ada' });
      const [boardId, postId, id] = [testApp.board.id, await testApp.makePost('Dark mode'), randomUUID()];
      const options = [{ id: 'pro', name: 'Pro' }];
      const field = { boardId, id, label: 'Plan', type: 'SELECTION', options };
      assert.equal((await client.mutate<FieldAnswer>(CREATE_FIELD, field)).createField.node.id, id);
      const properties = [{ parent: id, values: ['Pro'] }];
      const { updatePost } = await client.mutate<FieldAnswer>(FILL_FIELD, { id: postId, properties });
      assert.deepEqual(
        updatePost.node.properties.map(({ parent, values }) => ({ parent, values })),
        [{ parent: id, values: ['pro'] }],
      );
      const filters = [{ type: 'FIELD', label: 'Plan', is: 'Pro' }];
      const { posts } = await client.query<FieldAnswer>(FIND_BY_FIELD, { filters });
      assert.deepEqual(
        posts.nodes.map((post) => post.id),
        [postId],
      );
      const changes = { id, boardId, postId, options: [...options, { name: 'Max' }] };
      assert.equal((await client.mutate<FieldAnswer>(CHANGE_FIELD, changes)).updateField.node.options.length, 2);
      assert.equal((await client.mutate<FieldAnswer>(DELETE_FIELD, { id })).deleteField.node.id, id);
    },
  );

  testOnce(`${name} pages through 1,000 posts and sees each once`, async (testApp) => {
    const url = await listen(testApp);
    const ids = await makePosts(testApp, 1_000);
    const client = make(url, { apikey: testApp.key, ssotype: 'SSO', ssoid: 'ada' });
    const seen: string[] = [];
    let pages = 0;
    let cursor: string | null = null;
    do {
      const variables: Record<string, unknown> = { cursor, limit: 100, sort: 'NEWEST' };
      const { posts }: Page = await client.query<Page>(PAGE, variables);
      assert.equal(posts.totalCount, 1_000);
      assert.equal(posts.hasMore, posts.cursor !== null);
      seen.push(...posts.nodes.map((post) => post.id));
      cursor = posts.cursor;
      pages++;
    } while (cursor !== null);
    assert.equal(pages, 10);
    assert.deepEqual(seen.sort(), ids.sort());
  });

  testOnce(`${name} hands on message and code of an error`, async (testApp) => {
    const url = await listen(testApp);
    const client = make(url, { apikey: testApp.key, ssotype: 'SSO', ssoid: 'ada' });
    await assert.rejects(client.query(PAGE, { limit: 1_000 }), (error) => {
      assert.deepEqual(listErrors(error), ['BAD_REQUEST: limit must be from 1 to 100; it is 1000']);
      return true;
    });
    await assert.rejects(make(url, {}).query(PAGE, {}), (error) => {
      assert.deepEqual(listErrors(error), ['UNAUTHENTICATED: Invalid Api Key']);
      return true;
    });
  });
}

function listErrors(error: unknown): string[] {
  assert.ok(error instanceof CombinedGraphQLErrors || error instanceof CombinedError);
  const errors = error instanceof CombinedError ? error.graphQLErrors : error.errors;
  return errors.map(({ message, extensions }) => `${extensions?.code}: ${message}`);
}

/** Posts of the same moment, so that their order hangs on the id alone. */
async function makePosts({ db, clock, board }: TestApp, count: number): Promise<string[]> {
  const actor = await findUser(db.read, board.id, { ssoType: 'SSO', ssoId: 'ada' });
  assert.ok(actor);
  const context = { db, clock, board, actor, baseUrl: 'http://board.test' };
  const ids: string[] = [];
  while (ids.length < count) {
    // As many at once as the store has connections, so that none waits for one for long on a busy machine.
    const some = Array.from({ length: Math.min(10, count - ids.length) }, (_, n) => n + ids.length);
    const posts = await Promise.all(some.map((n) => createPost(context, { title: `Idea ${n}` })));
    ids.push(...posts.map(({ id }) => id));
  }
  return ids;
}
