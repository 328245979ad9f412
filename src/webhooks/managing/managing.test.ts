import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { startDelivering } from '../../../test/support/delivering.ts';
import { startReceiver } from '../../../test/support/receiver.ts';
import { findUserById } from '../../identity/users/users.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { makeLog } from '../../platform/lib/log.ts';
import { listDeliveries, listLastAttempts } from '../log/log.ts';
import { findLatestVerification } from '../verification/verification-log.ts';
import { listWebhooks } from '../webhook/webhooks.ts';
import { disableWebhook } from './enabling.ts';
import { manageWebhooks } from './managing.ts';
import { listReceiverCode } from './receiver-code.ts';

type Context = Parameters<Parameters<typeof testBoth>[1]>[1];

/** What a user with a role on the board does with its webhooks, and a receiver whose answers are set. */
async function startManaging(t: Context, app: TestApp, role: 'ADMIN' | 'MODERATOR' = 'ADMIN') {
  const how = { status: 200 };
  const { origin, received } = await startReceiver(t, ({ method, url }, response) => {
    if (method === 'GET') response.end(new URL(url, origin).searchParams.get('hub.challenge'));
    else response.writeHead(how.status).end();
  });
  const { context, sender, addWebhook, settled } = startDelivering(t, app);
  const actor = await findUserById(app.db.read, app.board.id, await app.makeUser('max', role));
  if (!actor) throw new Error('The user is gone');
  const sent = () => received.flatMap(({ method, body }) => (method === 'POST' ? [JSON.parse(body.toString())] : []));
  const manage = () => manageWebhooks({ ...context, actor }, sender, makeLog('silent'));
  return { how, origin, sent, context, manage, addWebhook, settled };
}

testBoth(
  'a form that is sent twice creates one webhook, and the client does not choose the end of its id',
  async (app, t) => {
    const { manage, origin } = await startManaging(t, app);
    const config = { url: origin, verifyToken: null, signingSecret: null, events: null };
    const form = { serverSecret: 'a secret', id: makeId() };
    const first = await manage().create(config, form);
    const second = await manage().create({ ...config, url: `${origin}/other` }, form);
    assert.equal(second.url, first.url);
    assert.notEqual(first.id, form.id);
    assert.equal(first.id.slice(0, 24), form.id.slice(0, 24));
    assert.equal((await listWebhooks(app.db.read, app.board.id)).length, 1);
    await assert.rejects(manage().create(config, { ...form, id: 'nonsense' }), { message: /form is incomplete/ });
  },
);

testBoth('a moderator manages no webhooks', async (app, t) => {
  const { manage } = await startManaging(t, app, 'MODERATOR');
  assert.throws(manage, { message: /Only admins can manage webhooks/ });
});

testBoth('a change of a version that is not the latest is refused', async (app, t) => {
  const { manage, origin, addWebhook } = await startManaging(t, app);
  const { id, date_updated: version } = await addWebhook({ url: origin });
  const { webhook } = await manage().update(id, { events: ['post.created'], version });
  await assert.rejects(manage().update(id, { events: null, version }), { message: /was changed in the meantime/ });
  await manage().update(id, { events: null, version: webhook.date_updated });
});

testBoth('a pending secret takes the place of the old one, or goes', async (app, t) => {
  const { manage, origin, addWebhook } = await startManaging(t, app);
  const { id } = await addWebhook({ url: origin, signingSecret: 'old' });
  const secrets = async () => {
    const { signingSecret, pendingSecret } = await manage().reveal(id);
    return [signingSecret, pendingSecret];
  };
  await manage().update(id, { signingSecret: 'new' });
  assert.deepEqual(await secrets(), ['old', 'new']);
  await manage().settlePending(id, 'discard');
  assert.deepEqual(await secrets(), ['old', null]);
  await manage().update(id, { signingSecret: 'newer' });
  await manage().settlePending(id, 'adopt');
  await manage().settlePending(id, 'adopt');
  assert.deepEqual(await secrets(), ['newer', null]);
});

testBoth('selected deliveries are resent in order, and delivered ones only on request', async (app, t) => {
  const { manage, origin, addWebhook, settled, sent, context } = await startManaging(t, app);
  const { id } = await addWebhook({ url: origin, events: ['post.created'] });
  const elsewhere = await addWebhook({ url: `${origin}/elsewhere`, events: ['post.deleted'] });
  for (const title of ['One', 'Two', 'Three']) await app.makePost(title);
  await settled();
  const ids = (await listDeliveries(app.db.read, app.board.id, id, { limit: 2 })).map((row) => row.id);
  assert.deepEqual(await manage().replaySelected(id, ids, false), { replayed: 0, delivered: 2 });
  assert.deepEqual(await manage().replaySelected(elsewhere.id, ids, true), { replayed: 0, delivered: 0 });
  assert.deepEqual(await manage().replaySelected(id, [...ids, 'nonsense', '\u0000'], true), {
    replayed: 2,
    delivered: 0,
  });
  await settled();
  const again = sent().slice(3);
  assert.deepEqual(again.map(({ data }) => data.post.title).sort(), ['Three', 'Two']);
  await assert.rejects(manage().delivery(elsewhere.id, ids[0] ?? ''), { message: 'Delivery not found' });
  assert.equal((await manage().delivery(id, ids[0] ?? '')).attempts, 2);
  await disableWebhook(context, id);
  await assert.rejects(manage().replaySelected(id, ids, true), { message: /is disabled/ });
});

testBoth('the log shows the latest attempt of each delivery, and the latest verification', async (app, t) => {
  const { how, origin, addWebhook, settled } = await startManaging(t, app);
  const { id } = await addWebhook({ url: origin });
  how.status = 500;
  await app.makePost('One');
  await settled();
  how.status = 201;
  app.clock.advance(60_000);
  await settled();
  const { db, board, clock } = app;
  const rows = await listDeliveries(db.read, board.id, id, { limit: 10, since: clock.now() - 60_000 });
  assert.equal(rows.length, 1);
  assert.deepEqual(await listDeliveries(db.read, board.id, id, { limit: 10, since: clock.now() }), []);
  const last = await listLastAttempts(db.read, board.id, [rows[0]?.id ?? '']);
  assert.equal(last.get(rows[0]?.id ?? '')?.status, 201);
  assert.equal((await findLatestVerification(db.read, board.id, id))?.outcome, 'verified');
  assert.equal(await findLatestVerification(db.read, board.id, makeId()), null);
});

testBoth('a webhook is deleted by typing its host', async (app, t) => {
  const { manage, origin, addWebhook } = await startManaging(t, app);
  const { id } = await addWebhook({ url: origin });
  await assert.rejects(manage().delete(id, 'example.com'), { message: /not the host/ });
  await manage().delete(id, ' 127.0.0.1 ');
  await assert.rejects(manage().reveal(id), { message: 'Webhook not found' });
});

test('receivers to start from serve the path of the webhook', () => {
  for (const { code, file } of listReceiverCode('https://example.com/in/board-1')) {
    assert.match(code, /\/in\/board-1["'`]/, file);
    assert.doesNotMatch(code, /\/webhook/, file);
  }
  for (const { code } of listReceiverCode("https://example.com/'+evil+'")) assert.match(code, /\/webhook/);
});
