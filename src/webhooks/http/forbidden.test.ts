import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { makeLocalSender, startDelivering } from '../../../test/support/delivering.ts';
import { type DnsReply, startDns } from '../../../test/support/dns.ts';
import { startReceiver } from '../../../test/support/receiver.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import type { Sender } from '../http/sender.ts';
import { createWebhook, updateWebhook } from '../managing/changing.ts';
import { enableWebhook } from '../managing/enabling.ts';
import { testWebhook } from '../managing/testing.ts';
import { makeAddressRules } from './address.ts';
import { makeDialler } from './dial.ts';
import { makeResolver } from './resolve.ts';

const PUBLIC = '93.184.215.14';

/** A sender to which a name server says what the test wants, with ranges opened or not. */
async function makeNamedSender(t: TestContext, app: TestApp, opened: string[], says: () => DnsReply): Promise<Sender> {
  const { server } = await startDns(t, (_, type) => (type === 'A' ? says() : []));
  const rules = makeAddressRules(opened);
  const resolve = makeResolver({ rules, servers: [server], clock: app.clock });
  return { ...makeLocalSender(app), rules, resolve, dial: makeDialler({ rules, resolve }) };
}

const config = { verifyToken: null, signingSecret: null, events: null };

testBoth(
  'a name that stands for a forbidden address is refused when it is saved, alone or beside others',
  async (app, t) => {
    const { context } = startDelivering(t, app);
    const answers = [['127.0.0.1'], ['169.254.169.254'], ['168.63.129.16'], ['100.64.0.1'], [PUBLIC, '10.0.0.1']];
    for (const addresses of answers) {
      const sender = await makeNamedSender(t, app, [], () => addresses.map((value) => ({ type: 'A', value })));
      for (const url of ['http://127.0.0.1.nip.example/', 'https://localtest.example:8443/x?y']) {
        await assert.rejects(createWebhook(context, sender, { url, ...config }), /address not allowed/);
      }
    }
  },
);

testBoth('a name that turns to a forbidden address later is refused at the verification', async (app, t) => {
  const { received } = await startReceiver(t, (_, response) => response.end());
  const { context } = startDelivering(t, app);
  let address = PUBLIC;
  const sender = await makeNamedSender(t, app, [], () => [{ type: 'A', value: address, ttl: 0 }]);
  const { id } = await createWebhook(context, sender, { url: 'http://rebind.example/', ...config });
  address = '127.0.0.1';
  const { webhook, verification } = await enableWebhook(context, sender, id, 'deliver');
  assert.deepEqual([webhook.state, verification?.word], ['disabled', 'address not allowed']);
  await assert.rejects(updateWebhook(context, sender, id, { url: 'http://rebind.example/2' }), /address not allowed/);
  assert.equal(received.length, 0);
});

testBoth('after its verification too: an event and a test are refused before a byte is sent', async (app, t) => {
  const { origin, received } = await startReceiver(t, ({ url }, response) =>
    response.end(new URL(url, 'http://receiver').searchParams.get('hub.challenge')),
  );
  const addresses = { now: '127.0.0.1' };
  const sender = await makeNamedSender(t, app, ['127.0.0.1/32'], () => [{ type: 'A', value: addresses.now, ttl: 60 }]);
  const { context, settled } = startDelivering(t, app, sender);
  const { id } = await createWebhook(context, sender, {
    url: origin.replace('127.0.0.1', 'rebind.example'),
    ...config,
  });
  assert.equal((await enableWebhook(context, sender, id, 'deliver')).webhook.state, 'active');
  addresses.now = '127.0.0.2';
  app.clock.advance(MINUTE_MS);
  await app.makePost('Post');
  await settled();
  assert.equal((await testWebhook(context, sender, id)).attempt.outcome.word, 'address not allowed');
  const log = await app.db.read.selectFrom('attempts').selectAll().where('kind', '!=', 'verification').execute();
  assert.deepEqual(
    log.map(({ outcome, answer, status }) => [outcome, answer, status]),
    [
      ['address not allowed', null, null],
      ['address not allowed', null, null],
    ],
  );
  assert.ok(
    log.every((line) => !`${line.diagnosis}${line.timings}`.includes('127.0.0')),
    'the address stays unnamed',
  );
  assert.deepEqual(
    received.map(({ method }) => method),
    ['GET'],
  );
});
