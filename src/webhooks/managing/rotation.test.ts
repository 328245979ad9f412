import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { TestContext } from 'node:test';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { startDelivering } from '../../../test/support/delivering.ts';
import { type Received, startReceiver } from '../../../test/support/receiver.ts';
import { decryptSecrets, requireWebhook } from '../webhook/webhooks.ts';
import { updateWebhook } from './changing.ts';
import { disableWebhook } from './enabling.ts';
import { testWebhook } from './testing.ts';

/** An enabled webhook with the secret `old`, and a receiver that knows one secret at a time. */
async function startRotation(t: TestContext, app: TestApp, signingSecret: string | null = 'old') {
  const knows = { secret: 'old' };
  const { origin, received } = await startReceiver(t, (request, response) => {
    const { method, url } = request;
    if (method === 'GET') return response.end(new URL(url, origin).searchParams.get('hub.challenge'));
    response.writeHead(signerOf(request) === knows.secret ? 200 : 403).end();
  });
  const { context, sender, addWebhook, settled } = startDelivering(t, app);
  const { id } = await addWebhook({ url: `${origin}/in`, signingSecret });
  const secrets = async () => {
    const { signingSecret, pendingSecret } = decryptSecrets(
      sender.cipher,
      await requireWebhook(context.db.read, context.board.id, id),
    );
    return [signingSecret, pendingSecret];
  };
  return {
    knows,
    secrets,
    disable: () => disableWebhook(context, id),
    change: (signingSecret: string | null, replacesSecretNow = false) =>
      updateWebhook(context, sender, id, { signingSecret, replacesSecretNow }),
    test: async () => (await testWebhook(context, sender, id)).attempt.outcome.word,
    /** Makes a post and gives the secrets that its event was signed with, one for each request. */
    async announce() {
      const before = received.length;
      await app.makePost('Post');
      await settled();
      return received.slice(before).map(signerOf);
    },
    bodies: () => received.filter(({ method }) => method === 'POST').map(({ body }) => body.toString()),
    show: () => requireWebhook(context.db.read, context.board.id, id),
  };
}

/** The secret that made the signature of a request, as far as the tests know it. */
function signerOf({ headers, body }: Received): string | undefined {
  const sign = (secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return ['old', 'new', 'newer'].find((secret) => sign(secret) === headers['x-hub-signature']);
}

testBoth(
  'no event fails while the receiver changes its secret, and the one it accepts becomes the active one',
  async (app, t) => {
    const { knows, change, secrets, announce, bodies, show } = await startRotation(t, app);
    await change('new');
    assert.deepEqual(await secrets(), ['old', 'new']);
    assert.deepEqual(await announce(), ['old'], 'the receiver has not changed yet');
    knows.secret = 'new';
    assert.deepEqual(await announce(), ['old', 'new'], 'refused, and sent again at once');
    assert.equal(new Set(bodies().slice(-2)).size, 1, 'with the same bytes');
    assert.deepEqual(await secrets(), ['new', null]);
    assert.deepEqual(await announce(), ['new']);
    const rows = await app.db.read.selectFrom('deliveries').select(['state', 'attempts']).execute();
    assert.ok(rows.every(({ state, attempts }) => state === 'delivered' && attempts === 1));
    assert.equal((await show()).failures_in_row, 0);
  },
);

testBoth('a test is signed with the pending secret alone, and its acceptance is the proof', async (app, t) => {
  const { knows, change, secrets, test, announce, show } = await startRotation(t, app);
  await change('new');
  assert.equal(await test(), 'signature refused');
  assert.deepEqual(await secrets(), ['old', 'new']);
  assert.equal((await show()).failures_in_row, 0, 'a test does not count');
  knows.secret = 'new';
  assert.equal(await test(), 'delivered');
  assert.deepEqual(await secrets(), ['new', null]);
  assert.deepEqual(await announce(), ['new']);
});

testBoth('a secret that is revoked now is not used once more', async (app, t) => {
  const { knows, change, secrets, announce } = await startRotation(t, app);
  await change('new');
  await change('newer', true);
  assert.deepEqual(await secrets(), ['newer', null]);
  assert.deepEqual(await announce(), ['newer']);
  knows.secret = 'newer';
  assert.deepEqual(await announce(), ['newer']);
});

testBoth('a later new secret takes the place of the one that waits', async (app, t) => {
  const { knows, change, secrets, announce } = await startRotation(t, app);
  await change('new');
  await change('newer');
  assert.deepEqual(await secrets(), ['old', 'newer']);
  knows.secret = 'newer';
  assert.deepEqual(await announce(), ['old', 'newer']);
  assert.deepEqual(await secrets(), ['newer', null]);
});

testBoth('a receiver that accepts neither secret fails once, and both answers are in the log', async (app, t) => {
  const { knows, change, secrets, announce, show } = await startRotation(t, app);
  await change('new');
  knows.secret = 'newer';
  assert.deepEqual(await announce(), ['old', 'new']);
  assert.deepEqual(await secrets(), ['old', 'new']);
  const { failures_in_row, last_failure } = await show();
  assert.equal(failures_in_row, 1);
  assert.match(last_failure ?? '', /^It refused the active signing secret, and then the pending one\./);
  const log = await app.db.read
    .selectFrom('attempts')
    .select(['number', 'outcome'])
    .where('kind', '=', 'event')
    .execute();
  assert.deepEqual(log, Array(2).fill({ number: 1, outcome: 'signature refused' }));
});

testBoth('the first secret, one taken away, and one changed while disabled need no proof', async (app, t) => {
  const { change, secrets, announce, disable } = await startRotation(t, app, null);
  assert.deepEqual(await announce(), [undefined]);
  await change('old');
  assert.deepEqual(await secrets(), ['old', null]);
  await change('new');
  await change(null);
  assert.deepEqual(await secrets(), [null, null]);
  await change('old');
  await disable();
  await change('newer');
  assert.deepEqual(await secrets(), ['newer', null]);
});
