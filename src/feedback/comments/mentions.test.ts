import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { addUsers, makeScene, prefer, startNotifying } from '../../../test/support/notifying.ts';
import { setRole } from '../../identity/users/users.ts';

const idOf = async ({ db }: TestApp, name: string): Promise<string> =>
  (await db.read.selectFrom('users').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id;

const textOf = async ({ api }: TestApp, post: string): Promise<string> => {
  const { nodes } = await api.comments({ postId: post }, { nodes: { text: true } });
  return nodes.at(-1)?.text ?? '';
};

testBoth('a name after an @ mentions a participant of the discussion, or a member of the team', async (app) => {
  const { id, comment } = await makeScene(app);
  await app.api.createUser({ ssoType: 'SSO', ssoId: 'two', name: 'Talker Two' });
  await comment('two', { text: 'Me too' });
  const [talker, two, mod] = [await idOf(app, 'talker'), await idOf(app, 'Talker Two'), await idOf(app, 'mod')];
  const cases: [written: string, stored: string][] = [
    ['Hello @talker, @Mod!', `Hello [@talker](user:${talker}), [@mod](user:${mod})!`],
    ['@talker two and @talkers', `[@Talker Two](user:${two}) and @talkers`],
    ['@up @nobody x@mod.example', '@up @nobody x@mod.example'],
    ['`@mod` and ```\n@mod\n``` @mod', `\`@mod\` and \`\`\`\n@mod\n\`\`\` [@mod](user:${mod})`],
    [`[@Boss](user:${mod})`, `[@Boss](user:${mod})`],
    [`[@x](user:${await idOf(app, 'up')}) [@y](user:1)`, '@x @y'],
    [`[[@x](user:1)](user:${await idOf(app, 'up')})`, `[\\@x](user:${await idOf(app, 'up')})`],
    ['@mod '.repeat(12).trim(), `${`[@mod](user:${mod}) `.repeat(10)}@mod @mod`],
  ];
  for (const [text, stored] of cases) {
    await comment('newcomer', { text });
    assert.equal(await textOf(app, id), stored);
    app.clock.advance(1_000);
  }
});

testBoth('a name that two users have mentions neither of them, unless the text mentioned one before', async (app) => {
  const { id, comment } = await makeScene(app);
  for (const userId of ['a', 'b']) {
    await app.api.createUser({ ssoType: 'SSO', ssoId: userId, name: 'Alex' });
    await comment(userId, { text: 'Me too' });
  }
  const written = await comment('fan', { text: '@alex?' });
  assert.equal(await textOf(app, id), '@alex?');
  const alex = await idOf(app, 'Alex');
  const edit = (text: string) => app.api.updateComment({ id: written, text }, { text: true });
  const chosen = `[@Alex](user:${alex}) says`;
  assert.equal((await edit(chosen)).text, chosen);
  assert.equal((await edit('@Alex said')).text, `[@Alex](user:${alex}) said`);
});

testBoth('a mentioned user is notified of that once, and of nothing else about the same comment', async (app, t) => {
  const { comment, act } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  await act('subscribeToPost', 'mod');
  await comment('talker', { text: 'What do you think, @mod? And @author? I am @talker.' });
  const mails = await notifying.deliverAfter();
  assert.deepEqual(mails.map(({ to, headers }) => `${to[0]} ${headers.subject}`).sort(), [
    'author@example.com You were mentioned: Dark mode',
    'fan@example.com New comment: Dark mode',
    'mod@example.com You were mentioned: Dark mode',
  ]);
  const toMod = mails.find(({ to }) => to[0] === 'mod@example.com');
  assert.match(toMod?.text ?? '', /You were mentioned in this idea:/);
  assert.match(toMod?.text ?? '', /talker:\n> What do you think, @mod\? And @author\? I am @talker\./);
  assert.match(toMod?.text ?? '', /You are receiving this email because you were mentioned\./);
});

testBoth('users are not notified of mentions that they may not see, or do not want mail about', async (app, t) => {
  const { comment, act } = await makeScene(app);
  await addUsers(app, 'boss');
  await setRole(app, { ssoType: 'SSO', ssoId: 'boss' }, 'ADMIN');
  const notifying = await startNotifying(t, app);
  await comment('mod', { text: '@talker @boss', type: 'INTERNAL' });
  assert.deepEqual(await notifying.recipients(), ['boss'], 'an internal note');
  await act('unsubscribeFromPost', 'talker');
  await prefer(app, 'boss', { onMention: false });
  await comment('mod', { text: '@talker @boss @author', op: false, commenters: false, followers: false });
  assert.deepEqual(await notifying.recipients(), ['author']);
  await comment('ada', { text: '@author', date: '2020-01-01T00:00:00Z' });
  assert.deepEqual(await notifying.recipients(), [], 'an import');
});

testBoth('an edit notifies the users that the text did not mention before', async (app, t) => {
  const { id, comment } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  const written = await comment('author', { text: '@mod', commenters: false, followers: false });
  assert.deepEqual(await notifying.recipients(), ['mod']);
  await app.api.as('author').updateComment({ id: written, text: '@mod, @talker' });
  assert.deepEqual(await notifying.recipients(), ['talker']);
  const described = await app.api.as('author').updatePost({ id, comment: 'For @mod' }, { content: true });
  assert.match(described.content ?? '', /^For \[@mod\]\(user:/);
  const [mail] = await notifying.deliverAfter();
  assert.equal(mail?.headers.subject, 'You were mentioned: Dark mode');
  assert.match(mail?.text ?? '', /> For @mod/);
});

testBoth('a new post mentions the team, and one that awaits approval does once it is approved', async (app, t) => {
  await makeScene(app);
  const notifying = await startNotifying(t, app);
  await app.api.as('author').createPost({ title: 'New', comment: '@mod @talker' });
  assert.deepEqual(await notifying.recipients(), ['mod']);
  await app.db.transaction((tx) => tx.updateTable('boards').set({ approval: 'ALL' }).execute());
  app.clock.advance(5_000);
  const post = await app.api.as('author').createPost({ title: 'New', comment: '@mod' });
  assert.deepEqual(await notifying.recipients(), []);
  await app.api.changePostModerationStatus({ id: post.id, moderationStatus: 'APPROVED' });
  assert.deepEqual(await notifying.recipients(), ['mod']);
});
