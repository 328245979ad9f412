import assert from 'node:assert/strict';
import { buttonsOf, type ChatIn, testChats } from '../../../test/support/chat-in.ts';
import { SECOND_MS } from '../../platform/lib/clock.ts';

const member = {
  deaf: false,
  mute: false,
  nick: null,
  roles: ['539082325061836999'],
  user: {
    avatar: 'a_d5efa99b3eeaa7dd43acca82f5692432',
    discriminator: '0',
    id: '53908232506183680',
    username: 'Mason',
  },
};
const common = {
  application_id: '845027738276462632',
  channel_id: '645027906669510667',
  guild_id: '290926798626357999',
  member,
  token: 'A_UNIQUE_TOKEN',
  version: 1,
};

/** As at https://docs.discord.com/developers/interactions/receiving-and-responding, "Interaction Object" */
const command = (text: string, id = '786008729715212338') => ({
  ...common,
  id,
  type: 2,
  data: { id: '771825006014889984', name: 'idea', type: 1, options: [{ name: 'text', type: 3, value: text }] },
});

/** As at https://docs.discord.com/developers/interactions/application-commands, "Message commands" */
const message = (content: string, author: object) => ({
  ...common,
  id: '867793854505943041',
  type: 2,
  data: {
    id: '866818195033292851',
    name: 'Make an idea',
    type: 3,
    target_id: '867793854505943041',
    resolved: {
      messages: {
        '867793854505943041': {
          id: '867793854505943041',
          channel_id: '772908445358620702',
          content,
          author,
          attachments: [],
          embeds: [],
          timestamp: '2021-07-22T15:42:57.744000+00:00',
          type: 0,
        },
      },
    },
  },
});

const press = (custom_id: string | undefined) => ({
  ...common,
  id: '846462639134605312',
  type: 3,
  data: { component_type: 2, custom_id },
  message: { id: '846462639134605313', flags: 64 },
});

const postsOf = async ({ db }: ChatIn) =>
  db.read
    .selectFrom('posts')
    .leftJoin('users', 'users.id', 'posts.author_id')
    .select(['posts.title', 'posts.upvotes', 'users.name'])
    .orderBy('posts.number')
    .execute();

const idOf = async ({ db }: ChatIn, title: string) =>
  (await db.read.selectFrom('posts').select('id').where('title', '=', title).executeTakeFirstOrThrow()).id;

testChats('a message in Discord is an idea or a vote of its author, with the message as evidence', async (chats) => {
  const { discord, db } = chats;
  assert.deepEqual((await discord({ id: '1', application_id: '2', type: 1 })).body, { type: 1 });
  const olga = await chats.makeMember('Olga', 'ADMIN');
  await chats.connect(olga, (await discord(command('Night theme'))).body);
  const { body } = await discord(command('Night theme'));
  assert.deepEqual([body.type, body.data.flags], [4, 64]);
  for (let n = 0; n < 2; n++) {
    const made = await discord(press(buttonsOf(body)['Make a new idea']));
    assert.deepEqual([made.body.type, made.body.data.components], [7, []]);
  }
  const asked = await discord(message('Please add a night theme', { id: '9', username: 'kim', global_name: 'Kim' }));
  const { '1. Vote for its author': vote } = buttonsOf(asked.body);
  for (let n = 0; n < 2; n++) assert.match((await discord(press(vote))).body.data.content, /the vote of Kim counts/);
  assert.deepEqual(await postsOf(chats), [{ title: 'Night theme', upvotes: 2, name: 'Olga' }]);
  const [, { evidence } = assert.fail()] = await db.read.selectFrom('votes').select('evidence').orderBy('id').execute();
  assert.equal(evidence, 'https://discord.com/channels/290926798626357999/772908445358620702/867793854505943041');
});

testChats('a title has no marks of bold, italic and code, and all else that it was written with', async (chats) => {
  const { discord } = chats;
  const olga = await chats.makeMember('Olga', 'ADMIN');
  await chats.connect(olga, (await discord(command('x'))).body);
  const titles = {
    'Please add **sso**, our *IT* team `needs` it': 'Please add sso, our IT team needs it',
    'Keep snake_case, 2 * 3 * 4 and __init__.py': 'Keep snake_case, 2 * 3 * 4 and __init__.py',
    '~~Old~~ ***new***': 'Old new',
    '**': '**',
  };
  for (const [written, title] of Object.entries(titles))
    assert.match(
      (await discord(command(written))).body.data.content.replaceAll('\\', ''),
      new RegExp(RegExp.escape(title)),
    );
});

testChats('what Discord did not sign is refused', async ({ discord, clock }) => {
  const seconds = clock.now() / 1_000;
  for (const otherwise of [
    { signed: `${seconds}x` },
    { headers: { 'x-signature-ed25519': '' } },
    { headers: { 'x-signature-ed25519': '0'.repeat(128) } },
    { headers: { 'x-signature-timestamp': String(seconds + 1) } },
    { seconds: seconds - 301 },
  ]) {
    assert.equal((await discord({ type: 1 }, otherwise)).status, 401, JSON.stringify(otherwise));
  }
  assert.equal((await discord({ type: 9 })).status, 400);
});

testChats('what users write mentions no one in Discord, and is no markup', async (chats) => {
  const { discord } = chats;
  const olga = await chats.makeMember('Olga', 'ADMIN');
  await chats.makePost('@everyone [click](https://evil.example) here');
  await chats.connect(olga, (await discord(command('x'))).body);
  const text = `@everyone [click](https://evil.example) here ||x|| <@&1> ${'y'.repeat(5_000)}`;
  const { data } = (await discord(command(text, '2'))).body;
  assert.deepEqual(data.allowed_mentions, { parse: [] });
  assert.match(data.content, /\\@everyone \\\[click\\\]\\\(https/);
  assert.match(data.embeds[0].title, /^1\. \\@everyone \\\[click\\\]/);
  assert.ok(data.content.length <= 2_000);
  assert.ok(Object.values(buttonsOf(data)).every((value) => value.length <= 100));
});

testChats(
  'an idea that was merged counts as what it is merged into, and one that is locked has no button',
  async (chats) => {
    const { discord, api } = chats;
    const olga = await chats.makeMember('Olga', 'ADMIN');
    await chats.connect(olga, (await discord(command('x'))).body);
    const choose = async (label: string) => {
      const kim = { id: '9', username: 'kim', global_name: 'Kim' };
      const asked = (await discord(message('Night theme wanted', kim))).body.data;
      const { content, embeds } = (await discord(press(buttonsOf(asked)[label]))).body.data;
      return { asked, content, title: embeds[0]?.title };
    };
    const targetId = await chats.makePost('Dark colors');
    await choose('Make a new idea');
    await api.mergePosts({ sourceIds: [await idOf(chats, 'Night theme wanted')], targetId });
    for (const label of ['1. Vote for its author', 'Make a new idea']) {
      const { asked, content, title } = await choose(label);
      assert.deepEqual([asked.embeds.length, asked.embeds[0].title, title], [1, '1. Dark colors', 'Dark colors']);
      assert.match(content, /the vote of Kim counts/);
    }
    assert.deepEqual((await postsOf(chats))[0], { title: 'Dark colors', upvotes: 1, name: 'ada' });
    await api.updatePost({ id: targetId, isLocked: true });
    const { asked, content } = await choose('Make a new idea');
    assert.deepEqual([asked.embeds[0].title, Object.keys(buttonsOf(asked))], ['1. Dark colors', ['Make a new idea']]);
    assert.match(content, /locked/);
  },
);

testChats('of an idea that is deleted or hidden, who chooses its message again gets nothing', async (chats) => {
  const { discord, api, db } = chats;
  const olga = await chats.makeMember('Olga', 'ADMIN');
  await chats.connect(olga, (await discord(command('x'))).body);
  const choose = async () => {
    const { body } = await discord(message('Night theme wanted', { id: '9', username: 'kim', global_name: 'Kim' }));
    return (await discord(press(buttonsOf(body)['Make a new idea']))).body.data.content;
  };
  await choose();
  await api.deletePost({ postId: await idOf(chats, 'Night theme wanted') });
  assert.match(await choose(), /^This idea does not exist or was deleted$/);
  await db.transaction(async (tx) => {
    await tx.updateTable('posts').set({ date_deleted: null, moderation_status: 'PENDING' }).execute();
    await tx.updateTable('users').set({ role: 'MEMBER' }).where('name', '=', 'Olga').execute();
  });
  chats.clock.advance(SECOND_MS);
  const { body } = await discord(message('Night theme wanted', member.user));
  assert.deepEqual(body.data.embeds, []);
  const pressed = await discord(press(buttonsOf(body)['Make a new idea']));
  assert.match(pressed.body.data.content, /^This idea does not exist or was deleted$/);
});

testChats('what cannot be stored of a text is left out, before anyone is asked about it', async (chats) => {
  const { discord } = chats;
  await chats.connect(await chats.makeMember('Olga', 'ADMIN'), (await discord(command('x'))).body);
  const { body } = await discord(command('Night\u0007 theme\nwith\ud83d\u0000 stars', '3'));
  const made = await discord(press(buttonsOf(body)['Make a new idea']));
  assert.match(made.body.data.content, /Done.*the idea was made/);
  const [{ title } = assert.fail()] = await postsOf(chats);
  assert.equal(title, 'Night theme');
});
