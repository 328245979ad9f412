import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { makeTestApp } from '../../../test/support/app.ts';
import { readCertificate, startReceiver } from '../../../test/support/raw-receiver.ts';
import { makeTestSender } from '../../../test/support/sender.ts';
import { engines } from '../../../test/support/store.ts';
import { makeDialler } from '../../webhooks/http/dial.ts';

const SECRET_PATH = '/hooks/catch/123456/abcdefghijklmnopqrst';

/** A hook of a flow behind https, which answers every request alike, and what asks the app with a key for webhooks. */
async function start(t: TestContext, engine: (typeof engines)[number], status = 200) {
  const how = { status };
  const pem = readCertificate('good');
  const receiver = await startReceiver(t, {
    tls: { cert: pem, key: pem },
    answer: (socket) => socket.write(`HTTP/1.1 ${how.status} So\r\nContent-Length: 2\r\n\r\n{}`),
  });
  const sender = makeTestSender();
  const dial = makeDialler({ ...sender, ca: readCertificate('authority') });
  const app = await makeTestApp(t, engine, { sender: { ...sender, dial } });
  const key = await app.makeKey({ permissions: ['WEBHOOKS'] });
  const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
    const headers = { apikey: key, 'content-type': 'application/json' };
    const payload = body && JSON.stringify(body);
    const url = `/api/v1/webhooks${path}`;
    const response = await app.app.inject({
      method,
      url,
      headers: payload ? headers : { apikey: key },
      ...(payload && { payload }),
    });
    return { status: response.statusCode, body: response.payload === '' ? null : response.json() };
  };
  return { app, ask, how, receiver, url: `https://127.0.0.1:${receiver.port}${SECRET_PATH}` };
}

for (const engine of engines) {
  test(`a key subscribes a hook that can answer no challenge: it has to accept a signed first event [${engine}]`, async (t) => {
    const { ask, receiver, url } = await start(t, engine);
    const { body } = await ask('POST', '', { url, kind: 'REST_HOOK', events: ['post.created'] });
    assert.deepEqual([body.kind, body.state, body.verification.ok], ['REST_HOOK', 'active', true]);
    assert.match(body.url, /^https:\/\/127\.0\.0\.1:\d+\/\*\*\*qrst$/);
    assert.ok(!JSON.stringify(body).includes('abcdefghijklmnop'), 'the URL is a secret');
    const [first] = receiver.requests;
    assert.match(first?.head ?? '', /^POST \/hooks\/catch\/123456\/\w+ HTTP[\s\S]*x-earshot-event: test/i);
    const signature = createHmac('sha256', body.signingSecret)
      .update(first?.body ?? '')
      .digest('hex');
    assert.ok(first?.head.includes(`sha256=${signature}`));
    assert.equal(JSON.parse(String(first?.body)).event, 'test');
    assert.equal((await ask('DELETE', `/${body.id}`)).status, 204);
  });
}

test('a hook that does not accept the first event gets no other', async (t) => {
  const { app, ask, receiver, url, how } = await start(t, 'sqlite', 404);
  const { body } = await ask('POST', '', { url, kind: 'REST_HOOK' });
  assert.deepEqual([body.state, body.verification.ok, receiver.requests.length], ['disabled', false, 1]);
  await app.makePost('Dark mode');
  assert.deepEqual((await ask('GET', `/${body.id}/deliveries`)).body.deliveries, []);
  how.status = 200;
  assert.equal((await ask('POST', `/${body.id}/enable`)).body.state, 'active');
});

test('a hook is reached over https alone, and as often as receivers are verified', async (t) => {
  const { ask, url } = await start(t, 'sqlite');
  const plain = await ask('POST', '', { url: url.replace('https', 'http'), kind: 'REST_HOOK' });
  assert.deepEqual([plain.status, plain.body.errors[0].extensions.field], [400, 'url']);
  const { id } = (await ask('POST', '', { url, kind: 'REST_HOOK' })).body;
  assert.equal((await ask('PATCH', `/${id}`, { url: url.replace('https', 'http') })).status, 400);
  const outcomes = [];
  for (let n = 0; n < 10; n++) outcomes.push((await ask('POST', '', { url, kind: 'REST_HOOK' })).body.state);
  assert.deepEqual(outcomes, [...Array(9).fill('active'), 'disabled']);
});
