import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confirmWebhook, signSsoToken, ssoUrl, verifyWebhook, WebhookError } from '../../sdk/src/index.ts';
import { checkToken } from '../../src/identity/sso/token.ts';
import { signatureHeaders } from '../../src/webhooks/signing/signature.ts';
import { testWebhooks } from '../support/webhooks.ts';

const SECRET = 'schlüssel 🔑 0001';
const BODY = Buffer.from('{"event":"test","data":{"message":"Gr\\u00f6\\u00dfe"}}');
const TOLERANCE = 300;

/** Headers of a delivery that was signed so many seconds ago. */
function headersOf(age = 0, secret = SECRET) {
  const stamp = { id: 'event-1', timestampSeconds: Math.floor(Date.now() / 1_000) - age };
  return signatureHeaders(BODY, secret, stamp);
}

const isWebhookError = (pattern: RegExp) => (error: Error) =>
  error instanceof WebhookError && pattern.test(error.message);

test('an event is verified by its bytes, in every form in which a receiver has them', async () => {
  const headers = headersOf();
  const text = BODY.toString();
  for (const body of [BODY, text, new Uint8Array(BODY).buffer]) {
    for (const given of [headers, new Headers(headers)]) {
      const event = await verifyWebhook({ headers: given, body, secret: SECRET });
      assert.deepEqual(event, { event: 'test', data: { message: 'Größe' }, id: 'event-1' });
    }
  }
  for (const secret of [
    [SECRET, 'old'],
    ['new', SECRET],
  ])
    await verifyWebhook({ headers, body: BODY, secret });
  const several = { ...headers, 'webhook-signature': `v1,!!! v2,x v1,AAAA ${headers['webhook-signature']}` };
  await verifyWebhook({ headers: several, body: BODY, secret: SECRET });
});

test('a secret of Standard Webhooks verifies what its bytes signed, and what its text signed', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const headers = headersOf(0, secret);
  const [ofBytes = '', ofText = '', ...more] = headers['webhook-signature']?.split(' ') ?? [];
  assert.deepEqual([more, ofBytes === ofText], [[], false]);
  for (const signature of [ofBytes, ofText, `${ofBytes} ${ofText}`]) {
    const given = { ...headers, 'webhook-signature': signature };
    assert.equal((await verifyWebhook({ headers: given, body: BODY, secret })).id, 'event-1');
    const other = verifyWebhook({ headers: given, body: BODY, secret: `${secret.slice(0, -4)}AAAA` });
    await assert.rejects(other, isWebhookError(/signature is wrong/));
  }
});

test('what is forged, changed, unsigned or old is refused', async () => {
  const headers = headersOf();
  const refused: [object, RegExp][] = [
    [{ secret: 'other' }, /signature is wrong/],
    [{ secret: ['other', 'another'] }, /signature is wrong/],
    [{ body: `${BODY} ` }, /signature is wrong/],
    [{ headers: { ...headers, 'webhook-id': 'event-2' } }, /signature is wrong/],
    [{ headers: { ...headers, 'webhook-timestamp': '1' } }, /signed \d{10} seconds ago/],
    [{ headers: { ...headers, 'webhook-timestamp': 'x' } }, /signed NaN seconds ago/],
    [{ headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) } }, /is wrong/],
    [{ headers: { ...headers, 'webhook-signature': 'v1,' } }, /signature is wrong/],
    [{ headers: { ...headers, 'webhook-signature': '' } }, /not signed/],
    [{ headers: {} }, /not signed/],
    [{ headers: headersOf(TOLERANCE + 2) }, /signed 30\d seconds ago/],
    [{ headers: headersOf(-TOLERANCE - 2) }, /signed 30\d seconds ago/],
    [{ headers: headersOf(20), toleranceSeconds: 10 }, /signed 2\d seconds ago/],
  ];
  for (const [change, pattern] of refused) {
    const request = { headers, body: BODY, secret: SECRET, ...change };
    await assert.rejects(verifyWebhook(request), isWebhookError(pattern), String(pattern));
  }
  for (const age of [TOLERANCE - 2, 2 - TOLERANCE]) {
    await verifyWebhook({ headers: headersOf(age), body: BODY, secret: SECRET });
  }
  // Mistakes of the receiver, whatever the request is.
  for (const secret of ['', ['new', ''], [], undefined as never]) {
    const withoutSecret = verifyWebhook({ headers: {}, body: BODY, secret });
    await assert.rejects(withoutSecret, { name: 'TypeError', message: /^secret is (an )?empty/ });
  }
});

test('ten signatures are checked at most, after the age, each secret with one HMAC', async () => {
  const headers = headersOf();
  const forged = `v1,${Buffer.alloc(32).toString('base64')} `;
  const request = (count: number, more = '', change = {}) => ({
    headers: { ...headers, 'webhook-signature': forged.repeat(count) + more, ...change },
    body: BODY,
    secret: ['new', SECRET],
  });
  const genuine = headers['webhook-signature'];
  for (const count of [8, 9]) await verifyWebhook(request(count, genuine));
  await verifyWebhook(request(9, `${'v1,AAAA '.repeat(500)}${genuine}`));
  await assert.rejects(verifyWebhook(request(10)), isWebhookError(/signature is wrong/));
  await assert.rejects(verifyWebhook(request(10, genuine)), isWebhookError(/more than 10 signatures/));
  const old = { 'webhook-timestamp': '1' };
  await assert.rejects(verifyWebhook(request(500, '', old)), isWebhookError(/seconds ago/));
  const signing = test.mock.method(crypto.subtle, 'sign');
  const large = verifyWebhook({ ...request(10), body: Buffer.alloc(1_000_000) });
  await assert.rejects(large, isWebhookError(/signature is wrong/));
  const ofBody = signing.mock.calls.filter(({ arguments: [, , data] }) => data.byteLength >= 1_000_000);
  signing.mock.restore();
  assert.equal(ofBody.length, 2);
});

test('a receiver is confirmed only with the token', async () => {
  const url = '/hook?own=1&hub.mode=subscribe&hub.challenge=Zk3&hub.verify_token=t%C3%B6k%20n';
  assert.equal(await confirmWebhook(url, 'tök n'), 'Zk3');
  assert.equal(await confirmWebhook(new URL('https://a.example/?hub.mode=subscribe&hub.challenge=x')), 'x');
  for (const [wrong, token] of [
    [url, 'token'],
    [url, undefined],
    [url.replace('subscribe', 'unsubscribe'), 'tök n'],
    [url.replace('hub.challenge', 'challenge'), 'tök n'],
  ] as const) {
    await assert.rejects(confirmWebhook(wrong, token), WebhookError);
  }
  const withoutToken = confirmWebhook('/hook?hub.mode=subscribe&hub.challenge=Zk3', '');
  await assert.rejects(withoutToken, { name: 'TypeError', message: 'verifyToken is empty or missing' });
});

testWebhooks('deliveries are verified by the client, also while the secret is changed', async (app) => {
  const verified: string[] = [];
  app.reply(async ({ request }) => {
    const { headers, body } = request;
    // The app lives in its own time.
    const toleranceSeconds = Number.POSITIVE_INFINITY;
    const event = await verifyWebhook({ headers, body, secret: ['new', 's3cret'], toleranceSeconds });
    if (event.event === 'post.created') verified.push(event.data.post.title);
    return 200;
  });
  await app.makeWebhook();
  await app.makeWebhook({ signingSecret: 'new' });
  await app.makePost('Größer 🌒');
  await app.pass();
  assert.deepEqual(verified, ['Größer 🌒', 'Größer 🌒']);
});

test('a token signs a user in, and its URL is complete', async () => {
  const user = { id: 42, name: 'Ada Lovelace 🌒', email: 'ada@example.com' };
  const token = await signSsoToken(user, SECRET);
  const rules = { keys: { secrets: [SECRET] }, isExpiryOptional: false, isRoleAllowed: false, attributeClaims: [] };
  const { person, refusal } = await checkToken(token, rules, Date.now());
  assert.deepEqual([refusal, person?.id, person?.profile], [undefined, '42', { name: user.name, email: user.email }]);
  const late = await checkToken(token, rules, Date.now() + 180_000);
  assert.match(late.refusal?.text ?? '', /expired/);
  const url = ssoUrl(`https://a.example/b/acme/`, token, { returnUrl: '/b/acme/posts/1?x=1', state: 'a&b' });
  const query = '?returnUrl=%2Fb%2Facme%2Fposts%2F1%3Fx%3D1&state=a%26b';
  assert.equal(url, `https://a.example/b/acme/sso/${token}${query}`);
  assert.equal(ssoUrl('https://a.example', token), `https://a.example/sso/${token}`);
  for (const secret of ['', undefined as never]) {
    await assert.rejects(signSsoToken(user, secret), { name: 'TypeError', message: 'secret is empty or missing' });
  }
  assert.throws(() => ssoUrl('https://a.example', ''), { name: 'TypeError', message: 'token is empty or missing' });
  assert.throws(() => ssoUrl('/b/acme', token), { name: 'TypeError', message: /^board must be a URL such as https:/ });
});
