import assert from 'node:assert/strict';
import { publishNew } from '../../../test/support/changelog.ts';
import { requireMessage, textsIn } from '../../../test/support/chat-forms.ts';
import { linesOf, makeChat, takeMessages } from '../../../test/support/chats.ts';
import { findTexts, finish } from '../../../test/support/erasing.ts';
import { statusNamed } from '../../../test/support/statuses.ts';
import { makeTag } from '../../../test/support/tags.ts';
import { callOf, comment, testWebhooks } from '../../../test/support/webhooks.ts';
import { MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { createWebhook, updateWebhook } from '../managing/changing.ts';
import { disableWebhook, enableWebhook } from '../managing/enabling.ts';
import { replayDelivery } from '../managing/replaying.ts';
import { testWebhook } from '../managing/testing.ts';
import { decryptSecrets, requireWebhook, type WebhookConfig } from '../webhook/webhooks.ts';

testWebhooks('a chat is sent what happened, with its actor and place, in the order of the board', async (app) => {
  const webhook = await makeChat(app, 'SLACK');
  assert.equal(
    webhook.events,
    ',post.created,post.status.updated,post.tags.updated,comment.created,changelog.published,',
  );
  const id = await app.makePost('Dark <mode>');
  const other = await app.makePost('Other');
  await comment(app, id, 'Hi **there**, @channel');
  await app.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: await statusNamed(app, 'Planned') });
  await app.api.updatePost({ id, tagIds: [await makeTag(app, 'Design'), await makeTag(app, 'Secret', true)] });
  await publishNew(app, { title: 'Out now', text: 'It is *there*.' });
  await app.pass();
  const link = '<http://board.test/b/acme/posts/1/dark-mode|Dark &lt;mode&gt;>';
  const board = app.board.name;
  assert.deepEqual(linesOf(takeMessages(app, 'SLACK')), [
    `New idea: ${link}\nBecause.\nada · ${board}`,
    `New idea: <http://board.test/b/acme/posts/2/other|Other>\nBecause.\nada · ${board}`,
    `New comment: ${link}\nHi there, @\u200bchannel\nada · ${board}`,
    `Status changed: ${link}\nStatus: Open → Planned\nada · ${board}`,
    `Tags changed: ${link}\nTags: Design\nada · ${board}`,
    `New in the changelog: <http://board.test/b/acme/changelog/1/out-now|Out now>\nIt is there.\nada · ${board}`,
  ]);
  await testWebhook(callOf(app), app.sender, webhook.id);
  assert.match(takeMessages(app, 'SLACK')[0].text, /^A test message from/);
  await app.api.deletePost({ postId: other });
  await app.pass();
  assert.deepEqual(app.takeEvents(), []);
});

testWebhooks('messages have the form of their chat, and are in the language of the board', async (app) => {
  await app.db.transaction((tx) => tx.updateTable('boards').set({ locale: 'de' }).execute());
  const german = { ...app, board: { ...app.board, locale: 'de' } };
  for (const kind of ['DISCORD', 'TEAMS'] as const) {
    const { id } = await createWebhook(callOf(german), app.sender, {
      url: (await app.makeWebhook()).url,
      kind,
      verifyToken: null,
      signingSecret: null,
      events: null,
    });
    await enableWebhook(callOf(german), app.sender, id, 'deliver');
    assert.match(textsIn(takeMessages(app, kind)).join(), /Earshot ist mit Acme/);
    await app.makePost('Größe');
    await app.pass();
    const messages = app.takeEvents().flatMap(({ event, request }) => (event ? [] : [request.body]));
    const texts = messages.map((body) => textsIn(requireMessage(kind, body)).join('\n'));
    assert.equal(texts.length, 1);
    assert.match(texts[0] ?? '', /Neue Idee/);
    assert.match(texts[0] ?? '', /Größe/);
    await disableWebhook(callOf(app), id);
  }
});

testWebhooks('messages that only a newer version can write, or send, wait for it', async (app) => {
  const { db } = app;
  const webhook = await makeChat(app, 'SLACK');
  const send = () => app.pass().then(() => linesOf(takeMessages(app, 'SLACK')).length);
  const setKind = (kind: string) =>
    db.transaction((tx) =>
      tx
        .updateTable('webhooks')
        .set({ kind: kind as 'SLACK' })
        .execute(),
    );
  await setKind('MATRIX');
  const id = await app.makePost('Dark mode');
  assert.equal(await send(), 0);
  await setKind('SLACK');
  assert.equal(await send(), 1);

  const rename = (from: string, to: string) =>
    db.transaction(async (tx) => {
      for (const { seq, body } of await tx.selectFrom('events').select(['seq', 'body']).execute()) {
        const event = tx.updateTable('events').set({ body: body.replace(`"${from}"`, `"${to}"`) });
        await event.where('seq', '=', seq).execute();
      }
    });
  await setKind('MATRIX');
  await comment(app, id, 'Hello');
  await rename('comment.created', 'comment.celebrated');
  await setKind('SLACK');
  assert.equal(await send(), 0);
  const [row] = await db.read.selectFrom('deliveries').selectAll().orderBy('event_seq', 'desc').limit(1).execute();
  assert.deepEqual([row?.webhook_id, row?.state, row?.tries, row?.lease_token], [webhook.id, 'waiting', 0, null]);
  await rename('comment.celebrated', 'comment.created');
  app.clock.advance(MINUTE_MS);
  assert.equal(await send(), 1);
});

testWebhooks('a chat that is sent too much gets the same bytes again, later, in order, one at a time', async (app) => {
  const { id } = await makeChat(app, 'DISCORD');
  let inFlight = 0;
  let isLimited = true;
  app.reply(async () => {
    assert.equal(++inFlight, 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    inFlight--;
    return isLimited ? { status: 429, headers: { 'retry-after': '30' } } : 204;
  });
  for (const title of ['One', 'Two', 'Three']) await app.makePost(title);
  await app.pass();
  const [limited, ...more] = app.takeEvents();
  assert.ok(limited);
  assert.equal(more.length, 0);
  isLimited = false;
  await app.pass(29 * SECOND_MS);
  assert.deepEqual(app.takeEvents(), []);
  await app.pass(8 * SECOND_MS);
  const titles = app.takeEvents();
  assert.deepEqual(titles.map(({ request }) => requireMessage('DISCORD', request.body).embeds[0].title).sort(), [
    'One',
    'Three',
    'Two',
  ]);
  const again = titles.find(({ id: eventId }) => eventId === limited.id);
  assert.deepEqual(again?.request.body, limited.request.body);
  assert.equal(again?.request.headers['x-hub-signature'], undefined);
  assert.deepEqual(
    [(await app.webhook(id)).state, (await app.deliveries(id)).map(({ outcome }) => outcome)],
    ['active', ['delivered', 'delivered', 'delivered']],
  );
});

testWebhooks('the URL of a chat is stored encrypted, and shown nowhere', async (app) => {
  const { url: plain, id: plainId } = await app.makeWebhook();
  await disableWebhook(callOf(app), plainId);
  const secret = 'T0SECRET0/B0SECRET0/abcdefghijklmnopqrstwxyz';
  const url = plain.replace('/hook', `/services/${secret}`);
  app.reply(() => ({ status: 400, headers: { 'x-echo': url, location: `/services/${secret}?a` } }));
  const config = { url, kind: 'SLACK' as const, verifyToken: null, signingSecret: null, events: null };
  const row = await createWebhook(callOf(app), app.sender, config);
  assert.match(row.url, /^http:\/\/127\.0\.0\.1:\d+\/\*\*\*wxyz$/);
  const refused = await enableWebhook(callOf(app), app.sender, row.id, 'deliver');
  assert.equal(refused.webhook.state, 'disabled');
  assert.match(refused.verification?.reason.text ?? '', /^The chat answered 400/);
  app.reply(() => ({ status: 200, headers: { 'x-echo': url } }));
  assert.equal((await enableWebhook(callOf(app), app.sender, row.id, 'deliver')).webhook.state, 'active');
  await testWebhook(callOf(app), app.sender, row.id);
  app.reply(() => ({ status: 404, headers: { 'x-echo': url } }));
  await app.makePost('Post');
  await app.pass();
  assert.equal(app.takeEvents().at(-1)?.request.url, `/services/${secret}`);
  const { url: kept } = decryptSecrets(app.sender.cipher, await requireWebhook(app.db.read, app.board.id, row.id));
  assert.equal(kept, url);
  assert.deepEqual(await findTexts(app.db, ['T0SECRET0/B0', 'abcdefghijkl']), []);
  assert.deepEqual(
    app.logged.filter((line) => line.includes('abcdefghijkl')),
    [],
  );
});

testWebhooks('chats take no secrets, and only the events that make sense there', async (app) => {
  const { url } = await app.makeWebhook();
  const config = { url, kind: 'TEAMS' as const, verifyToken: null, signingSecret: null, events: null };
  const create = (changes: Partial<WebhookConfig>) => createWebhook(callOf(app), app.sender, { ...config, ...changes });
  await assert.rejects(create({ signingSecret: 'x' }), { message: 'A chat takes no signingSecret' });
  await assert.rejects(create({ verifyToken: 'x' }), { message: 'A chat takes no verifyToken' });
  await assert.rejects(create({ events: ['post.deleted'] }), {
    message: /^A chat is not sent post.deleted; choose from/,
  });
  const { id } = await create({ events: ['comment.created'] });
  await assert.rejects(updateWebhook(callOf(app), app.sender, id, { signingSecret: 'x' }), { code: 'BAD_REQUEST' });
});

testWebhooks('a webhook is sent the events of posts with its statuses and tags alone', async (app) => {
  const [design, mobile] = [await makeTag(app, 'Design'), await makeTag(app, 'Mobile')];
  const planned = await statusNamed(app, 'Planned');
  const byStatus = await app.makeWebhook({ statuses: ['Planned'] });
  const byBoth = await app.makeWebhook({ statuses: [planned, 'In progress'], tags: [design] });
  const byTag = await app.makeWebhook({ tags: ['Design', mobile] });
  const id = await app.makePost('Post');
  await app.api.updatePost({ id, tagIds: [design] });
  await app.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: planned });
  await comment(app, id, 'Hi');
  await app.api.updatePost({ id, tagIds: [] });
  await publishNew(app, { title: 'Out now' });
  const typesOf = async (webhookId: string) => (await app.deliveries(webhookId)).map(({ event_type }) => event_type);
  const late = ['post.status.updated', 'comment.created'];
  assert.deepEqual(await typesOf(byStatus.id), [...late, 'post.tags.updated', 'changelog.published']);
  assert.deepEqual(await typesOf(byBoth.id), [...late, 'changelog.published']);
  assert.deepEqual(await typesOf(byTag.id), ['post.tags.updated', ...late, 'changelog.published']);
  const change = (changes: Partial<WebhookConfig>) => updateWebhook(callOf(app), app.sender, byTag.id, changes);
  assert.deepEqual(
    await change({ tags: null, statuses: [planned] }).then(({ webhook }) => [webhook.tag_ids, webhook.status_ids]),
    [null, `,${planned},`],
  );
  await assert.rejects(change({ tags: ['Nowhere'] }), { message: 'tags: the board has no "Nowhere"' });
  await assert.rejects(change({ statuses: [] }), { message: 'statuses is empty: choose at least one, or all' });
});

testWebhooks('what is erased is forgotten in messages that were sent', async (app) => {
  const { id } = await makeChat(app, 'SLACK');
  await app.makeUser('zed');
  await app.api.createUser({ ssoType: 'SSO', ssoId: 'zed', name: 'Zoraya Quell' });
  await app.makePost('A post by her', { as: 'zed' });
  await app.pass();
  assert.match(takeMessages(app, 'SLACK')[0].text, /Zoraya Quell/);
  await app.api.deleteUser({ ssoId: 'zed', ssoType: 'SSO', keepContent: true });
  await finish(app);
  assert.deepEqual(await findTexts(app.db, ['zoraya']), []);
  const [delivery] = await app.deliveries(id);
  await replayDelivery(callOf(app), delivery?.id ?? '');
  await app.pass();
  assert.doesNotMatch(textsIn(takeMessages(app, 'SLACK')).join(), /Zoraya/);
});
