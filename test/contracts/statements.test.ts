import assert from 'node:assert/strict';
import { listKeys, revokeKey } from '../../src/identity/keys/keys.ts';
import { type GqlOptions, type TestApp, testBoth } from '../support/app.ts';
import { ADD_POST, makeField, put, type SeenField } from '../support/fields.ts';
import { upload } from '../support/files.ts';

/** What a request costs once the app has seen one like it: the statements that it runs. */
async function countStatements(
  testApp: TestApp,
  query: string,
  variables: Record<string, unknown> = {},
  options: GqlOptions = {},
): Promise<number> {
  await testApp.gql(query, variables, options);
  testApp.takeStatements();
  await testApp.gql(query, variables, options);
  return testApp.takeStatements().length;
}

/** Twenty-five posts by five people in three statuses, with four comments by different people each. */
async function fill({ ask, makeUser }: TestApp): Promise<void> {
  const people = ['ben', 'cleo', 'dan', 'eve', 'fay'];
  for (const person of people) await makeUser(person);
  const { listStatuses } = await ask('{ listStatuses { id } }');
  for (let n = 0; n < 25; n++) {
    const as = people[n % people.length] ?? null;
    const { createPost } = await ask(
      `mutation($as: String!, $status: String!) {
        createPost(title: "Idea", comment: "Because.", statusId: $status, author: { ssotype: "SSO", userId: $as }) { id }
      }`,
      { as, status: listStatuses[n % 3].id },
    );
    const comments = people
      .slice(0, 4)
      .map(
        (person, c) =>
          `c${c}: createComment(postId: $id, text: "Yes!", author: { ssotype: "SSO", userId: "${person}" }) { id }`,
      );
    await ask(`mutation($id: String!) { ${comments.join('\n')} }`, { id: createPost.id });
  }
}

testBoth('a post by its id costs one statement', async (testApp) => {
  const id = await testApp.makePost('Dark mode');
  const query = 'query($id: String!) { post(id: $id) { id title upvoteCount url dateCreated } }';
  assert.deepEqual((await testApp.ask(query, { id })).post.id, id);
  assert.equal(await countStatements(testApp, query, { id }), 1);
});

testBoth('a post by its number costs one statement', async (testApp) => {
  await testApp.makePost('Dark mode');
  const query = '{ postByNumber(number: 1) { id title upvoteCount url dateCreated } }';
  assert.equal((await testApp.ask(query)).postByNumber.title, 'Dark mode');
  assert.equal(await countStatements(testApp, query), 1);
});

testBoth('what is known of the key and the acting user costs no statement', async (testApp) => {
  const query = '{ viewer { apiKeyName permissions user { id name } } rateLimit { windows { seconds } } }';
  assert.equal((await testApp.ask(query)).viewer.user.name, 'ada');
  assert.equal(await countStatements(testApp, query), 0);
});

testBoth('twenty posts with author and status cost three statements', async (testApp) => {
  await fill(testApp);
  const query = '{ posts(limit: 20) { nodes { id title author { id name } status { id name } } hasMore cursor } }';
  const { posts } = await testApp.ask(query);
  assert.equal(posts.nodes.length, 20);
  assert.equal(await countStatements(testApp, query), 3);
});

testBoth('tags cost one statement for all posts of a list, and none unless requested', async (testApp) => {
  const { ask } = testApp;
  const tags: string[] = [];
  for (const name of ['Bug', 'Idea', 'Later']) {
    tags.push((await ask('mutation($name: String!) { createTag(name: $name) { id } }', { name })).createTag.id);
  }
  const create = 'mutation($tagIds: [String!]) { createPost(title: "Idea", tagIds: $tagIds) { id } }';
  for (let n = 0; n < 20; n++) await ask(create, { tagIds: tags.slice(n % 3) });
  const query = '{ posts(limit: 20) { nodes { title tags { name postCount } } } }';
  const { posts } = await ask(query);
  assert.deepEqual(new Set(posts.nodes.map((post: { tags: unknown[] }) => post.tags.length)), new Set([1, 2, 3]));
  assert.equal(await countStatements(testApp, query), 2);
  assert.equal(await countStatements(testApp, '{ posts(limit: 20) { nodes { title } } }'), 1);
  assert.equal(await countStatements(testApp, '{ listTags { name } }'), 1);
  assert.equal(await countStatements(testApp, create), await countStatements(testApp, create, { tagIds: [] }));
  const further = (await countStatements(testApp, create, { tagIds: tags })) - (await countStatements(testApp, create));
  assert.equal(further, 3); // finds and locks them, puts them on the post, counts it
});

testBoth('properties cost two statements for all posts of a list, and one more to write them', async (testApp) => {
  const { ask } = testApp;
  const fields: SeenField[] = [];
  for (const label of ['Plan', 'Seats', 'Note']) fields.push(await makeField(testApp, label));
  const properties = fields.map((field) => put(field, 'x'));
  for (let n = 0; n < 20; n++) await ask(ADD_POST, { properties: properties.slice(n % 3) });
  const query = '{ posts(limit: 20) { nodes { title properties { values field { label } } } } }';
  const { posts } = await ask(query);
  assert.equal(posts.nodes.length, 20);
  assert.equal(await countStatements(testApp, query), 3);
  assert.equal(await countStatements(testApp, '{ posts(limit: 20) { nodes { title } } }'), 1);
  assert.equal(await countStatements(testApp, '{ board { fields { label options { name } } } }'), 2);
  assert.equal(await countStatements(testApp, '{ listFields { label } }'), 1);
  const add = 'mutation($properties: [PostPropertyInput]) { createPost(title: "T", properties: $properties) { id } }';
  const bare = await countStatements(testApp, add);
  assert.equal((await countStatements(testApp, add, { properties })) - bare, 1);
  const asked = (count: number) => fields.slice(0, count).map(({ label }) => ({ type: 'FIELD', label, is: 'x' }));
  const find = 'query($filters: [PostFilter!]) { posts(filters: $filters) { nodes { title } } }';
  // The fields, how many posts have the values, and the page.
  for (const count of [1, 3]) assert.equal(await countStatements(testApp, find, { filters: asked(count) }), 3);
});

testBoth(
  'twenty posts with author, status and three comments each with its user cost five statements',
  async (testApp) => {
    await fill(testApp);
    const query = `query($limit: Int) { posts(limit: $limit) { nodes {
    id author { name } status { name } comments(limit: 3) { nodes { text user { name } } hasMore cursor }
  } } }`;
    const { posts } = await testApp.ask(query, { limit: 20 });
    assert.equal(posts.nodes.length, 20);
    for (const post of posts.nodes) {
      assert.equal(post.comments.nodes.length, 3);
      assert.ok(post.comments.hasMore);
      assert.deepEqual(
        post.comments.nodes.map((comment: { user: unknown }) => comment.user),
        [post.author, { name: 'ben' }, { name: 'cleo' }],
      );
    }
    assert.equal(await countStatements(testApp, query, { limit: 20 }), 5);
    assert.equal(await countStatements(testApp, query, { limit: 5 }), 5);
  },
);

testBoth('a list costs no more statements for more rows, whatever is asked of them', async (testApp) => {
  await fill(testApp);
  const query = `query($limit: Int) { posts(limit: $limit) { nodes {
    content viewerVote author { name } user { name } status { name } comments(limit: 2) { nodes { user { id } post { title } } }
  } } }`;
  assert.equal(
    await countStatements(testApp, query, { limit: 2 }),
    await countStatements(testApp, query, { limit: 20 }),
  );
  const events = 'query($limit: Int) { events(limit: $limit) { nodes { type actor { name } post { title } } } }';
  // One of them is for where the log begins.
  assert.equal(await countStatements(testApp, events, { limit: 50 }), 4);
});

testBoth('people cost one statement, and one more to count them, in every list', async (testApp) => {
  await fill(testApp);
  for (const args of [
    '',
    'search: "e"',
    'since: "2020-01-01T00:00:00Z"',
    'search: "e", since: "2020-01-01T00:00:00Z"',
  ]) {
    const list = `query($limit: Int) { usersPage(limit: $limit${args && `, ${args}`}) { nodes { name bio } cursor`;
    for (const limit of [1, 20]) {
      assert.equal(await countStatements(testApp, `${list} } }`, { limit }), 1, args);
      assert.equal(await countStatements(testApp, `${list} totalCount } }`, { limit }), 2, args);
    }
  }
  assert.equal(await countStatements(testApp, '{ users(search: "e") { name } }'), 1);
});

testBoth('a search and similar posts cost as many statements for many posts as for few', async (testApp) => {
  await fill(testApp);
  const search =
    'query($limit: Int) { posts(search: "idea", limit: $limit) { nodes { title author { name } } totalCount } }';
  assert.equal((await testApp.ask(search, { limit: 20 })).posts.nodes.length, 20);
  assert.equal(await countStatements(testApp, search, { limit: 20 }), 5); // the index, in titles, everywhere, the page, its authors
  assert.equal(await countStatements(testApp, search, { limit: 2 }), 5);
  const newest =
    'query($limit: Int) { posts(search: "idea", sort: NEWEST, limit: $limit) { nodes { title } totalCount } }';
  assert.equal(await countStatements(testApp, newest, { limit: 20 }), 3);
  const similar =
    'query($limit: Int) { similarPosts(title: "An idea", limit: $limit) { post { title author { name } } } }';
  assert.equal((await testApp.ask(similar, { limit: 20 })).similarPosts.length, 20);
  assert.equal(await countStatements(testApp, similar, { limit: 20 }), 4);
  const ofPosts = 'query($limit: Int) { posts(limit: $limit) { nodes { similar(limit: 3) { post { title } } } } }';
  // The page, the posts with their texts, and three for each post, of which there are ten at most.
  assert.equal(await countStatements(testApp, ofPosts, { limit: 10 }), 3 + 3 * 10);
});

testBoth('files cost one statement for all posts of a list and one for all comments, none without', async (testApp) => {
  const { ask } = testApp;
  const uploads = async (count: number) => {
    const files: string[] = [];
    for (let n = 0; n < count; n++) files.push((await upload(testApp, { bytes: 'x' })).id);
    return files;
  };
  const create = 'mutation($files: [String]) { createPost(title: "Idea", files: $files) { id } }';
  const write =
    'mutation($id: String!, $files: [String]) { createComment(postId: $id, text: "Yes!", files: $files) { id } }';
  for (let n = 0; n < 5; n++) {
    const { id } = (await ask(create, { files: await uploads(2) })).createPost;
    await ask(write, { id, files: await uploads(1) });
  }
  const query = `query($limit: Int) { posts(limit: $limit) { nodes {
    files { name url } comments(limit: 3) { nodes { files { url } } }
  } } }`;
  assert.equal((await ask(query, { limit: 20 })).posts.nodes[0].comments.nodes[0].files.length, 1);
  assert.equal(await countStatements(testApp, query, { limit: 20 }), 4);
  assert.equal(await countStatements(testApp, query, { limit: 2 }), 4);
  const [first, second] = [await uploads(10), await uploads(1)];
  const none = await countStatements(testApp, create, { files: [] });
  testApp.takeStatements();
  await ask(create, { files: first });
  assert.equal(testApp.takeStatements().length, none + 2); // finds and locks them, puts them on the post
  await ask(create, { files: second });
  assert.equal(testApp.takeStatements().length, none + 2);
  await upload(testApp, { bytes: 'x' });
  assert.ok(testApp.takeStatements().length <= 3); // what to remove if it breaks off; not that, but the file
});

testBoth('a request that is refused costs no statement', async (testApp) => {
  const { makeKey, db, board, clock } = testApp;
  const read = '{ posts { nodes { id } } }';
  const write = 'mutation { createPost(title: "Dark mode") { id } }';
  const revoked = await makeKey({ name: 'revoked' });
  const rows = await listKeys(db.read, board.id);
  const context = { db, clock, board, baseUrl: 'http://board.test' };
  await revokeKey(context, rows.find((row) => row.name === 'revoked')?.id ?? '');
  const expired = await makeKey({ expiresAt: clock.now() });
  const free = await makeKey({}, await testApp.makeBoard({ plan: 'FREE' }));
  const elsewhere = await makeKey({ allowedIps: ['203.0.113.7'] });
  const rated = await makeKey({ rateRules: [{ seconds: 3_600, limit: 1 }] });
  const reader = await makeKey({ permissions: ['READ'] });
  const writer = await makeKey({ permissions: ['WRITE'] });

  const refusals: [why: string, code: string, query: string, options: GqlOptions][] = [
    ['unknown key', 'UNAUTHENTICATED', read, { key: `esk_${'x'.repeat(43)}` }],
    ['malformed key', 'UNAUTHENTICATED', read, { key: "' or 1=1 --" }],
    ['empty key', 'UNAUTHENTICATED', read, { key: '' }],
    ['revoked key', 'UNAUTHENTICATED', read, { key: revoked }],
    ['expired key', 'UNAUTHENTICATED', read, { key: expired }],
    ['plan', 'PLAN_REQUIRED', read, { key: free }],
    ['address', 'IP_NOT_ALLOWED', read, { key: elsewhere }],
    ['rate limit', 'RATE_LIMIT_EXCEEDED', read, { key: rated }],
    ['permission to write', 'FORBIDDEN', write, { key: reader }],
    ['permission to read', 'FORBIDDEN', read, { key: writer }],
    ['no user headers', 'BAD_REQUEST', read, { as: null }],
    ['no user headers on a mutation', 'BAD_REQUEST', write, { as: null }],
    ['no ssoid header', 'BAD_REQUEST', write, { as: null, headers: { ssotype: 'SSO' } }],
    ['not a document', 'GRAPHQL_PARSE_FAILED', '{', {}],
    ['not a valid document', 'GRAPHQL_VALIDATION_FAILED', '{ nothing }', {}],
    [
      'too complex',
      'QUERY_TOO_COMPLEX',
      '{ posts(limit: 100) { nodes { comments(limit: 100) { nodes { id } } } } }',
      {},
    ],
  ];
  for (const [why, code, query, options] of refusals) {
    assert.equal(await countStatements(testApp, query, {}, options), 0, why);
    const { errors } = await testApp.gql(query, {}, options);
    assert.equal(errors[0]?.extensions.code, code, why);
  }
});

testBoth('a thousand unknown keys at once cost what one costs', async (testApp) => {
  const { gql, clock, takeStatements } = testApp;
  clock.advance(10_000);
  takeStatements();
  await gql('{ board { id } }', {}, { key: `esk_${'y'.repeat(43)}` });
  const one = takeStatements().length;
  assert.ok(one > 0);
  clock.advance(10_000);
  const keys = Array.from({ length: 1_000 }, (_, n) => `esk_${String(n).padStart(43, '0')}`);
  const answers = await Promise.all(keys.map((key) => gql('{ board { id } }', {}, { key })));
  assert.ok(answers.every((answer) => answer.status === 401));
  assert.equal(takeStatements().length, one);
});
