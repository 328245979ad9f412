import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '../../../src/platform/lib/clock.ts';
import { type TestApp, testBoth } from '../../support/app.ts';
import { makeEntry, PUBLISH, publishNew } from '../../support/changelog.ts';
import { schema } from '../../support/schema.ts';
import { addTracker, issueUrl } from '../../support/trackers.ts';
import { cursorArguments, limitArguments } from './listing.ts';

/**
 * A list that takes the size of a page: what it is called with, around `…` for the arguments of the page, and which
 * order of which rows it is. Lists of the same rows in the same order have cursors in common.
 */
type List = { query: string; rows: string };

const list = (rows: string, query: string): List => ({ rows, query });

const lists: Record<string, List> = {
  'Query.users': list('users', '{ users(…) { id } }'),
  'Query.usersPage': list('people', '{ usersPage(…) { nodes { id } cursor } }'),
  'Query.posts': list('posts TRENDING', '{ posts(…) { nodes { id } cursor } }'),
  'Query.comments': list('comments OLDEST', '{ comments(…) { nodes { id } cursor } }'),
  'Query.votes': list('votes', '{ votes(…) { nodes { id } cursor } }'),
  'Query.events': list('events', '{ events(…) { nodes { id } cursor } }'),
  'Query.operations': list('operations', '{ operations(…) { nodes { id } cursor } }'),
  'Query.similarPosts': list('no pages', '{ similarPosts(title: "Dark mode", …) { score } }'),
  'Status.posts': list('posts NEWEST', '{ listStatuses { posts(…) { nodes { id } cursor } } }'),
  'RoadmapColumn.posts': list('posts TOP', '{ roadmap { posts(…) { nodes { id } cursor } } }'),
  'User.posts': list('posts NEWEST', '{ viewer { user { posts(…) { nodes { id } cursor } } } }'),
  'User.comments': list('comments NEWEST', '{ viewer { user { comments(…) { nodes { id } cursor } } } }'),
  'User.votes': list('votes', '{ viewer { user { votes(…) { nodes { id } cursor } } } }'),
  'Post.comments': list('comments OLDEST', '{ post(id: "<post>") { comments(…) { nodes { id } cursor } } }'),
  'Post.votes': list('votes', '{ post(id: "<post>") { votes(…) { nodes { id } cursor } } }'),
  'Post.subscribers': list('subscribers', '{ post(id: "<post>") { subscribers(…) { nodes { id } cursor } } }'),
  'Post.assignments': list('assignments', '{ post(id: "<post>") { assignments(…) { nodes { dateCreated } cursor } } }'),
  'Post.issues': list('issues', '{ post(id: "<post>") { issues(…) { nodes { id } cursor } } }'),
  'Post.events': list('events', '{ post(id: "<post>") { events(…) { nodes { id } cursor } } }'),
  'Post.changelogEntries': list(
    'entries of a post',
    '{ post(id: "<post>") { changelogEntries(…) { nodes { id } cursor } } }',
  ),
  'Query.companies': list('companies NEWEST', '{ companies(…) { nodes { id } cursor } }'),
  'Query.changelog': list('entries PUBLISHED', '{ changelog(…) { nodes { id } cursor } }'),
  'ChangelogEntry.posts': list(
    'posts of an entry',
    '{ changelogEntry(id: "<entry>") { posts(…) { nodes { id } cursor } } }',
  ),
  'Post.similar': list('no pages', '{ post(id: "<post>") { similar(…) { score } } }'),
  'Comment.replies': list('comments OLDEST', '{ comment(id: "<comment>") { replies(…) { nodes { id } cursor } } }'),
};

/** The lists in their other orders. */
const otherOrders: Record<string, List> = {
  ...Object.fromEntries(
    [
      ...['TOP', 'NEWEST', 'OLDEST', 'RECENTLY_UPDATED', 'MOST_COMMENTED', 'COMPLETED'],
      ...['MOST_PEOPLE', 'MOST_COMPANIES', 'MOST_REVENUE'],
    ].map((sort) => [`posts by ${sort}`, list(`posts ${sort}`, `{ posts(sort: ${sort}, …) { nodes { id } cursor } }`)]),
  ),
  'companies by REVENUE': list('companies REVENUE', '{ companies(sort: REVENUE, …) { nodes { id } cursor } }'),
  'companies by PEOPLE': list('companies PEOPLE', '{ companies(sort: PEOPLE, …) { nodes { id } cursor } }'),
  'people since': list('changed people', '{ usersPage(since: "2020-01-01T00:00:00Z", …) { nodes { id } cursor } }'),
  'posts of a search': list('search', '{ posts(search: "dark", …) { nodes { id } cursor } }'),
  'entries that are drafts': list('entries DRAFT', '{ changelog(state: DRAFT, …) { nodes { id } cursor } }'),
  'entries that are scheduled': list('entries SCHEDULED', '{ changelog(state: SCHEDULED, …) { nodes { id } cursor } }'),
  'comments by NEWEST': list('comments NEWEST', '{ comments(sort: NEWEST, …) { nodes { id } cursor } }'),
  'comments since': list('comments CHANGED', '{ comments(since: "2020-01-01T00:00:00Z", …) { nodes { id } cursor } }'),
};

test('every list of the schema is tested, and every order of posts', () => {
  const tested = Object.entries(lists);
  const withPages = tested.filter(([, { rows }]) => rows !== 'no pages').map(([name]) => name);
  const fieldOf = (name: string) => name.replace(/\(.*/, '');
  assert.deepEqual(tested.map(([name]) => name).sort(), limitArguments.map(fieldOf).sort());
  assert.deepEqual(withPages.sort(), cursorArguments.map(fieldOf).sort());
  const orders = schema.getType('PostSortOrder')?.astNode ?? schema.getType('PostSortOrder');
  assert.ok(orders && 'getValues' in orders);
  const tried = [...Object.values(lists), ...Object.values(otherOrders)].map(({ rows }) => rows);
  const untried = orders.getValues().filter(({ name }) => name !== 'RELEVANCE' && !tried.includes(`posts ${name}`));
  assert.deepEqual(untried, []);
});

/** A post with two of everything that posts have, another one in each status, and two entries in each state. */
async function fill(app: TestApp): Promise<(text: string) => string> {
  await app.makeUser('ben', 'MODERATOR');
  const { listStatuses } = await app.ask('{ listStatuses { id type } }');
  const planned = listStatuses.find(({ type }: { type: string }) => type === 'CUSTOM').id;
  const create =
    'mutation($status: String) { createPost(title: "Dark mode", comment: "Why", statusId: $status) { id } }';
  for (const status of [null, planned, planned]) await app.ask(create, { status });
  const { createPost } = await app.ask(create, { status: planned });
  const id = createPost.id;
  const comment =
    'mutation($id: String!, $parent: String) { createComment(postId: $id, parentId: $parent, text: "x") { id } }';
  const parent = (await app.ask(comment, { id })).createComment.id;
  for (const externalId of ['a', 'b']) await app.api.createCompany({ externalId });
  for (const as of ['ada', 'ben']) {
    await app.ask(comment, { id, parent }, { as });
    const vote = 'mutation($id: String!) { upvotePost(postId: $id) { id } subscribeToPost(postId: $id) { id } }';
    await app.ask(vote, { id }, { as });
    const assign = `mutation($id: String!, $as: String) {
      assignPost(postId: $id, user: { ssotype: "SSO", userId: $as }) { id }
    }`;
    await app.ask(assign, { id, as });
  }
  await addTracker(app, app.board.id);
  for (const number of [1, 2]) await app.api.linkIssue({ postId: id, issue: issueUrl(number) });
  const another = await app.makePost('Dark mode too');
  await app.ask('mutation($id: String!) { upvotePost(postId: $id) { id } }', { id: another });
  let entry = '';
  for (let n = 0; n < 2; n++) {
    entry = await publishNew(app, { postIds: [id, another] });
    await makeEntry(app);
    const at = new Date(app.clock.now() + HOUR_MS).toISOString();
    await app.ask(PUBLISH, { id: await makeEntry(app), at });
  }
  return (text) => text.replace('<post>', id).replace('<comment>', parent).replace('<entry>', entry);
}

function write({ query }: List, args: string): string {
  const isEvents = query.includes('events(');
  return query.replace('…', isEvents ? args.replace('cursor:', 'after:') : args);
}

testBoth('pages have 1 to 100 rows, wherever there is a list', async (app) => {
  const named = await fill(app);
  for (const [name, one] of Object.entries(lists)) {
    for (const limit of [1, 100]) {
      const { errors } = await app.gql(named(write(one, `limit: ${limit}`)));
      assert.deepEqual(errors, [], `${name} with ${limit}`);
    }
    for (const limit of [0, -1, 101, 2_147_483_647, -2_147_483_648]) {
      const { status, errors } = await app.gql(named(write(one, `limit: ${limit}`)));
      const told = errors[0];
      assert.equal(status, 200);
      assert.ok(
        told?.extensions.code === 'BAD_REQUEST' || (limit > 100 && told?.extensions.code === 'QUERY_TOO_COMPLEX'),
        `${name} with ${limit}: ${told?.message}`,
      );
    }
  }
});

const broken: readonly string[] = [
  '',
  ' ',
  'x',
  '%00',
  '\u0000',
  '\ud800',
  'x'.repeat(401),
  'x'.repeat(10_000),
  ...[null, [], {}, ['posts:TOP'], ['posts:TOP', 1, 'x'], ['votes', 1e300, ''], ['users', {}, null]].map((value) =>
    Buffer.from(JSON.stringify(value)).toString('base64url'),
  ),
];

testBoth('a cursor belongs to one list and order; every other list refuses it, and malformed ones', async (app) => {
  const named = await fill(app);
  const paged = Object.entries({ ...lists, ...otherOrders }).filter(([, { rows }]) => rows !== 'no pages');
  const cursors = new Map<string, string>();
  for (const [name, one] of paged) {
    const { data, errors } = await app.gql(named(write(one, 'limit: 1')));
    assert.deepEqual(errors, [], name);
    const cursor = name === 'Query.users' ? data.users[0].id : /"cursor":"([^"]+)"/.exec(JSON.stringify(data))?.[1];
    assert.ok(cursor, `${name} has a second page`);
    cursors.set(name, cursor);
  }
  for (const [name, one] of paged) {
    const ask = async (cursor: string) => {
      const query = named(`query($cursor: String) ${write(one, 'limit: 1, cursor: $cursor')}`);
      return app.gql(query, { cursor });
    };
    for (const [from, cursor] of cursors) {
      const { errors } = await ask(cursor);
      const isOwn = { ...lists, ...otherOrders }[from]?.rows === one.rows;
      assert.equal(errors[0]?.extensions.code, isOwn ? undefined : 'BAD_REQUEST', `${name} with a cursor of ${from}`);
    }
    for (const cursor of broken) {
      const { status, errors } = await ask(cursor);
      const told = `${name} with ${JSON.stringify(cursor.slice(0, 40))}: ${errors[0]?.message}`;
      assert.equal(status, 200, told);
      assert.equal(errors[0]?.extensions.code, 'BAD_REQUEST', told);
    }
  }
});
