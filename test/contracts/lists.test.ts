import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../support/app.ts';
import { fillBoard } from './filled-board.ts';

/** What a list asks for, around `…`, and how many statements each of its fields may add. */
const lists: [around: string, fields: [field: string, statements: number][]][] = [
  [
    'query($n: Int!) { posts(limit: $n, sort: OLDEST) { nodes { id … } } }',
    [
      ['title commentCount moderationStatus moderatedBy', 0],
      ['board { name }', 1],
      ['board { postCount }', 2],
      ['board { statuses { name } tags { name postCount } }', 4],
      ['board { team { role user { name } } }', 3],
      ['author { name }', 1],
      ['moderator { name }', 1],
      ['isSubscribed viewerVote', 2],
      ['mergedInto { title }', 1],
      ['mergedPosts { title }', 1],
      ['votes(limit: 3) { nodes { type } hasMore }', 1],
      ['votes(limit: 3) { nodes { user { name } addedBy { name } post { title } } }', 3],
      ['comments(limit: 3) { nodes { text } }', 1],
      ['comments(limit: 3) { nodes { parent { text } moderator { name } } }', 3],
      ['comments(limit: 3) { nodes { replies(limit: 2) { nodes { text user { name } } } } }', 3],
      ['subscribers(limit: 3) { nodes { name } }', 1],
      ['subscribers(limit: 3) { nodes { name } totalCount }', 2],
      ['assignments(limit: 3) { nodes { user { name } assignedBy { name } } }', 2],
      ['events(limit: 3) { nodes { type } hasMore }', 2],
      ['changelogEntries(limit: 3) { nodes { title } }', 1],
    ],
  ],
  [
    'query($n: Int!) { users(limit: $n) { id … } }',
    [
      ['posts(limit: 2) { nodes { title } }', 1],
      ['posts(limit: 2) { totalCount nodes { title } }', 2],
      ['comments(limit: 2) { nodes { text post { title } } }', 2],
      ['votes(limit: 2) { nodes { type post { title } } }', 2],
    ],
  ],
  [
    'query($n: Int!) { usersPage(limit: $n) { nodes { id … } hasMore cursor } }',
    [
      ['name email attributes', 0],
      ['posts(limit: 2) { totalCount nodes { title } }', 2],
    ],
  ],
  [
    'query($n: Int!) { usersPage(limit: $n, since: "2020-01-01T00:00:00Z") { totalCount nodes { id … } } }',
    [['votes(limit: 2) { nodes { type } }', 1]],
  ],
  ['query($n: Int!) { listStatuses { id … } }', [['posts(limit: $n) { nodes { title author { name } } }', 2]]],
  ['query($n: Int!) { roadmap { status { name } … } }', [['posts(limit: $n) { nodes { title } }', 1]]],
  [
    'query($n: Int!) { comments(limit: $n) { nodes { id … } } }',
    [
      ['post { title } user { name } parent { text }', 3],
      ['replies(limit: 2) { nodes { text } }', 1],
      ['reactions { reaction count } viewerReactions', 1],
    ],
  ],
  ['query($n: Int!) { votes(limit: $n) { nodes { id … } } }', [['post { title } user { name }', 2]]],
  [
    'query($n: Int!) { changelog(limit: $n) { nodes { id … } } }',
    [
      ['title reactions { reaction count }', 0],
      ['author { name } files { name } viewerReactions', 3],
      ['posts(limit: 3) { nodes { title viewerVote } }', 2],
    ],
  ],
  ['query($n: Int!) { events(limit: $n) { nodes { id … } } }', [['actor { name } post { title }', 2]]],
];

/** The statements of a request that the app has seen before. */
async function count(app: TestApp, query: string, n: number, as: string): Promise<number> {
  const { errors } = await app.gql(query, { n }, { as });
  assert.deepEqual(errors, [], query);
  app.takeStatements();
  await app.gql(query, { n }, { as });
  return app.takeStatements().length;
}

testBoth('each field of a list adds statements for the list, and none for a row', async (app) => {
  await fillBoard(app);
  await app.makeUser('mia');
  for (const [around, fields] of lists) {
    const isUsed = around.includes('(limit: $n');
    const bare = await count(app, around.replace('…', '').replace(isUsed ? '' : '($n: Int!)', ''), 3, 'ada');
    for (const [field, statements] of fields) {
      const query = around.replace('…', field);
      for (const [n, as] of [
        [3, 'ada'],
        [20, 'ada'],
        [20, 'mia'],
      ] as const) {
        const more = (await count(app, query, n, as)) - bare;
        assert.ok(more <= statements, `${query} with ${n} as ${as}: ${more} more, not ${statements}`);
      }
    }
  }
});

testBoth('posts cost one statement however they are chosen, and one more for what the choice names', async (app) => {
  await fillBoard(app);
  await app.makeUser('mia');
  const cases: [args: string, statements: number][] = [
    ['', 1],
    ['sort: TOP', 1],
    ['where: { minUpvotes: 1, createdAfter: "2020-01-01T00:00:00Z", externalId: "x" }', 1],
    ['where: { statusTypes: [UNASSIGNED, COMPLETED] }', 2],
    ['where: { votedBy: { ssotype: "SSO", userId: "ben" } }', 2],
    ['filters: [{ type: STATUS, is: "UNASSIGNED" }], where: { statusTypes: [UNASSIGNED] }, sort: COMPLETED', 2],
  ];
  for (const as of ['ada', 'mia']) {
    for (const [args, statements] of cases) {
      const query = `query($n: Int!) { posts(limit: $n${args && `, ${args}`}) { nodes { title } } }`;
      assert.equal(await count(app, query, 20, as), statements, query);
    }
  }
});
