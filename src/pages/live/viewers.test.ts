import assert from 'node:assert/strict';
import { openPage, originOf } from '../../../test/support/live.ts';
import { until } from '../../../test/support/until.ts';
import { signUp, type TestWeb, testWeb, type WebVisitor } from '../../../test/support/web.ts';
import type { Role, UserRow } from '../../identity/users/users.ts';
import { MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';

const setAccess = (web: TestWeb, access: 'MEMBERS' | 'SIGNED_IN') =>
  web.db.transaction((tx) => tx.updateTable('boards').set({ access }).where('id', '=', web.board.id).execute());

const setUser = (web: TestWeb, name: string, set: { role?: Role; standing?: UserRow['standing'] }) =>
  web.db.transaction((tx) => tx.updateTable('users').set(set).where('name', '=', name).execute());

/** A stream until the server ends it. */
async function readToEnd(web: TestWeb, visitor: WebVisitor, posts: string): Promise<{ text: Promise<string> }> {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${await originOf(web)}/b/acme/live?posts=${posts}`, { headers: { cookie } });
  assert.equal(response.status, 200);
  return { text: response.text() };
}

/** A member of the board without a role in the team. */
async function makeReader(web: TestWeb, name: string): Promise<WebVisitor> {
  const visitor = await web.makeMember(name, 'MODERATOR');
  await setUser(web, name, { role: 'MEMBER' });
  await web.db.transaction((tx) => tx.updateTable('users').set({ is_invited: 1 }).where('name', '=', name).execute());
  return visitor;
}

testWeb('a private board is live for its members alone, as long as they are some', async (web, t) => {
  const id = await web.makePost('Dark mode');
  const [reader, other, eve] = [await makeReader(web, 'Rita'), await makeReader(web, 'Omar'), await signUp(web, 'Eve')];
  await setAccess(web, 'MEMBERS');
  for (const visitor of [web.makeVisitor(), eve]) {
    assert.equal((await visitor.get('/b/acme/live?posts=1')).statusCode, 204);
  }
  const page = await openPage(t, web, '1', reader);
  const [blocked, signedOut] = [await readToEnd(web, other, '1'), await readToEnd(web, reader, '1')];
  await until('it has come', () => page.newest(1)?.votes === 0);
  assert.deepEqual(Object.keys(page.newest(1) ?? {}), ['number', 'votes', 'comments', 'statusId']);
  await setUser(web, 'Omar', { standing: 'BLOCKED' });
  web.clock.advance(MINUTE_MS / 2);
  assert.match(await blocked.text, /"votes":0/);
  assert.equal((await other.get('/b/acme/live?posts=1')).statusCode, 204);
  await web.api.upvotePost({ postId: id });
  await until('the vote has come', () => page.newest(1)?.votes === 1);
  const closed = new Promise((resolve) => page.source.addEventListener('error', resolve));
  await reader.post('/sign-out', {});
  web.clock.advance(MINUTE_MS / 2);
  assert.match(await signedOut.text, /"votes":1/);
  await closed;
});

testWeb('who sees more than others gets more, until they have lost the right', async (web, t) => {
  await web.makeUser('bob');
  const ids: string[] = [];
  for (const title of ['Open', 'Team', 'Hidden', 'Held']) ids.push(await web.makePost(title));
  const [open = '', team = '', hidden = '', held = ''] = ids;
  for (const [postId, postVisibility] of [
    [team, 'TEAM'],
    [hidden, 'HIDDEN'],
  ] as const) {
    const { id: statusId } = await web.api.createStatus({ name: postVisibility, color: '#123456' });
    await web.api.updateStatus({ id: statusId, postVisibility });
    await web.api.changePostStatus({ postId, statusType: 'CUSTOM', statusId });
  }
  await web.api.changePostModerationStatus({ id: held, moderationStatus: 'PENDING' });
  await web.api.createComment({ postId: open, text: 'Between us', type: 'INTERNAL' });
  const [mo, ada] = [await web.makeMember('Mo', 'MODERATOR'), await web.makeMember('Ada', 'ADMIN')];
  const author = await makeReader(web, 'Rita');
  const { id: authorId } = await web.db.read
    .selectFrom('users')
    .select('id')
    .where('name', '=', 'Rita')
    .executeTakeFirstOrThrow();
  await web.db.transaction((tx) =>
    tx.updateTable('posts').set({ author_id: authorId }).where('id', '=', held).execute(),
  );
  const seen = { anyone: [1], author: [1, 4], moderator: [1, 2, 4], admin: [1, 2, 3, 4] };
  const pages = {
    anyone: await openPage(t, web, '1,2,3,4'),
    author: await openPage(t, web, '1,2,3,4', author),
    moderator: await openPage(t, web, '1,2,3,4', mo),
    admin: await openPage(t, web, '1,2,3,4', ada),
  };
  const former = await readToEnd(web, mo, '1,2,3,4');
  for (const [name, numbers] of Object.entries(seen)) {
    const { messages } = pages[name as keyof typeof pages];
    await until(`${name} has all`, () => messages.length === numbers.length);
    assert.deepEqual(
      messages.map(({ number }) => number),
      numbers,
      name,
    );
  }
  assert.equal(pages.moderator.newest(1)?.hiddenComments, 1);
  assert.equal(pages.author.newest(4)?.hiddenComments, undefined);
  // An internal comment is news for the team alone.
  await web.api.createComment({ postId: open, text: 'Still between us', type: 'INTERNAL' });
  await until('the team has it', () => pages.admin.newest(1)?.hiddenComments === 2);
  await web.api.as('bob').upvotePost({ postId: open });
  await until('the vote has come', () => pages.anyone.newest(1)?.votes === 1);
  assert.deepEqual(
    pages.anyone.messages.map(({ number }) => number),
    [1, 1],
  );
  await setUser(web, 'Mo', { role: 'MEMBER' });
  web.clock.advance(MINUTE_MS / 2);
  assert.match(await former.text, /"number":2,/);
  const now = await openPage(t, web, '1,2,3,4', mo);
  await until('it has come', () => now.messages.length > 0);
  assert.deepEqual(
    now.messages.map(({ number, open }) => [number, open]),
    [[1, undefined]],
  );
});

testWeb('the team sees who else has an idea open, until they have left', async (web, t) => {
  for (const title of ['Dark mode', 'Light mode']) await web.makePost(title);
  const team: WebVisitor[] = [];
  for (const name of ['Mo', 'Ana', 'Lin', 'Kim', 'Zoe']) team.push(await web.makeMember(name, 'MODERATOR'));
  const [mo, ana, ...others] = team;
  const reader = await openPage(t, web, '1&open=1', await makeReader(web, 'Rita'));
  const list = await openPage(t, web, '1,2', mo);
  await until('all has come', () => list.messages.length === 2 && reader.messages.length === 1);
  assert.deepEqual(list.newest(1)?.open, []);
  const pages = [await openPage(t, web, '1&open=1', ana), await openPage(t, web, '1&open=1', ana)];
  await until('it is shown', () => list.newest(1)?.open?.length === 1);
  assert.deepEqual([list.newest(1)?.open, list.newest(1)?.more, list.newest(2)?.open], [['Ana'], 0, []]);
  assert.deepEqual(pages[0]?.newest(1)?.open, []);
  for (const visitor of others) pages.push(await openPage(t, web, '2,1&open=1', visitor));
  await until('all are shown', () => list.newest(1)?.more === 1);
  assert.equal(list.newest(1)?.open?.length, 3);
  for (const { source } of pages.slice(1)) source.close();
  await until('the others have left', async () => /earshot_live_pages 3\n/.test(await web.metrics.print()));
  web.clock.advance(5 * SECOND_MS);
  await until('only one is shown', () => list.newest(1)?.more === 0);
  assert.deepEqual(list.newest(1)?.open, ['Ana']);
  pages[0]?.source.close();
  await until('she has left', async () => /earshot_live_pages 2\n/.test(await web.metrics.print()));
  web.clock.advance(5 * SECOND_MS);
  await until('no one is shown', () => list.newest(1)?.open?.length === 0);
  assert.equal(reader.messages.length, 1);
  assert.deepEqual(Object.keys(reader.newest(1) ?? {}), ['number', 'votes', 'comments', 'statusId']);
});
