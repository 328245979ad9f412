import assert from 'node:assert/strict';
import { callOf, comment, testWebhooks, textOf, type WebhookApp } from '../../../test/support/webhooks.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { disableWebhook, enableWebhook } from '../managing/enabling.ts';
import { replayDelivery, replayMissed } from '../managing/replaying.ts';

testWebhooks('410 disables at once and the owner’s mail explains why', async (app) => {
  await giveOwnerAddress(app);
  const { id } = await app.makeWebhook();
  app.reply(() => 410);
  await app.makePost('Post');
  await app.pass();
  const webhook = await app.webhook(id);
  assert.deepEqual([webhook.state, webhook.disabled_by], ['disabled', 'service']);
  assert.match(webhook.disabled_reason ?? '', /410/);
  assert.deepEqual(subjects(app), ['A webhook was disabled: 127.0.0.1']);
});

async function giveOwnerAddress({ api }: WebhookApp): Promise<void> {
  await api.createUser({ ssoType: 'SSO', ssoId: 'ada', email: 'ada@acme.example' });
}

const subjects = ({ mailServer }: WebhookApp) => mailServer.mails.map(({ headers }) => headers.subject);

testWebhooks('failing, warned, disabled, enabled again: one mail for each change, and nothing is lost', async (app) => {
  await giveOwnerAddress(app);
  app.startWorker();
  const { id } = await app.makeWebhook({ events: ['comment.created'] });
  const postId = await app.makePost('Post');
  app.reply(() => 500);
  await comment(app, postId, 'first');
  await app.pass();
  assert.equal((await app.webhook(id)).state, 'active');
  for (const wait of [6, 72]) await app.pass(wait * SECOND_MS);
  assert.equal((await app.webhook(id)).state, 'failing');
  assert.deepEqual(subjects(app), ['A webhook is failing: 127.0.0.1']);
  assert.match(app.mailServer.mails[0]?.text ?? '', /answered 500/);

  await comment(app, postId, 'second');
  for (let hour = 0; hour < 49; hour++) await app.pass(HOUR_MS);
  assert.deepEqual(subjects(app).slice(1), ['A webhook will be disabled in 24 hours: 127.0.0.1']);
  for (let hour = 0; hour < 26 && (await app.webhook(id)).state !== 'disabled'; hour++) {
    await comment(app, await app.makePost('Another'), `later ${hour}`);
    await app.pass(HOUR_MS);
  }
  const disabled = await app.webhook(id);
  assert.deepEqual([disabled.state, disabled.disabled_by], ['disabled', 'service']);
  assert.deepEqual(subjects(app).slice(2), ['A webhook was disabled: 127.0.0.1']);

  app.takeEvents();
  app.reply(() => 200);
  await comment(app, postId, 'while disabled');
  await app.pass(HOUR_MS);
  assert.deepEqual(app.takeEvents(), []);
  const { verification } = await enableWebhook(callOf(app), app.sender, id, 'deliver');
  assert.equal(verification?.kind, 'verified');
  await app.pass();
  const texts = app.takeEvents().map(textOf);
  const ofPost = texts.filter((text) => !text.startsWith('later'));
  assert.deepEqual(ofPost, ['first', 'second', 'while disabled']);
  assert.equal((await app.deliveries(id)).filter(({ state }) => state !== 'delivered').length, 0);
  assert.equal(subjects(app).length, 3);
});

testWebhooks('the owner is notified once of a webhook that recovers by itself', async (app) => {
  await giveOwnerAddress(app);
  const { id } = await app.makeWebhook();
  app.reply(() => 500);
  await app.makePost('Post');
  await app.pass();
  for (const wait of [6, 72]) await app.pass(wait * SECOND_MS);
  app.reply(() => 200);
  await app.pass(6 * MINUTE_MS);
  assert.equal((await app.webhook(id)).state, 'active');
  assert.deepEqual(subjects(app), ['A webhook is failing: 127.0.0.1', 'A webhook is working again: 127.0.0.1']);
});

testWebhooks('a backlog can be skipped, which the log shows', async (app) => {
  const { id } = await app.makeWebhook();
  app.reply(() => 410);
  await app.makePost('Post');
  await app.pass();
  await app.makePost('While disabled');
  await enableWebhook(callOf(app), app.sender, id, 'skip');
  app.reply(() => 200);
  await app.pass(HOUR_MS);
  assert.deepEqual(
    (await app.deliveries(id)).map(({ state }) => state),
    ['skipped', 'skipped'],
  );
  assert.equal(await replayMissed(callOf(app), id, 0), 2);
  app.takeEvents();
  await app.pass();
  assert.deepEqual(
    app.takeEvents().map(({ data }) => data.post.title),
    ['Post', 'While disabled'],
  );
});

testWebhooks('resending what was missed sends what waits for a retry, too', async (app) => {
  const { id } = await app.makeWebhook();
  app.reply(() => 500);
  await app.makePost('Post');
  await app.pass();
  app.takeEvents();
  app.reply(() => 200);
  assert.equal(await replayMissed(callOf(app), id, 0), 1);
  await app.pass();
  assert.deepEqual(
    app.takeEvents().map(({ data }) => data.post.title),
    ['Post'],
  );
  assert.equal(await replayMissed(callOf(app), id, 0), 0, 'nothing is left');
});

testWebhooks('a webhook that its owner disabled takes no events, and keeps what waited', async (app) => {
  const { id } = await app.makeWebhook();
  app.reply(() => 500);
  await app.makePost('Before');
  await app.pass();
  await disableWebhook(callOf(app), id);
  await app.makePost('While disabled');
  app.takeEvents();
  await app.pass(HOUR_MS);
  assert.deepEqual(app.takeEvents(), []);
  app.reply(() => 200);
  await enableWebhook(callOf(app), app.sender, id, 'deliver');
  await app.pass();
  assert.deepEqual(
    app.takeEvents().map(({ data }) => data.post.title),
    ['Before'],
  );
});

testWebhooks('replaying is refused while a delivery is sent and while its webhook is disabled', async (app) => {
  const { id } = await app.makeWebhook();
  let answer = (_: number) => {};
  app.reply(() => new Promise((resolve) => (answer = resolve)));
  await app.makePost('Post');
  const settled = app.pass();
  while (app.takeEvents().length === 0) await new Promise(setImmediate);
  const [delivery] = await app.deliveries(id);
  await assert.rejects(replayDelivery(callOf(app), delivery?.id ?? ''), /being sent right now/);
  answer(200);
  await settled;
  await disableWebhook(callOf(app), id);
  await assert.rejects(replayDelivery(callOf(app), delivery?.id ?? ''), /disabled: enable it first/);
  await assert.rejects(replayDelivery(callOf(app), 'nothing'), /Delivery not found/);
});
