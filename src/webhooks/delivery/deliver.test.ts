import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { type Received, startReceiver } from '../../../test/support/receiver.ts';
import { makeTestSender } from '../../../test/support/sender.ts';
import { type Delivery, deliver } from './deliver.ts';

const NOW = 1_790_000_000_999;
const body = Buffer.from(String.raw`{"event":"post.created","data":"\ud83c\udf12"}`);

function deliveryTo(origin: string, changes: Partial<Delivery> = {}): Delivery {
  return {
    url: `${origin}/in?key=1`,
    secret: 'old secret',
    pendingSecret: null,
    signWith: 'active',
    eventId: '019a-id',
    event: 'post.created',
    attempt: 3,
    body,
    version: '1.2.3',
    now: NOW,
    ...changes,
  };
}

/** A receiver that checks the signature as any third party does: over the bytes that came. */
function startChecking(t: TestContext, secret: string) {
  return startReceiver(t, (request, response) => {
    response.statusCode = isSigned(request, secret) ? 200 : 403;
    response.end();
  });
}

function isSigned(request: Received, secret: string): boolean {
  const hex = createHmac('sha256', secret).update(request.body).digest('hex');
  return request.headers['x-hub-signature'] === `sha256=${hex}`;
}

test('a receiver gets the bytes of the event under the documented headers', async (t) => {
  const { origin, received } = await startChecking(t, 'old secret');
  const attempt = await deliver(makeTestSender().dial, deliveryTo(origin));
  assert.deepEqual([attempt.outcome.kind, attempt.outcome.word], ['delivered', 'delivered']);
  assert.deepEqual([attempt.acceptedSecret, attempt.sends.length, attempt.retryAfterMs], ['active', 1, null]);
  const [request] = received;
  assert.ok(request);
  assert.ok(request.body.equals(body));
  assert.deepEqual([request.method, request.url], ['POST', '/in?key=1']);
  for (const [name, value] of Object.entries({
    'content-type': 'application/json',
    'user-agent': 'Earshot/1.2.3',
    'accept-encoding': 'identity',
    'x-earshot-event': 'post.created',
    'x-earshot-attempt': '3',
    'webhook-id': '019a-id',
    'webhook-timestamp': '1790000000',
    'x-hub-signature-256': request.headers['x-hub-signature'],
  })) {
    assert.equal(request.headers[name], value, name);
  }
  for (const [name, value] of Object.entries(attempt.sends[0]?.headers ?? {})) {
    assert.equal(request.headers[name.toLowerCase()], value, 'the log shows the headers as they were sent');
  }
});

test('without a secret nothing is signed and nothing is called refused', async (t) => {
  const { origin, received } = await startChecking(t, 'a secret');
  const attempt = await deliver(makeTestSender().dial, deliveryTo(origin, { secret: null }));
  assert.deepEqual([attempt.outcome.word, attempt.acceptedSecret], ['answered 403', null]);
  assert.deepEqual(
    Object.keys(received[0]?.headers ?? {}).filter((name) => name.includes('signature')),
    [],
  );
  assert.equal(received[0]?.headers['webhook-id'], '019a-id');
});

test('while a secret is being replaced an event arrives under the old one or the new one', async (t) => {
  const renewed = { pendingSecret: 'new secret' };
  const before = await startChecking(t, 'old secret');
  const early = await deliver(makeTestSender().dial, deliveryTo(before.origin, renewed));
  assert.deepEqual([early.outcome.kind, early.acceptedSecret, before.received.length], ['delivered', 'active', 1]);

  const after = await startChecking(t, 'new secret');
  const late = await deliver(makeTestSender().dial, deliveryTo(after.origin, renewed));
  assert.deepEqual([late.outcome.kind, late.acceptedSecret, after.received.length], ['delivered', 'pending', 2]);
  assert.deepEqual(
    late.sends.map((send) => [send.signedWith, send.exchange.answer?.status]),
    [
      ['active', 403],
      ['pending', 200],
    ],
  );
  assert.match(late.outcome.sentence.text, /accepted the pending one/);
  assert.deepEqual(
    after.received.map((request) => [request.headers['webhook-id'], request.headers['x-earshot-attempt']]),
    Array(2).fill(['019a-id', '3']),
  );

  const first = await deliver(makeTestSender().dial, deliveryTo(after.origin, { secret: null, ...renewed }));
  assert.equal(first.acceptedSecret, 'pending', 'the first secret of a webhook is taken up in the same way');
});

test('an event whose secrets are both refused fails once, with both answers in the log', async (t) => {
  const { origin } = await startChecking(t, 'another secret');
  const attempt = await deliver(makeTestSender().dial, deliveryTo(origin, { pendingSecret: 'new secret' }));
  assert.deepEqual([attempt.outcome.kind, attempt.outcome.word], ['failed', 'signature refused']);
  assert.match(attempt.outcome.sentence.text, /active signing secret, and then the pending one/);
  assert.deepEqual([attempt.acceptedSecret, attempt.sends.length], [null, 2]);
});

test('a pending secret is proven by a test that is signed with it alone', async (t) => {
  const { origin, received } = await startChecking(t, 'new secret');
  const test = { pendingSecret: 'new secret', signWith: 'pending' } as const;
  const proof = await deliver(makeTestSender().dial, deliveryTo(origin, test));
  assert.deepEqual([proof.outcome.kind, proof.acceptedSecret, received.length], ['delivered', 'pending', 1]);
  const old = await startChecking(t, 'old secret');
  const refused = await deliver(makeTestSender().dial, deliveryTo(old.origin, test));
  assert.deepEqual([refused.outcome.word, refused.acceptedSecret, old.received.length], ['signature refused', null, 1]);
});

test('a failure other than a refusal is not sent again with the pending secret', async (t) => {
  const { origin, received } = await startReceiver(t, (_, response) => {
    response.writeHead(503, { 'Retry-After': '30' }).end('We are back soon; old secret, new secret');
  });
  const attempt = await deliver(makeTestSender().dial, deliveryTo(origin, { pendingSecret: 'new secret' }));
  assert.deepEqual([attempt.outcome.word, attempt.retryAfterMs, received.length], ['answered 503', 30_000, 1]);
  assert.match(attempt.outcome.sentence.text, /It wrote: “We are back soon;/);
  assert.doesNotMatch(JSON.stringify(attempt) + shownBody(attempt.sends), /(old|new) secret/);

  function shownBody(sends: typeof attempt.sends): string {
    return Buffer.from(sends[0]?.exchange.answer?.body ?? []).toString();
  }
});

test('a receiver that is gone, silent or not there fails the attempt in its own words', async (t) => {
  const gone = await startReceiver(t, (_, response) => response.writeHead(410).end());
  assert.equal((await deliver(makeTestSender().dial, deliveryTo(gone.origin))).outcome.kind, 'gone');
  const silent = await startReceiver(t, () => {});
  assert.equal((await deliver(makeTestSender(50).dial, deliveryTo(silent.origin))).outcome.word, 'timed out after 5 s');
  const absent = await deliver(makeTestSender().dial, deliveryTo('http://127.0.0.1:1'));
  assert.deepEqual([absent.outcome.word, absent.retryAfterMs], ['connection refused', null]);
});

test('an attempt that we stop ourselves is released, also between its two requests', async (t) => {
  for (const silentFrom of [1, 2]) {
    const stop = new AbortController();
    let count = 0;
    const { origin } = await startReceiver(t, (_, response) => {
      if (++count < silentFrom) response.writeHead(403).end();
      else stop.abort();
    });
    const delivery = deliveryTo(origin, { pendingSecret: 'new secret' });
    const attempt = await deliver(makeTestSender().dial, delivery, stop.signal);
    assert.deepEqual([attempt.outcome.kind, attempt.acceptedSecret], ['released', null]);
    assert.equal(attempt.sends.length, silentFrom);
  }
});
