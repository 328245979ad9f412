import assert from 'node:assert/strict';
import { comeBySso } from '../../test/support/own-account.ts';
import { readMail, signUp, type TestWeb, testPages, testWeb, type WebVisitor } from '../../test/support/web.ts';
import { columnsOfPeople } from '../operations/erasures/columns.ts';
import { HOUR_MS } from '../platform/lib/clock.ts';

const FILE = '/b/acme/settings/data/file';

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
async function download(visitor: WebVisitor): Promise<any> {
  const { statusCode, headers, payload } = await visitor.get(FILE);
  assert.equal(statusCode, 200, payload);
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  assert.match(String(headers['content-disposition']), /^attachment; filename="my-data-2026-11-2\d\.json"$/);
  assert.match(String(headers['cache-control']), /no-store/);
  return JSON.parse(payload);
}

/** A board on which two people have done everything. */
async function fill(web: TestWeb) {
  await web.makePost('Idea of ada');
  const [vera, wilma] = [await signUp(web, 'Vera'), await signUp(web, 'Wilma')];
  for (const [visitor, name, number] of [
    [vera, 'Vera', 2],
    [wilma, 'Wilma', 3],
  ] as const) {
    await visitor.post('/b/acme?index', { title: `Idea of ${name}`, comment: `Details of ${name}` });
    await visitor.post('/b/acme/votes/1', {});
    await visitor.post(`/b/acme/posts/1`, { intent: 'comment', text: `Comment of ${name}` });
    await visitor.post(`/b/acme/posts/${number}`, { intent: 'comment', text: `Second comment of ${name}` });
  }
  return { vera, wilma };
}

testWeb('users download everything that is kept about them, and nothing about others', async (web) => {
  const { vera } = await fill(web);
  const comments = await web.db.read.selectFrom('comments').select(['id', 'text']).execute();
  const gone = comments.find(({ text }) => text === 'Second comment of Vera')?.id ?? '';
  await vera.post('/b/acme/posts/2', { intent: 'delete-comment', id: gone });
  const data = await download(vera);
  assert.doesNotMatch(JSON.stringify(data), /wilma/i);
  const { account, boards } = data;
  assert.deepEqual(
    [account.name, account.email, account.hasPassword, account.providers, account.sessions.length, account.passkeys],
    ['Vera', 'vera@example.com', true, [], 1, []],
  );
  const [acme] = boards;
  assert.equal(boards.length, 1);
  assert.deepEqual([acme.board.name, acme.profile.name, acme.emailPreferences.frequency], ['Acme', 'Vera', 'AT_ONCE']);
  const [idea] = acme.ideas;
  assert.deepEqual([idea.title, idea.text, idea.number], ['Idea of Vera', 'Details of Vera', 2]);
  const told = acme.comments.map((each: { text: string; dateDeleted: string | null; idea: { number: number } }) => [
    each.text,
    each.idea.number,
    each.dateDeleted !== null,
  ]);
  assert.deepEqual(told, [
    ['Comment of Vera', 1, false],
    ['Second comment of Vera', 2, true],
  ]);
  const numbers = (list: { idea: { number: number } }[]) => list.map((each) => each.idea.number).sort();
  assert.deepEqual(
    [numbers(acme.votes), numbers(acme.follows)],
    [
      [1, 2],
      [1, 2],
    ],
  );
  assert.deepEqual(acme.follows.find((each: { idea: { number: number } }) => each.idea.number === 1).because, [
    'VOTED',
    'COMMENTED',
  ]);
});

testWeb('what a user may no longer see is not named in their data', async (web) => {
  const { vera } = await fill(web);
  const { nodes } = await web.api.posts({}, { nodes: { id: true, title: true } });
  const id = nodes.find(({ title }) => title === 'Idea of ada')?.id ?? '';
  await web.api.changePostModerationStatus({ id, moderationStatus: 'REJECTED' });
  const own = nodes.find(({ title }) => title === 'Idea of Vera');
  const talks = await web.api.createStatus({ name: 'Takeover talks', color: '#fff' });
  await web.api.updateStatus({ id: talks.id, postVisibility: 'TEAM' });
  await web.api.changePostStatus({ postId: own?.id ?? '', statusType: 'CUSTOM', statusId: talks.id });
  const [acme] = (await download(vera)).boards;
  assert.doesNotMatch(JSON.stringify(acme), /Idea of ada|Takeover/);
  assert.equal(acme.votes.length, 2);
  assert.deepEqual([acme.ideas[0].title, acme.ideas[0].status], ['Idea of Vera', null]);
});

testWeb('a large copy is complete, and has everything once', async (web) => {
  const vera = await signUp(web, 'Vera');
  await vera.post('/b/acme?index', { title: 'First', comment: '' });
  const [first] = await web.db.read.selectFrom('posts').selectAll().execute();
  const user = await web.db.read.selectFrom('users').selectAll().where('name', '=', 'Vera').executeTakeFirstOrThrow();
  assert.ok(first);
  await web.db.transaction(async (tx) => {
    const votes = Array.from({ length: 1_203 }, (_, n) => ({
      board_id: user.board_id,
      post_id: `p${n}`,
      user_id: user.id,
      id: `v${n}`,
      type: 'UP' as const,
      added_by: null,
      evidence: null,
      date_created: Math.floor(n / 10),
      merged_from: null,
    }));
    await tx.insertInto('votes').values(votes).execute();
  });
  const [acme] = (await download(vera)).boards;
  assert.equal(acme.votes.length, 1_204);
});

testPages('a copy is for signed-in users, five times an hour', async (web) => {
  const { vera } = await fill(web);
  const anonymous = await web.makeVisitor().get(FILE);
  assert.equal(anonymous.headers.location, `/sign-in?next=${encodeURIComponent(FILE)}`);
  for (let n = 0; n < 5; n++) await download(vera);
  const refused = await vera.get(FILE);
  assert.equal(refused.statusCode, 429);
  assert.match(refused.payload, /Too many attempts: try again in \d+ min/);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  web.clock.advance(HOUR_MS);
  await download(vera);
});

testWeb('users of single sign-on download what their board keeps about them', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  const grace = await comeBySso(web, owner, { id: 'g', name: 'Grace', email: 'grace@example.com' });
  await grace.post('/b/acme?index', { title: 'Idea of Grace', comment: '' });
  const data = await download(grace);
  assert.equal(data.account, null);
  const [acme] = data.boards;
  assert.deepEqual([acme.profile.ssoId, acme.ideas.length, acme.ssoSessions.length], ['g', 1, 1]);
  const { payload } = await grace.get('/b/acme/settings/data');
  assert.match(payload, /ask that site to have your data deleted/);
  assert.doesNotMatch(payload, /value="delete"/);
});

testWeb('no table that names people is forgotten in their data', async (web) => {
  const vera = await signUp(web, 'Vera');
  await vera.post('/b/acme?index', { title: 'Idea', comment: '' });
  await readMail(web, 'vera@example.com');
  const [acme] = (await download(vera)).boards;
  /** What of a table is in the file; decisions about what others wrote are theirs. */
  const lists: Record<(typeof columnsOfPeople)[number]['table'], string> = {
    posts: 'ideas',
    comments: 'comments',
    comment_reactions: 'commentReactions',
    files: 'files',
    votes: 'votes',
    subscriptions: 'follows',
    changelog_entries: 'changelogEntries',
    notices: 'notifications',
    notifications: 'notifications',
    board_sessions: 'ssoSessions',
    visitor_tokens: 'allowedWebsites',
    chat_users: 'chatAccounts',
    assignments: 'assignments',
    issue_links: 'linkedIssues',
    operations: 'operations',
    user_notes: 'notes',
    company_users: 'companies',
  };
  for (const { table } of columnsOfPeople) assert.ok(Array.isArray(acme[lists[table]]), table);
  assert.deepEqual(
    acme.emails.map(({ to }: { to: string }) => to),
    ['vera@example.com'],
  );
});
