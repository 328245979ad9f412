import assert from 'node:assert/strict';
import { buttonsOf, type ChatIn, linkIn, testChats } from '../../../test/support/chat-in.ts';
import { signUp } from '../../../test/support/web.ts';
import { makeFileFolder } from '../../feedback/files/folder.ts';
import { checkStore } from '../../operations/check/check.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/lib/clock.ts';

/** As in github.com/slackapi/bolt-python, tests/scenario_tests/test_slash_command.py */
const COMMAND = {
  token: 'verification_token',
  team_id: 'T111',
  team_domain: 'test-domain',
  channel_id: 'C111',
  channel_name: 'random',
  user_id: 'W111',
  user_name: 'primary-owner',
  command: '/idea',
  text: 'Dark mode',
  enterprise_id: 'E111',
  enterprise_name: 'Org Name',
  response_url: 'https://hooks.slack.com/commands/T111/111/xxxxx',
  trigger_id: '111.111.xxx',
};

/** As described at https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload */
const MESSAGE = {
  type: 'message_action',
  token: 'verification_token',
  action_ts: '1583637157.207593',
  team: { id: 'T111', domain: 'test-domain', enterprise_id: 'E111', enterprise_name: 'Org Name' },
  user: { id: 'W111', name: 'primary-owner' },
  channel: { id: 'C111', name: 'dev' },
  callback_id: 'make_idea',
  trigger_id: '111.222.xxx',
  message_ts: '1583636382.000300',
  message: {
    client_msg_id: 'zzzz-111-222-xxx-yyy',
    type: 'message',
    text: 'Night theme\nMy eyes &lt;hurt&gt; at night, <@W111>: <https://example.com/a|see>',
    user: 'W222',
    ts: '1583636382.000300',
    team: 'T111',
  },
  response_url: 'https://hooks.slack.com/app/T111/111/xxx',
};
const PERMALINK = 'https://test-domain.slack.com/archives/C111/p1583636382000300';

/** As in github.com/slackapi/bolt-python, tests/scenario_tests/test_block_actions.py */
const press = (value: string | undefined) => ({
  payload: {
    type: 'block_actions',
    user: { id: 'W111', username: 'primary-owner', name: 'primary-owner', team_id: 'T111' },
    api_app_id: 'A111',
    token: 'verification_token',
    container: { type: 'message', message_ts: '111.222', channel_id: 'C111', is_ephemeral: true },
    trigger_id: '111.222.valid',
    team: { id: 'T111', domain: 'test-domain', enterprise_id: 'E111', enterprise_name: 'Org Name' },
    channel: { id: 'C111', name: 'test-channel' },
    response_url: 'https://hooks.slack.com/actions/T111/111/random-value',
    actions: [{ action_id: 'choice-0', block_id: 'b', value, type: 'button', action_ts: '1596530385.194939' }],
  },
});

const postsOf = async ({ db }: ChatIn) =>
  db.read
    .selectFrom('posts')
    .leftJoin('users', 'users.id', 'posts.author_id')
    .select(['posts.title', 'posts.upvotes', 'users.name', 'users.email'])
    .orderBy('posts.number')
    .execute();

const last = ({ posted }: ChatIn) => posted.at(-1)?.body;

testChats('/idea shows similar ideas first, and makes one only when asked', async (chats) => {
  const { slack } = chats;
  await chats.makePost('Dark mode for the app');
  const mia = await chats.makeMember('Mia', 'MODERATOR');
  const first = await slack(COMMAND);
  assert.deepEqual([first.status, first.body.response_type], [200, 'ephemeral']);
  const page = await mia.get(linkIn(first.body));
  assert.match(page.payload, /primary-owner.*W111 · test-domain.*Mia \(mia@example\.com\)/s);
  assert.equal((await postsOf(chats)).length, 1);
  await chats.connect(mia, first.body);
  const { body } = await slack(COMMAND);
  assert.match(body.blocks[0].text.text, /^Already suggested.*Dark mode$/);
  assert.match(body.blocks[1].text.text, /^<http:\/\/board\.test\/b\/acme\/posts\/1\/[^|]+\|Dark mode for the app>$/);
  assert.deepEqual(Object.keys(buttonsOf(body)), ['Vote', 'Make a new idea']);
  assert.equal((await postsOf(chats)).length, 1);
  const { Vote, 'Make a new idea': make } = buttonsOf(body);
  for (let n = 0; n < 2; n++) {
    assert.deepEqual(await slack(press(Vote)), { status: 200, body: '' });
    assert.match(last(chats).text, /your vote counts/);
    await slack(press(make));
  }
  assert.equal(chats.posted[0]?.url, press('').payload.response_url);
  assert.equal(last(chats).replace_original, true);
  assert.deepEqual(await postsOf(chats), [
    { title: 'Dark mode for the app', upvotes: 1, name: 'ada', email: null },
    { title: 'Dark mode', upvotes: 1, name: 'Mia', email: 'mia@example.com' },
  ]);
  chats.clock.advance(2 * HOUR_MS);
  await slack(press(make));
  assert.match(last(chats).text, /expired/);
});

testChats('a message is made an idea of its author once, with the message as evidence', async (chats) => {
  const { slack, db } = chats;
  const olga = await chats.makeMember('Olga', 'ADMIN');
  await slack({ payload: MESSAGE });
  await chats.connect(olga, last(chats));
  for (const trigger_id of ['a', 'b']) {
    await slack({ payload: { ...MESSAGE, trigger_id } });
    await slack(press(buttonsOf(last(chats))['Make a new idea']));
    assert.match(last(chats).text, /the idea was made in the name of Slack W222/);
  }
  assert.deepEqual(await postsOf(chats), [{ title: 'Night theme', upvotes: 1, name: 'Slack W222', email: null }]);
  const votes = await db.read.selectFrom('votes').select('evidence').execute();
  assert.deepEqual(votes, [{ evidence: PERMALINK }]);
  const { text } = await db.read.selectFrom('comments').select('text').executeTakeFirstOrThrow();
  assert.match(text, /My eyes <hurt> at night, @W111: see \(https:\/\/example\.com\/a\)/);
  // Someone who is connected keeps their own name.
  const W333 = { ...MESSAGE.message, user: 'W333', ts: '1583636382.000400', text: 'Night theme, please' };
  const mia = await chats.makeMember('Mia', 'MODERATOR');
  await chats.connect(mia, (await slack({ ...COMMAND, user_id: 'W333' })).body);
  await slack({ payload: { ...MESSAGE, message: W333 } });
  await slack(press(buttonsOf(last(chats))['Vote for its author']));
  assert.match(last(chats).text, /the vote of Mia counts/);
  assert.equal((await postsOf(chats))[0]?.upvotes, 2);
});

testChats('a person who connects takes over the votes by their messages, and counts once', async (chats) => {
  const { slack, db, api } = chats;
  await chats.connect(await chats.makeMember('Olga', 'ADMIN'), (await slack(COMMAND)).body);
  const ids: string[] = [];
  const voteFor = async (text: string, n: number) => {
    ids.push(await chats.makePost(text));
    const message = { ...MESSAGE.message, ts: `1583636382.00040${n}`, text };
    await slack({ payload: { ...MESSAGE, message, trigger_id: String(n) } });
    await slack(press(buttonsOf(last(chats))['Vote for its author']));
    assert.match(last(chats).text, /the vote of Slack W222 counts/);
  };
  await voteFor('Night theme', 1);
  await voteFor('Export as document', 2);
  await voteFor('Keyboard shortcuts', 3);
  const [night = '', exports = '', keyboard = ''] = ids;
  const vera = await signUp(chats, 'Vera');
  await chats.connect(vera, (await slack({ ...COMMAND, user_id: 'W333' })).body);
  const asVera = { ...COMMAND, user_id: 'W333', text: 'Night theme' };
  const { Vote } = buttonsOf((await slack(asVera)).body);
  await slack({ payload: { ...press(Vote).payload, user: { id: 'W333', name: 'vera' } } });
  const upvotes = async (id: string) =>
    (await db.read.selectFrom('posts').select('upvotes').where('id', '=', id).executeTakeFirst())?.upvotes;
  assert.equal(await upvotes(night), 2);
  await api.mergePosts({ sourceIds: [night], targetId: keyboard });
  assert.equal(await upvotes(keyboard), 2);
  await chats.connect(vera, (await slack({ ...COMMAND, user_id: 'W222' })).body);
  assert.deepEqual([await upvotes(night), await upvotes(exports), await upvotes(keyboard)], [0, 1, 1]);
  const voters = await db.read
    .selectFrom('votes')
    .innerJoin('users', 'users.id', 'votes.user_id')
    .select('name')
    .execute();
  assert.deepEqual(new Set(voters.map(({ name }) => name)), new Set(['Vera']));
  const votes = await db.read.selectFrom('votes').select('evidence').where('post_id', '=', exports).execute();
  assert.match(votes[0]?.evidence ?? '', /test-domain/);
  await api.unmergePost({ id: night });
  assert.deepEqual([await upvotes(night), await upvotes(keyboard)], [1, 1]);
  const deps = { db, folder: makeFileFolder(chats.dataDir), secretKey: 'a key for tests only' };
  assert.deepEqual(await checkStore(deps), []);
});

testChats('what the connected user may do counts, at the time of the request', async (chats) => {
  const { slack, db } = chats;
  const mo = await chats.makeMember('Mo', 'MODERATOR');
  await chats.connect(mo, (await slack(COMMAND)).body);
  const set = (role: 'MODERATOR' | 'MEMBER', standing: 'NORMAL' | 'BLOCKED') =>
    db.transaction((tx) => tx.updateTable('users').set({ role, standing }).where('name', '=', 'Mo').execute());
  await set('MEMBER', 'NORMAL');
  await slack({ payload: MESSAGE });
  assert.match(last(chats).text, /Only moderators can suggest ideas or vote for customers/);
  assert.deepEqual(buttonsOf(last(chats)), {});
  await set('MODERATOR', 'NORMAL');
  await slack({ payload: MESSAGE });
  const make = buttonsOf(last(chats))['Make a new idea'];
  await set('MEMBER', 'NORMAL');
  await slack(press(make));
  assert.match(last(chats).text, /Only moderators can/);
  await set('MEMBER', 'BLOCKED');
  assert.match((await slack(COMMAND)).body.text, /blocked/);
  assert.deepEqual(await postsOf(chats), []);
  assert.match((await mo.get('/b/acme/settings/account')).payload, /Connected chats.*primary-owner.*SLACK T111 W111/s);
  await mo.post('/b/acme/settings/account', { intent: 'chat', id: 'SLACK T111 W111' });
  linkIn((await slack(COMMAND)).body);
});

testChats(
  'buttons that are pressed at once make one idea, and who may not enter a board gets nothing of it',
  async (chats) => {
    const { slack, db } = chats;
    await chats.connect(await chats.makeMember('Olga', 'ADMIN'), (await slack(COMMAND)).body);
    await chats.connect(await signUp(chats, 'Vera'), (await slack({ ...COMMAND, user_id: 'W222' })).body);
    await slack({ payload: MESSAGE });
    const make = buttonsOf(last(chats))['Make a new idea'];
    await Promise.all(Array.from({ length: 5 }, () => slack(press(make))));
    assert.deepEqual(await postsOf(chats), [
      { title: 'Night theme', upvotes: 1, name: 'Vera', email: 'vera@example.com' },
    ]);
    await db.transaction((tx) => tx.updateTable('boards').set({ access: 'MEMBERS' }).execute());
    const { body } = await slack({ ...COMMAND, user_id: 'W222', text: 'Night theme' });
    assert.match(body.text, /no access/);
    assert.doesNotMatch(JSON.stringify(body), /Night theme|button/);
    const pressed = press(make);
    await slack({ payload: { ...pressed.payload, user: { id: 'W222', name: 'vera' } } });
    assert.match(last(chats).text, /no access/);
    const W333 = await slack({ ...COMMAND, user_id: 'W333' });
    assert.doesNotMatch(JSON.stringify(W333.body), /Night theme|button/);
  },
);

testChats('a link connects once, for a short time, and only with a click of whom it is shown to', async (chats) => {
  const { slack, clock, db } = chats;
  const mia = await chats.makeMember('Mia', 'MODERATOR');
  const path = linkIn((await slack(COMMAND)).body);
  assert.equal((await chats.makeVisitor().get(path)).statusCode, 302);
  assert.equal((await mia.post(path, {}, { origin: 'https://evil.example' })).statusCode, 403);
  await mia.get(path);
  linkIn((await slack(COMMAND)).body);
  assert.equal((await mia.post(path, {})).statusCode, 302);
  assert.match((await mia.post(path, {})).payload, /expired or was already used/);
  const vera = await signUp(chats, 'Vera');
  assert.match((await vera.post(`${path}x.`, {})).payload, /expired or was already used/);
  const users = db.read.selectFrom('users').select('id').where('name', '=', 'Vera');
  assert.deepEqual(await users.execute(), []);
  const late = linkIn((await slack({ ...COMMAND, user_id: 'W999' })).body);
  clock.advance(15 * MINUTE_MS);
  assert.match((await mia.get(late)).payload, /expired or was already used/);
  assert.match((await mia.get(`${late.slice(0, -4)}AAAA`)).payload, /expired or was already used/);
});

testChats('the link to connect leads to the domain of the board, where its users are signed in', async (chats) => {
  await chats.db.transaction((tx) => tx.updateTable('boards').set({ domain: 'ideas.example.com' }).execute());
  assert.match(JSON.stringify((await chats.slack(COMMAND)).body), /<https:..ideas\.example\.com\/b\/acme\/chat\//);
});

testChats('a signature that is forged, missing or old is refused, and so is another board', async (chats) => {
  const { slack, app } = chats;
  const seconds = chats.clock.now() / 1_000;
  for (const otherwise of [
    { signed: 'text=other' },
    { headers: { 'x-slack-signature': '' } },
    { headers: { 'x-slack-request-timestamp': String(seconds + 1) } },
    { headers: { 'x-slack-request-timestamp': '' } },
    { seconds: seconds - 301 },
    { seconds: seconds + 301 },
  ]) {
    assert.equal((await slack(COMMAND, otherwise)).status, 401, JSON.stringify(otherwise));
  }
  assert.equal((await slack(COMMAND, { seconds: seconds - 299 })).status, 200);
  const other = await chats.makeBoard();
  for (const pid of [other.pid, 'none']) {
    const { statusCode } = await app.inject({ method: 'POST', url: `/api/v1/chat/${pid}/slack`, payload: 'text=x' });
    assert.equal(statusCode, 404);
  }
  assert.deepEqual(await slack({ ssl_check: '1', token: 'x' }), { status: 200, body: '' });
  assert.equal((await slack({ payload: '{' })).status, 400);
  const elsewhere = { ...MESSAGE, response_url: 'https://hooks.slack.com.evil.example/x' };
  assert.equal((await slack({ payload: elsewhere })).status, 400);
  assert.deepEqual(chats.posted, []);
});

testChats('what users write is inert in answers, and of any length', async (chats) => {
  const { slack } = chats;
  const mia = await chats.makeMember('Mia', 'ADMIN');
  await chats.makePost('<!channel> <https://evil.example|click> & wide');
  await chats.connect(mia, (await slack({ ...COMMAND, user_name: '<b>"Eve"' })).body);
  const { body } = await slack({ ...COMMAND, text: '<!channel> click wide \u202e\u0000 @here' });
  const text = JSON.stringify(body);
  assert.doesNotMatch(text, /<!channel>|<https:\/\/evil|@here|\u202e|\\u0000/);
  assert.match(text, /&lt;!channel&gt;/);
  const long = { ...MESSAGE.message, text: `${'😀'.repeat(20_000)}\n${'b'.repeat(40_000)}` };
  await slack({ payload: { ...MESSAGE, message: long } });
  const { blocks } = last(chats);
  assert.ok(blocks.every((block: { text?: { text: string } }) => (block.text?.text.length ?? 0) <= 3_000));
  await slack(press(buttonsOf(last(chats))['Make a new idea']));
  assert.equal((await postsOf(chats)).length, 2);
  assert.match((await slack({ ...COMMAND, text: ' \n ' })).body.text, /no text/);
});
