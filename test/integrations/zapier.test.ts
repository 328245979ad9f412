import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { makeDialler } from '../../src/webhooks/http/dial.ts';
import { makeTestApp } from '../support/app.ts';
import { originOf } from '../support/live.ts';
import { readCertificate, startReceiver } from '../support/raw-receiver.ts';
import { makeTestSender } from '../support/sender.ts';

type Request = { method: string; url: string; headers: Record<string, string>; body?: unknown };
type Step = (z: object, bundle: object) => Promise<unknown>;

/** The trigger that docs/flows.md shows, as Zapier loads it. */
function loadTrigger(): {
  operation: Record<'performSubscribe' | 'performUnsubscribe' | 'perform' | 'performList', Step>;
} {
  const [, code = ''] = /^```js\n(.*?)^```/ms.exec(readFileSync('docs/flows.md', 'utf8')) ?? [];
  const module = { exports: {} };
  new Function('module', code)(module);
  return module.exports as ReturnType<typeof loadTrigger>;
}

/** What Zapier passes: requests with JSON, and what is known of the account and the Zap. */
const z = {
  errors: { Error },
  async request({ url, method, headers, body }: Request) {
    const sent = { method, headers: { 'content-type': 'application/json', ...headers } };
    const response = await fetch(
      url,
      body === undefined ? { method, headers } : { ...sent, body: JSON.stringify(body) },
    );
    const text = await response.text();
    return { status: response.status, data: text === '' ? undefined : JSON.parse(text) };
  },
};

async function start(t: TestContext) {
  const pem = readCertificate('good');
  const how = { status: 200 };
  const hook = await startReceiver(t, {
    tls: { cert: pem, key: pem },
    answer: (socket) => socket.write(`HTTP/1.1 ${how.status} So\r\nContent-Length: 0\r\n\r\n`),
  });
  const sender = makeTestSender();
  const dial = makeDialler({ ...sender, ca: readCertificate('authority') });
  const app = await makeTestApp(t, 'sqlite', { sender: { ...sender, dial } });
  const authData = {
    server: await originOf(app),
    apiKey: await app.makeKey({ defaultUserId: await app.makeUser('ada') }),
    hookKey: await app.makeKey({ permissions: ['WEBHOOKS'] }),
  };
  return { app, how, hook, bundle: { authData, targetUrl: `https://127.0.0.1:${hook.port}/hooks/standard/1/abcdef` } };
}

test('the trigger for Zapier subscribes, reads events, and ends its subscription', async (t) => {
  const { app, hook, bundle } = await start(t);
  const { performSubscribe, performUnsubscribe, perform } = loadTrigger().operation;
  const subscribeData = await performSubscribe(z, bundle);
  const sent = () => JSON.parse(String(hook.requests.at(-1)?.body));
  assert.deepEqual(await perform(z, { ...bundle, cleanedRequest: sent() }), [], 'a test starts no Zap');
  await app.makePost('Dark mode');
  const stored = await app.db.read.selectFrom('events').select('body').executeTakeFirstOrThrow();
  const [item] = (await perform(z, { ...bundle, cleanedRequest: JSON.parse(stored.body) })) as {
    post: { title: string };
  }[];
  assert.equal(item?.post.title, 'Dark mode');
  await performUnsubscribe(z, { ...bundle, subscribeData });
  assert.equal((await app.db.read.selectFrom('webhooks').select('id').execute()).length, 0);
});

test('the trigger for Zapier says why a hook was not subscribed', async (t) => {
  const { how, bundle } = await start(t);
  how.status = 404;
  await assert.rejects(loadTrigger().operation.performSubscribe(z, bundle), /could not reach the Zap: .*404/);
});

test('samples for Zapier have the form of events', async (t) => {
  const { app, bundle } = await start(t);
  await app.makePost('Dark mode');
  const { performList, perform } = loadTrigger().operation;
  const { body } = await app.db.read.selectFrom('events').select('body').executeTakeFirstOrThrow();
  const shape = (item: unknown): unknown => (item && typeof item === 'object' ? Object.keys(item).sort() : typeof item);
  const [sample] = (await performList(z, bundle)) as { post: object }[];
  const [event] = (await perform(z, { ...bundle, cleanedRequest: JSON.parse(body) })) as { post: object }[];
  assert.deepEqual([shape(sample), shape(sample?.post)], [shape(event), shape(event?.post)]);
});
