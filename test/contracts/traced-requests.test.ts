import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { type CollectedSpan, sendTraced, startCollector } from '../support/collector.ts';
import { testCommandLine } from '../support/command-line.ts';
import { environmentFor, startServer } from '../support/process.ts';
import { makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';

const CREATE = 'mutation($title: String!) { createPost(title: $title) { id } }';
const [SERVER, CLIENT] = [2, 3];

test('a caller decides whether its request is recorded, and in which trace, only if the sampler allows it', async (t) => {
  const place = await makeStorePlace(t, 'sqlite');
  const samplers: { env: Record<string, string>; recorded: string[]; isFollowed: boolean }[] = [
    { env: {}, recorded: ['00', '01'], isFollowed: false },
    { env: { OTEL_TRACES_SAMPLER_ARG: '0' }, recorded: [], isFollowed: false },
    { env: { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, recorded: ['01'], isFollowed: true },
  ];
  for (const { env, recorded, isFollowed } of samplers) {
    const collector = await startCollector(t);
    const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.endpoint}/v1/traces`, ...env };
    const server = await startServer(t, { ...environmentFor(place), ...tracing });
    const calls = ['00', '01'].map((flag) => {
      const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
      return { flag, traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flag}` };
    });
    for (const { traceparent } of calls) {
      const headers = { traceparent, tracestate: 'vendor=text' };
      assert.equal((await fetch(`${server.url}/api/v1/schema.graphql`, { headers })).status, 200);
    }
    await server.end('SIGTERM');
    const spans = collector.spans().filter(({ kind }) => kind === SERVER);
    const asExpected = calls
      .filter(({ flag }) => recorded.includes(flag))
      .map(({ traceId, spanId }) => [traceId, spanId]);
    if (isFollowed) {
      assert.deepEqual(
        spans.map(({ traceId, parentSpanId }) => [traceId, parentSpanId]),
        asExpected,
      );
    } else {
      assert.deepEqual(
        spans.map(({ links }) => links.map(({ traceId, spanId }) => [traceId, spanId])),
        asExpected.map((ids) => [ids]),
      );
      assert.ok(spans.every(({ parentSpanId }) => parentSpanId === undefined));
      assert.ok(!collector.received.some(({ body }) => body.includes('vendor=text')));
      const theirs = calls.map(({ traceId }) => traceId);
      assert.ok(spans.every(({ traceId }) => !theirs.includes(traceId)));
    }
  }
});

testCommandLine('what a stream does after it has begun belongs to no request', async (line, t) => {
  const collector = await startCollector(t);
  const server = await startServer(t, { ...line.env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  const { key } = await line.json('key', 'create', '--name', 'tests', '--rate', 'none');
  await sendTraced(server.url, key, 'mutation { createUser(ssotype: "SSO", userId: "ada", name: "Ada") { id } }');
  const subscription = new URLSearchParams({ query: 'subscription { events { post { title author { name } } } }' });
  for (const path of [`/api/v1/graphql?${subscription}`, '/api/v1/events']) {
    const { requestId, read, leave } = await openStream(`${server.url}${path}`, key);
    // Each event, and every look whether there are any, would be a statement.
    for (let n = 0; n < 3; n++) {
      await sendTraced(server.url, key, CREATE, { title: `Number ${n}` });
      await until('the event', () => read().includes(`Number ${n}`));
    }
    leave();
    const isIts = ({ attributes }: CollectedSpan) => attributes['earshot.request.id'] === requestId;
    const [stream] = await collector.find('the span of a stream', isIts);
    // Spans are sent in the order in which they end.
    const statements = collector.spans().filter(({ traceId, kind }) => traceId === stream?.traceId && kind === CLIENT);
    const texts = statements.map(({ attributes }) => String(attributes['db.query.text']));
    assert.equal(texts.filter((text) => text.includes('from "events"')).length, 1, texts.join('\n'));
    assert.deepEqual(
      texts.filter((text) => / from "boards" where "id" in /.test(text)),
      [],
    );
  }
  await server.end('SIGTERM');
});

/** Follows a stream from its end on. */
async function openStream(url: string, apikey: string) {
  const leaving = new AbortController();
  const response = await fetch(url, {
    headers: { apikey, ssotype: 'SSO', userid: 'ada', accept: 'text/event-stream', 'last-event-id': 'end' },
    signal: leaving.signal,
  });
  assert.equal(response.status, 200);
  let text = '';
  const reading = response.body?.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write(part) {
        text += part;
      },
    }),
  );
  reading?.catch(() => {});
  return { requestId: response.headers.get('x-request-id'), read: () => text, leave: () => leaving.abort() };
}
