import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { callOf, comment, testWebhooks, textOf } from '../../../test/support/webhooks.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { listAttempts } from '../log/log.ts';
import { updateWebhook } from '../managing/changing.ts';
import { replayDelivery } from '../managing/replaying.ts';
import { testWebhook } from '../managing/testing.ts';
import { RETRY_DELAYS_MS } from './schedule.ts';

testWebhooks('every event arrives as it is in the log, signed over its bytes', async (app) => {
  await app.makeWebhook();
  const postId = await app.makePost('Größe 🌒');
  const tag = await app.api.createTag({ name: 'ux' });
  const comment = await app.api.createComment({ postId, text: '你好' });
  await app.ask(
    `mutation($id: String!, $comment: String!, $tags: [String!]) {
      changePostStatus(postId: $id, statusType: COMPLETED) { id }
      updatePost(id: $id, tagIds: $tags) { node { id } }
      deleteComment(id: $comment) { id }
      deletePost(postId: $id) { id }
    }`,
    { id: postId, comment: comment.id, tags: [tag.id] },
  );
  await app.pass();
  const arrived = app.takeEvents();
  const log = await app.db.read.selectFrom('events').select(['id', 'type', 'body']).orderBy('seq').execute();
  assert.deepEqual(
    log.map(({ type }) => type),
    ['post.created', 'comment.created', 'post.status.updated', 'post.tags.updated', 'comment.deleted', 'post.deleted'],
  );
  assert.deepEqual(
    arrived.map(({ id, request }) => [id, request.body.toString()]),
    log.map(({ id, body }) => [id, body]),
  );
  for (const { request, event, attempt } of arrived) {
    const signature = createHmac('sha256', 's3cret').update(request.body).digest('hex');
    assert.equal(request.headers['x-hub-signature'], `sha256=${signature}`);
    assert.equal(request.headers['x-earshot-event'], event);
    assert.equal(attempt, 1);
  }
});

testWebhooks('a webhook gets the events it wants, and only those', async (app) => {
  await app.makeWebhook({ events: ['comment.created'] });
  await comment(app, await app.makePost('Post'), 'Hello');
  await app.pass();
  assert.deepEqual(
    app.takeEvents().map(({ event }) => event),
    ['comment.created'],
  );
});

testWebhooks('events of a post keep their order across failures; other posts do not wait', async (app) => {
  await app.makeWebhook({ events: ['comment.created'] });
  const [first, second] = [await app.makePost('First'), await app.makePost('Second')];
  app.reply((event) => (textOf(event) === '1a' && event.attempt === 1 ? 500 : 200));
  for (const text of ['1a', '1b', '1c']) await comment(app, first, text);
  await comment(app, second, '2a');
  await app.pass();
  assert.deepEqual(app.takeEvents().map(textOf).sort(), ['1a', '2a']);
  await app.pass(6 * SECOND_MS);
  assert.deepEqual(app.takeEvents().map(textOf), ['1a', '1b', '1c']);
});

testWebhooks('a delivery is tried on schedule with the same bytes, until it is given up', async (app) => {
  const { id } = await app.makeWebhook();
  // A success in between keeps the webhook from being disabled before the schedule has ended.
  app.reply(({ data }) => (data.post.title === 'Bad' ? 503 : 200));
  await app.makePost('Bad');
  await app.pass();
  const bad = async () => (await app.deliveries(id)).find(({ post_id }, n) => n === 0 && post_id !== null);
  for (const delay of RETRY_DELAYS_MS) {
    const wait = ((await bad())?.date_due ?? 0) - app.clock.now();
    assert.ok(wait >= delay && wait <= delay * 1.2, `${wait} instead of ${delay}`);
    await app.makePost('Good');
    await app.pass(wait);
  }
  const attempts = app.takeEvents().filter(({ data }) => data.post.title === 'Bad');
  assert.deepEqual(
    attempts.map(({ attempt }) => attempt),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  );
  assert.equal(new Set(attempts.map(({ request }) => request.body.toString())).size, 1);
  assert.equal(new Set(attempts.map((event) => event.id)).size, 1);
  assert.deepEqual([(await bad())?.state, (await bad())?.outcome], ['given_up', 'answered 503']);
  app.reply(() => 200);
  await replayDelivery(callOf(app), (await bad())?.id ?? '');
  await app.pass();
  assert.equal((await bad())?.state, 'delivered');
});

testWebhooks('what was delivered can be replayed with the same id and bytes', async (app) => {
  const { id } = await app.makeWebhook();
  await app.makePost('Post');
  await app.pass();
  const [before] = app.takeEvents();
  const [delivered] = await app.deliveries(id);
  assert.equal(delivered?.state, 'delivered');
  await replayDelivery(callOf(app), delivered?.id ?? '');
  await app.pass();
  const [again] = app.takeEvents();
  assert.equal(again?.id, before?.id);
  assert.deepEqual(again?.request.body, before?.request.body);
  assert.equal(again?.attempt, 2);
  assert.deepEqual(
    (await listAttempts(app.db.read, app.board.id, delivered?.id ?? '')).map(({ number, outcome }) => [
      number,
      outcome,
    ]),
    [
      [1, 'delivered'],
      [2, 'delivered'],
    ],
  );
});

testWebhooks('Retry-After delays the next attempt, up to an hour', async (app) => {
  const { id } = await app.makeWebhook();
  app.reply(() => ({ status: 429, headers: { 'retry-after': '600' } }));
  await app.makePost('Post');
  await app.pass();
  const [delivery] = await app.deliveries(id);
  const wait = (delivery?.date_due ?? 0) - app.clock.now();
  assert.ok(wait >= 600 * SECOND_MS && wait <= 720 * SECOND_MS, String(wait));
  app.reply(() => ({ status: 503, headers: { 'retry-after': '1000000000' } }));
  await app.pass(wait);
  const [later] = await app.deliveries(id);
  const capped = (later?.date_due ?? 0) - app.clock.now();
  assert.ok(capped >= HOUR_MS && capped <= 1.2 * HOUR_MS, String(capped));
});

testWebhooks(
  'a new secret counts once the receiver has accepted it, and no event fails in the meantime',
  async (app) => {
    const { id } = await app.makeWebhook({ signingSecret: 'old secret' });
    let known = 'old secret';
    app.reply(({ request }) => {
      const signature = `sha256=${createHmac('sha256', known).update(request.body).digest('hex')}`;
      return request.headers['x-hub-signature'] === signature ? 200 : 403;
    });
    await updateWebhook(callOf(app), app.sender, id, { signingSecret: 'new secret' });
    await app.makePost('Still the old one');
    await app.pass();
    assert.equal((await app.deliveries(id)).at(-1)?.attempts, 1);
    const refused = await testWebhook(callOf(app), app.sender, id);
    assert.equal(refused.attempt.outcome.word, 'signature refused');
    known = 'new secret';
    await app.makePost('The receiver changed first');
    await app.pass();
    assert.equal((await app.deliveries(id)).at(-1)?.state, 'delivered');
    assert.equal((await app.webhook(id)).pending_secret, null);
    app.takeEvents();
    await app.makePost('With the new one');
    await app.pass();
    assert.equal(app.takeEvents().length, 1);
  },
);

testWebhooks('a failing webhook is probed with one delivery at a time', async (app) => {
  const { id } = await app.makeWebhook();
  let inFlight = 0;
  let most = 0;
  app.reply(async () => {
    most = Math.max(most, ++inFlight);
    await new Promise(setImmediate);
    inFlight--;
    return 500;
  });
  for (let n = 0; n < 20; n++) await app.makePost(`Post ${n}`);
  await app.pass();
  for (let n = 0; n < 20; n++) await app.pass(MINUTE_MS);
  assert.equal((await app.webhook(id)).state, 'failing');
  assert.equal(most, 1);
  app.reply(() => 200);
  await app.pass(HOUR_MS);
  assert.equal((await app.deliveries(id)).filter(({ state }) => state === 'delivered').length, 20);
});

testWebhooks('at most eight attempts to a webhook are in flight, over all workers', async (app) => {
  await app.makeWebhook();
  app.startWorker();
  let inFlight = 0;
  let most = 0;
  app.reply(async () => {
    most = Math.max(most, ++inFlight);
    // Longer than a claim takes on a busy machine, so that the attempts of several claims overlap.
    await new Promise((resolve) => setTimeout(resolve, 100));
    inFlight--;
    return 200;
  });
  await Promise.all(Array.from({ length: 60 }, (_, n) => app.makePost(`Post ${n}`)));
  await app.pass();
  assert.equal(app.takeEvents().length, 60);
  assert.ok(most > 1 && most <= 8, `${most} in flight`);
});

testWebhooks('the log keeps every attempt for 30 days', async (app) => {
  const { id } = await app.makeWebhook();
  app.reply(({ attempt }) => (attempt === 1 ? 500 : 200));
  await app.makePost('Post');
  await app.pass();
  await app.pass(6 * SECOND_MS);
  const [delivery] = await app.deliveries(id);
  const attempts = await listAttempts(app.db.read, app.board.id, delivery?.id ?? '');
  assert.deepEqual(
    attempts.map(({ number, outcome, status }) => [number, outcome, status]),
    [
      [1, 'answered 500', 500],
      [2, 'delivered', 200],
    ],
  );
  const [first] = attempts;
  const request = JSON.parse(first?.request ?? '');
  assert.match(request.headers['X-Hub-Signature'], /^sha256=[0-9a-f]{64}$/);
  assert.ok(JSON.parse(first?.timings ?? '').total >= 0);
  await app.pass(29 * 24 * HOUR_MS);
  assert.equal((await app.deliveries(id)).length, 1);
  await app.pass(2 * 24 * HOUR_MS);
  assert.equal((await app.deliveries(id)).length, 0);
  assert.deepEqual(await listAttempts(app.db.read, app.board.id, delivery?.id ?? ''), []);
});
