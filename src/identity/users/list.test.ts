import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../../../test/support/app.ts';

const PAGE = `query($search: String, $since: DateTime, $cursor: String, $limit: Int) {
  usersPage(search: $search, since: $since, cursor: $cursor, limit: $limit) { nodes { name } hasMore cursor totalCount }
}`;

type Page = { nodes: { name: string }[]; hasMore: boolean; cursor: string | null; totalCount: number };

const pageOf = async ({ ask }: TestApp, variables: object = {}): Promise<Page> =>
  (await ask(PAGE, { ...variables })).usersPage;

const namesOf = ({ nodes }: Page) => nodes.map(({ name }) => name);

/** All users on the pages, one after the other; `between` is done after the first. */
async function walk(app: TestApp, variables: object, between = async () => {}): Promise<string[]> {
  let page = await pageOf(app, variables);
  const names = namesOf(page);
  await between();
  while (page.cursor !== null) {
    page = await pageOf(app, { ...variables, cursor: page.cursor });
    names.push(...namesOf(page));
    assert.equal(page.hasMore, page.cursor !== null);
  }
  return names;
}

testBoth('usersPage lists every user once, including those who register in the meantime', async (app) => {
  for (const name of ['bob', 'cleo', 'dan', 'eve']) await app.makeUser(name);
  for (const limit of [1, 2, 5, 100]) {
    assert.deepEqual(await walk(app, { limit }), ['ada', 'bob', 'cleo', 'dan', 'eve']);
  }
  assert.deepEqual(await walk(app, { limit: 2 }, async () => void (await app.makeUser('fay'))), [
    ...['ada', 'bob', 'cleo', 'dan', 'eve', 'fay'],
  ]);
  const { totalCount, hasMore, cursor } = await pageOf(app, { limit: 6 });
  assert.deepEqual([totalCount, hasMore, cursor], [6, false, null]);
});

testBoth('usersPage finds part of a name in any case, and counts the matches', async (app) => {
  for (const name of ['Bob', 'Bobby', '50% off', 'Ärger ΑΒΓ']) await app.makeUser(name);
  assert.deepEqual(await walk(app, { search: 'BOB', limit: 1 }), ['Bob', 'Bobby']);
  assert.equal((await pageOf(app, { search: 'bob', limit: 1 })).totalCount, 2);
  assert.deepEqual(await walk(app, { search: 'ärger αβ' }), ['Ärger ΑΒΓ']);
  assert.deepEqual(await walk(app, { search: '%' }), ['50% off']);
  assert.equal((await pageOf(app, { search: ' ' })).totalCount, 5);
  assert.deepEqual(await walk(app, { search: 'x'.repeat(100) }), []);
  for (const [field, wrong] of [
    ['search', { search: 'x'.repeat(101) }],
    ['limit', { limit: 101 }],
    ['limit', { limit: 0 }],
    ['cursor', { cursor: 'x' }],
    ['cursor', { since: new Date(0).toISOString(), cursor: (await pageOf(app, { limit: 1 })).cursor }],
  ] as const) {
    assert.equal((await app.gql(PAGE, wrong)).errors[0]?.extensions.field, field, JSON.stringify(wrong));
  }
});

testBoth('usersPage(since:) lists users who were added or changed since, in the order of the changes', async (app) => {
  for (const name of ['bob', 'cleo', 'dan']) await app.makeUser(name);
  app.clock.advance(1_000);
  const since = new Date(app.clock.now()).toISOString();
  assert.deepEqual(await walk(app, { since }), []);
  await app.api.updateUser({ ssoId: 'cleo', bio: 'Hi' });
  app.clock.advance(1);
  await app.makeUser('eve');
  app.clock.advance(1);
  await app.api.changeTeamUserRole({ ssoId: 'bob', role: 'MODERATOR' });
  assert.deepEqual(await walk(app, { since, limit: 1 }), ['cleo', 'eve', 'bob']);
  assert.equal((await pageOf(app, { since })).totalCount, 3);
  assert.deepEqual(await walk(app, { since, search: 'e', limit: 1 }), ['cleo', 'eve']);
  assert.equal((await pageOf(app, { since, search: 'e' })).totalCount, 2);
  const later = new Date(app.clock.now()).toISOString();
  assert.deepEqual(await walk(app, { since: later }), ['bob']);
  const changeCleo = async () => {
    app.clock.advance(1);
    await app.api.updateUser({ ssoId: 'cleo', bio: 'Ho' });
  };
  assert.deepEqual(await walk(app, { since, limit: 1 }, changeCleo), ['cleo', 'eve', 'bob', 'cleo']);
});

testBoth('the posts, comments and votes of a person are listed page by page, each once', async (app) => {
  await app.makeUser('bob');
  for (let n = 0; n < 5; n++) {
    app.clock.advance(n % 2);
    const id = await app.makePost(`Post ${n}`, { as: 'bob' });
    await app.api.as('bob').upvotePost({ postId: id });
    await app.api.as('bob').createComment({ postId: id, text: 'x' });
  }
  for (const [list, node] of [
    ['posts', 'id'],
    ['comments', 'id'],
    ['votes', 'id'],
  ] as const) {
    const query = `query($cursor: String) {
      user(ssoId: "bob") { ${list}(limit: 2, cursor: $cursor) { nodes { ${node} } hasMore cursor } }
    }`;
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const { user } = await app.ask(query, { cursor });
      ids.push(...user[list].nodes.map(({ id }: { id: string }) => id));
      cursor = user[list].cursor;
    } while (cursor !== null);
    assert.deepEqual([ids.length, new Set(ids).size], [5, 5], list);
  }
});
