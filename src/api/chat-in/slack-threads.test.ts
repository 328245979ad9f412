import assert from 'node:assert/strict';
import { buttonsOf, type ChatIn, testChats } from '../../../test/support/chat-in.ts';
import { testCipher } from '../../../test/support/sender.ts';
import { CHANNEL, CHECK, ROOT_TS, replyEvent, wrap } from '../../../test/support/slack-events.ts';
import { signUp } from '../../../test/support/web.ts';
import { makeFileFolder } from '../../feedback/files/folder.ts';
import { operator } from '../../identity/users/authority.ts';
import { changeChat, changeThreads, listChats, type ThreadMode } from '../../operations/chat-in/settings.ts';
import { checkStore } from '../../operations/check/check.ts';

const ASKER = { id: 'W111', name: 'primary-owner' };
const TEAM = { id: 'T111', domain: 'test-domain' };
const RESPONSE = 'https://hooks.slack.com/app/T111/111/xxx';

/** The shortcut on a message, as at https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload */
const shortcut = (message: object = {}) => ({
  payload: {
    type: 'message_action',
    token: 'verification_token',
    action_ts: '1583637157.207593',
    team: TEAM,
    user: ASKER,
    channel: { id: CHANNEL, name: 'dev' },
    callback_id: 'make_idea',
    trigger_id: '111.222.xxx',
    message_ts: ROOT_TS,
    message: { type: 'message', text: 'Night theme', user: 'W222', ts: ROOT_TS, team: 'T111', ...message },
    response_url: RESPONSE,
  },
});
const press = (value: string | undefined) => ({
  payload: {
    type: 'block_actions',
    user: ASKER,
    team: TEAM,
    trigger_id: '111.222.valid',
    response_url: RESPONSE,
    actions: [{ action_id: 'choice-0', block_id: 'b', value, type: 'button' }],
  },
});
const command = {
  team_id: 'T111',
  team_domain: 'test-domain',
  user_id: 'W111',
  user_name: 'o',
  text: 'x',
  trigger_id: '1',
};

const adminOf = ({ db, clock, board }: ChatIn) => ({ db, clock, board, baseUrl: 'http://board.test', actor: operator });
const choose = (chats: ChatIn, mode: ThreadMode) => changeThreads(adminOf(chats), mode);

/** Lets Olga make an idea of the message. @returns what she was answered */
async function makeIdea(chats: ChatIn, message?: object): Promise<string> {
  const olga = await chats.makeMember('Olga', 'ADMIN');
  await chats.connect(olga, (await chats.slack(command)).body);
  await chats.slack(shortcut(message));
  await chats.slack(press(buttonsOf(chats.posted.at(-1)?.body)['Make a new idea']));
  return chats.posted.at(-1)?.body.text;
}

const commentsOf = ({ db }: ChatIn) =>
  db.read
    .selectFrom('comments')
    .leftJoin('users', 'users.id', 'comments.user_id')
    .select(['comments.text', 'comments.type', 'users.name', 'comments.moderation_status as status'])
    .where('is_first', '=', 0)
    .where('date_deleted', 'is', null)
    .orderBy('comments.id')
    .execute();

const textsOf = async (chats: ChatIn) => (await commentsOf(chats)).map(({ text }) => text);

testChats('replies in the thread of a message become internal notes once the team wants it', async (chats) => {
  const { event } = chats;
  assert.doesNotMatch(await makeIdea(chats), /thread/);
  assert.deepEqual(await event(replyEvent(1)), { status: 200, body: '' });
  assert.deepEqual(await commentsOf(chats), []);
  await choose(chats, 'NOTES');
  await chats.slack(press(buttonsOf(chats.posted.at(-2)?.body)['Make a new idea']));
  assert.match(
    chats.posted.at(-1)?.body.text,
    /the idea was made.*become internal notes.*Settings › Slack and Discord/,
  );
  const vera = await signUp(chats, 'Vera');
  await chats.connect(vera, (await chats.slack({ ...command, user_id: 'W444' })).body);
  await event(replyEvent(2, { text: 'See &lt;b&gt; <https://example.com/a|this>, <@W111>' }));
  await event(replyEvent(3, { user: 'W444' }));
  assert.deepEqual(await commentsOf(chats), [
    { text: 'See <b> this (https://example.com/a), @W111', type: 'INTERNAL', name: 'Slack W333', status: 'APPROVED' },
    { text: 'Reply 3', type: 'INTERNAL', name: 'Vera', status: 'APPROVED' },
  ]);
  assert.doesNotMatch((await chats.makeVisitor().get('/b/acme/posts/1/night-theme')).payload, /Reply 3/);
  const deps = { db: chats.db, folder: makeFileFolder(chats.dataDir), secretKey: 'a key for tests only' };
  assert.deepEqual(await checkStore(deps), []);
});

testChats('an event that comes again, late or all at once makes one comment, even if it was undone', async (chats) => {
  const { event, db } = chats;
  await makeIdea(chats);
  await choose(chats, 'NOTES');
  await event(replyEvent(2));
  await event(replyEvent(1));
  const again = { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' };
  await event(replyEvent(2), { headers: again });
  await Promise.all(Array.from({ length: 5 }, () => event(replyEvent(3), { headers: again })));
  // Another id of the event, and the same message.
  await event({ ...replyEvent(3), event_id: 'EvOther' });
  assert.deepEqual(await textsOf(chats), ['Reply 1', 'Reply 2', 'Reply 3']);
  const users = await db.read.selectFrom('users').select('name').where('sso_type', '=', 'earshot-chat').execute();
  assert.equal(users.filter(({ name }) => name === 'Slack W333').length, 1);
  const { operations } = await chats.ask(
    '{ operations(limit: 1) { nodes { id via isUndoable actor { name } changes { thing } } } }',
  );
  const [{ id, ...operation }] = operations.nodes;
  assert.deepEqual(operation, {
    via: 'Slack',
    isUndoable: true,
    actor: { name: 'Slack W333' },
    changes: [{ thing: 'COMMENT' }],
  });
  await chats.ask('mutation ($id: String!) { undo(operationId: $id) { id } }', { id });
  await event(replyEvent(3), { headers: again });
  assert.deepEqual(await textsOf(chats), ['Reply 1', 'Reply 2']);
});

testChats('what is no reply of a person, or not in a known thread, is ignored at little cost', async (chats) => {
  const { event } = chats;
  await makeIdea(chats);
  await choose(chats, 'NOTES');
  const { thread_ts, ...root } = replyEvent(9).event;
  const ignored = [
    replyEvent(1, { bot_id: 'B111', bot_profile: { id: 'B111', name: 'Ideas', app_id: 'A111' } }),
    replyEvent(1, { subtype: 'bot_message', bot_id: 'B111', username: 'Acme', user: undefined }),
    replyEvent(1, { subtype: 'message_changed', hidden: true, message: replyEvent(1).event, previous_message: {} }),
    replyEvent(1, { subtype: 'message_deleted', hidden: true, deleted_ts: ROOT_TS, previous_message: {} }),
    replyEvent(1, { subtype: 'tombstone', hidden: true }),
    // Slack forgets the subtype `message_replied`.
    wrap('Ev1', {
      type: 'message',
      message: replyEvent(1).event,
      hidden: true,
      channel: CHANNEL,
      ts: '1.1',
      thread_ts,
    }),
    wrap('Ev2', { ...root, thread_ts: root.ts }),
    wrap('Ev3', root),
    wrap('Ev4', { type: 'reaction_added', user: 'W333', reaction: 'heart_eyes', item_user: 'W111' }),
    { token: 'x', type: 'app_rate_limited', team_id: 'T111', minute_rate_limited: 1518467820, api_app_id: 'A111' },
    replyEvent(1, { text: '  ' }),
  ];
  const settings = 2;
  for (const body of ignored) {
    chats.takeStatements();
    assert.deepEqual(await event(body), { status: 200, body: '' }, JSON.stringify(body));
    assert.ok(chats.takeStatements().length <= settings, JSON.stringify(body));
  }
  for (const changes of [{ channel: 'C999' }, { thread_ts: '1795253400.000301' }]) {
    chats.takeStatements();
    await event(replyEvent(1, changes));
    const [statement, ...others] = chats.takeStatements().slice(settings);
    assert.deepEqual(others, []);
    assert.match(statement ?? '', /from "chat_threads" where "board_id" = .* and "thread" = /);
  }
  assert.deepEqual(await commentsOf(chats), []);
  await event(replyEvent(1, { subtype: 'thread_broadcast', root: { ...root, thread_ts, reply_count: 1 } }));
  await event(replyEvent(2, { subtype: 'file_share', files: [{ id: 'F1', name: 'a.png' }], upload: false }));
  assert.deepEqual(await textsOf(chats), ['Reply 1', 'Reply 2']);
});

testChats('the URL is checked, and events are signed as everything else', async (chats) => {
  const { event, clock } = chats;
  assert.deepEqual(await event(CHECK), { status: 200, body: { challenge: CHECK.challenge } });
  const seconds = clock.now() / 1_000;
  await makeIdea(chats);
  await choose(chats, 'NOTES');
  for (const body of [CHECK, replyEvent(1)]) {
    for (const otherwise of [{ signed: '{}' }, { headers: { 'x-slack-signature': '' } }, { seconds: seconds - 301 }]) {
      const { status, body: answer } = await event(body, otherwise);
      assert.equal(status, 401);
      assert.ok(!JSON.stringify(answer).includes(CHECK.challenge));
    }
  }
  for (const body of [{}, { type: 'event_callback' }, { type: 'other', event: {} }, { challenge: 'x' }]) {
    assert.equal((await event(body)).status, 400);
  }
  await changeChat(adminOf(chats), testCipher, 'SLACK', null);
  assert.equal((await event(replyEvent(1))).status, 404);
  assert.deepEqual(await commentsOf(chats), []);
});

testChats(
  'public comments are approved as those of their authors, and of unknown people by the team',
  async (chats) => {
    const { event, db } = chats;
    await makeIdea(chats);
    await choose(chats, 'COMMENTS');
    await chats.connect(await signUp(chats, 'Vera'), (await chats.slack({ ...command, user_id: 'W444' })).body);
    await event(replyEvent(1));
    await event(replyEvent(2, { user: 'W444' }));
    await db.transaction((tx) => tx.updateTable('boards').set({ approval: 'ALL' }).execute());
    await event(replyEvent(3, { user: 'W444' }));
    await event(replyEvent(4, { user: 'W111' }));
    await db.transaction((tx) =>
      tx.updateTable('users').set({ standing: 'BLOCKED' }).where('name', '=', 'Vera').execute(),
    );
    await event(replyEvent(5, { user: 'W444' }));
    assert.deepEqual(await commentsOf(chats), [
      { text: 'Reply 1', type: 'BASIC', name: 'Slack W333', status: 'PENDING' },
      { text: 'Reply 2', type: 'BASIC', name: 'Vera', status: 'APPROVED' },
      { text: 'Reply 3', type: 'BASIC', name: 'Vera', status: 'PENDING' },
      { text: 'Reply 4', type: 'BASIC', name: 'Olga', status: 'APPROVED' },
    ]);
    const { payload } = await chats.makeVisitor().get('/b/acme/posts/1/night-theme');
    assert.match(payload, /Reply 2/);
    assert.doesNotMatch(payload, /Reply [13]/);
  },
);

testChats(
  'replies follow a merged idea; locked and deleted ones take none, and a vote links its message',
  async (chats) => {
    const { event, api, db } = chats;
    const target = await chats.makePost('Export');
    const other = await chats.makePost('Night theme for the app');
    const olga = await chats.makeMember('Olga', 'ADMIN');
    await chats.connect(olga, (await chats.slack(command)).body);
    await choose(chats, 'NOTES');
    await chats.slack(shortcut());
    await chats.slack(press(buttonsOf(chats.posted.at(-1)?.body)['Vote for its author']));
    assert.match(chats.posted.at(-1)?.body.text, /become internal notes/);
    await api.mergePosts({ sourceIds: [other], targetId: target });
    await event(replyEvent(1));
    const { post_id } = await db.read
      .selectFrom('comments')
      .select('post_id')
      .where('text', '=', 'Reply 1')
      .executeTakeFirstOrThrow();
    assert.equal(post_id, target);
    await db.transaction((tx) => tx.updateTable('posts').set({ is_locked: 1 }).where('id', '=', target).execute());
    assert.equal((await event(replyEvent(2, { user: 'W777' }))).status, 200);
    await db.transaction((tx) => tx.updateTable('posts').set({ is_locked: 0 }).where('id', '=', target).execute());
    await api.deletePost({ postId: target });
    assert.equal((await event(replyEvent(3, { user: 'W777' }))).status, 200);
    assert.deepEqual(
      (await textsOf(chats)).filter((text) => text.startsWith('Reply')),
      ['Reply 1'],
    );
    const users = await db.read.selectFrom('users').select('id').where('name', '=', 'Slack W777').execute();
    assert.deepEqual(users, []);
  },
);

testChats('an idea of a reply links no thread, and a person cannot fill a board', async (chats) => {
  const { event, db } = chats;
  await makeIdea(chats, { thread_ts: '1795253100.000100' });
  await choose(chats, 'NOTES');
  await event(replyEvent(1, { thread_ts: '1795253100.000100' }));
  await event(replyEvent(2));
  assert.deepEqual(await commentsOf(chats), []);
  await chats.slack({ payload: { ...shortcut({ text: 'Other' }).payload, trigger_id: 'b' } });
  await chats.slack(press(buttonsOf(chats.posted.at(-1)?.body)['Make a new idea']));
  await event(replyEvent(3));
  await db.transaction((tx) => tx.updateTable('throttles').set({ used: 10_000 }).execute());
  assert.equal((await event(replyEvent(4))).status, 429);
  assert.deepEqual(await textsOf(chats), ['Reply 3']);
});

testChats('the team chooses on a page what replies become, and a new secret keeps the choice', async (chats) => {
  const path = '/b/acme/settings/chats';
  const olga = await chats.makeMember('Olga', 'ADMIN');
  const mo = await chats.makeMember('Mo', 'MODERATOR');
  const chosen = async () => /<option value="(\w+)" selected/.exec((await olga.get(path)).payload)?.[1];
  const modeOf = async () => (await listChats(adminOf(chats))).map(({ threads }) => threads);
  assert.deepEqual([await chosen(), await modeOf()], ['OFF', ['OFF', null]]);
  assert.equal((await olga.post(path, { intent: 'threads', threads: 'COMMENTS' })).statusCode, 302);
  assert.deepEqual([await chosen(), await modeOf()], ['COMMENTS', ['COMMENTS', null]]);
  assert.equal((await mo.post(path, { intent: 'threads', threads: 'OFF' })).statusCode, 403);
  assert.equal((await olga.post(path, { intent: 'threads', threads: 'ALL' })).statusCode, 400);
  await olga.post(path, { intent: 'SLACK', secret: 'f'.repeat(32) });
  assert.deepEqual(await modeOf(), ['COMMENTS', null]);
  await olga.post(path, { intent: 'SLACK', off: 'on' });
  assert.deepEqual([await chosen(), await modeOf()], [undefined, [null, null]]);
  await assert.rejects(choose(chats, 'NOTES'), /Turn Slack on first/);
});
