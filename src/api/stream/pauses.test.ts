import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventSource } from 'eventsource';
import { makeTestApp, type TestApp } from '../../../test/support/app.ts';
import { onEnd } from '../../../test/support/cleanup.ts';
import { engines } from '../../../test/support/store.ts';
import { until } from '../../../test/support/until.ts';

const SUBSCRIPTION = encodeURIComponent('subscription { events { id } }');
const PATHS = ['/api/v1/events', `/api/v1/graphql?query=${SUBSCRIPTION}`];

function open({ app }: TestApp, path: string, key: string, accept: string) {
  return app.inject({ url: path, headers: { apikey: key, ssotype: 'SSO', ssoid: 'ada', accept } });
}

for (const engine of engines) {
  test(`a temporary refusal is a pause for an EventSource, and a status for other clients [${engine}]`, async (t) => {
    const app = await makeTestApp(t, engine);
    const key = await app.makeKey({ rateRules: [{ seconds: 60, limit: 1 }] });
    await app.api.as({ key }).board({ id: true });
    const both = 'text/event-stream, application/json';
    for (const path of PATHS) {
      for (const accept of ['text/event-stream', 'Text/Event-Stream; charset=utf-8']) {
        const { statusCode, headers, body } = await open(app, path, key, accept);
        const seconds = Number(headers['retry-after']);
        assert.deepEqual([statusCode, headers['content-type']], [200, 'text/event-stream'], path);
        assert.ok(seconds > 0 && seconds <= 60);
        assert.equal(body, `retry: ${seconds * 1_000}\n\n`);
      }
      for (const accept of ['*/*', both]) {
        const { statusCode, headers } = await open(app, path, key, accept);
        assert.deepEqual([statusCode, Number(headers['retry-after']) > 0], [429, true], `${path} ${accept}`);
      }
      assert.equal((await open(app, path, 'sk_unknown', 'text/event-stream')).statusCode, 401);
    }
  });

  test(`while the process stops, streams end and new ones send what is there; followers reconnect [${engine}]`, async (t) => {
    const stopping = new AbortController();
    const app = await makeTestApp(t, engine, { stopping: stopping.signal });
    await app.makePost('Before');
    const origin = await app.app.listen({ port: 0, host: '127.0.0.1' });
    let connections = 0;
    const headers = { apikey: app.key, ssotype: 'SSO', ssoid: 'ada' };
    const source = new EventSource(`${origin}/api/v1/events`, {
      fetch: (input, init) => {
        connections++;
        return fetch(input, { ...init, headers: { ...headers, ...init.headers } });
      },
    });
    onEnd(t, () => source.close());
    const ids: string[] = [];
    source.addEventListener('message', ({ data }) => ids.push(JSON.parse(data).id));
    await until('the first event', () => ids.length === 1);
    stopping.abort();
    await app.makePost('Later');
    await until('it has connected again', () => connections === 2 && ids.length === 2);
    for (const path of PATHS) {
      const { statusCode, body } = await open(app, path, app.key, 'text/event-stream');
      assert.equal(statusCode, 200, path);
      assert.equal([...body.matchAll(/^data: /gm)].length, 2, path);
      assert.doesNotMatch(body, /complete/);
    }
    assert.equal(source.readyState !== EventSource.CLOSED, true);
    const { body } = await app.app.inject('/metrics');
    assert.match(body, /^earshot_streams 0$/m);
  });
}
