import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { testBoth } from '../../../test/support/app.ts';
import { makeLocalSender, startDelivering } from '../../../test/support/delivering.ts';
import { startReceiver } from '../../../test/support/receiver.ts';
import { makeCipher } from '../../platform/lib/cipher.ts';
import { createWebhook, updateWebhook } from '../managing/changing.ts';
import { enableWebhook } from '../managing/enabling.ts';
import { testWebhook } from '../managing/testing.ts';
import { listWebhooks } from './webhooks.ts';

const SENTENCE = /^The secrets of this webhook cannot be decrypted: ask the operator to restore the SECRET_KEY/;

testBoth(
  'a webhook whose secrets another key has encrypted fails with an explanation, and is not stuck',
  async (app, t) => {
    const { origin, received } = await startReceiver(t, ({ method, url }, response) => {
      response.end(method === 'GET' ? new URL(url, origin).searchParams.get('hub.challenge') : '');
    });
    const former = makeLocalSender(app);
    const sender = { ...former, cipher: makeCipher('another key of the tests') };
    const { context, settled } = startDelivering(t, app, sender);
    const secrets = { verifyToken: null, signingSecret: 'hunter2 hunter2' };
    const { id } = await createWebhook(context, former, { url: origin, ...secrets, events: null });
    await enableWebhook(context, former, id, 'deliver');
    await app.makePost('A post');
    await settled();
    assert.deepEqual(
      received.map(({ method }) => method),
      ['GET'],
    );
    const [delivery] = await app.db.read.selectFrom('deliveries').selectAll().execute();
    assert.deepEqual(
      [delivery?.state, delivery?.outcome, delivery?.attempts],
      ['waiting', 'secrets cannot be decrypted', 1],
    );
    const attempts = await app.db.read.selectFrom('attempts').selectAll().where('kind', '=', 'event').execute();
    assert.equal(attempts.length, 1);
    assert.match(attempts[0]?.diagnosis ?? '', SENTENCE);
    const [webhook] = await listWebhooks(app.db.read, app.board.id);
    assert.match(webhook?.last_failure ?? '', SENTENCE);
    // The owner who tries something hears the same.
    await assert.rejects(testWebhook(context, sender, id), { message: SENTENCE, code: 'CONFLICT' });
    await assert.rejects(enableWebhook(context, sender, id, 'deliver'), { message: SENTENCE, code: 'CONFLICT' });
    // A new secret takes the place of one that cannot be decrypted, without waiting for a receiver.
    await updateWebhook(context, sender, id, { signingSecret: 'correct horse' });
    const { attempt } = await testWebhook(context, sender, id);
    assert.equal(attempt.acceptedSecret, 'active');
    const { headers, body } = received.at(-1) ?? assert.fail();
    const hmac = createHmac('sha256', 'correct horse').update(body).digest('hex');
    assert.equal(headers['x-hub-signature'], `sha256=${hmac}`);
  },
);
