import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type CollectedSpan, sendTraced, startCollector } from '../support/collector.ts';
import { testCommandLine } from '../support/command-line.ts';
import { environmentFor, startServer } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';

const CREATE = 'mutation($title: String!) { createPost(title: $title) { id } }';
const [INTERNAL, SERVER, CLIENT] = [1, 2, 3];

/** What must not leave the machine. */
const SECRETS = [
  'collector-token',
  'hook-token',
  'query-token',
  'ada@secret.example',
  'eve@secret.example',
  'Dark mode',
];

testCommandLine('requests, statements, deliveries and mails are traced, without secrets', async (line, t) => {
  const collector = await startCollector(t);
  const server = await startServer(t, {
    ...line.env,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-token',
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
  });
  const { key } = await line.json('key', 'create', '--name', 'tests', '--rate', 'none');
  const ask = (query: string, variables = {}, headers = {}) => sendTraced(server.url, key, query, variables, headers);
  const of = (traceId: string) => (span: CollectedSpan) => span.traceId === traceId;
  const serverSpanOf = async (traceId: string) =>
    (await collector.find('the span of a request', (span) => span.traceId === traceId && span.kind === SERVER))[0];
  const receiver = await startReceiver(t, ({ method, url }, response) => {
    response.end(method === 'GET' ? new URL(url, 'http://here').searchParams.get('hub.challenge') : '');
  });
  const user =
    'mutation { createUser(ssotype: "SSO", userId: "ada", name: "Ada", email: "ada@secret.example") { id } }';
  await ask(user);

  // Transactions at once share a commit, and run in turns that another one of them began.
  const asked = await Promise.all(Array.from({ length: 8 }, (_, n) => ask(CREATE, { title: `Dark mode ${n}` })));
  for (const { traceId, parentSpanId, requestId, errors } of asked) {
    assert.equal(errors, undefined);
    const root = await serverSpanOf(traceId);
    assert.deepEqual(
      [root?.name, root?.parentSpanId, root?.status],
      ['POST /api/v1/graphql', parentSpanId, { code: 0 }],
    );
    assert.deepEqual(root?.attributes, {
      'http.request.method': 'POST',
      'url.scheme': 'http',
      'http.route': '/api/v1/graphql',
      'http.response.status_code': 200,
      'earshot.request.id': requestId,
      'graphql.operation.type': 'mutation',
      'earshot.graphql.field': 'createPost',
    });
    const spans = collector.spans().filter(of(traceId));
    const [insert, ...more] = spans.filter(({ name }) => name === 'INSERT posts');
    const transaction = spans.find(({ spanId }) => spanId === insert?.parentSpanId);
    assert.deepEqual([more, insert?.kind, transaction?.name], [[], CLIENT, 'transaction']);
    assert.deepEqual([transaction?.parentSpanId, transaction?.kind], [root?.spanId, INTERNAL]);
    assert.equal(insert?.attributes['db.system.name'], line.place.databaseUrl ? 'postgresql' : 'sqlite');
    assert.match(String(insert?.attributes['db.query.text']), /^insert into "posts" .* values \([$?]/);
    for (const span of spans) {
      const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
      if (span.spanId !== root?.spanId)
        assert.ok(parent && isWithin(span, parent), `${span.name} is within its parent`);
    }
  }

  // A delivery has a trace of its own, which the receiver continues, and a link to the request that caused it.
  await line.run('webhook', 'create', '--url', `${receiver.origin}/hook-token?key=query-token`, '--enable');
  const { traceId: cause } = await ask(CREATE, { title: 'Dark mode' });
  await until('the event is delivered', () => receiver.received.some(({ method }) => method === 'POST'));
  const [, deliveryTrace, deliveryId] =
    /^00-(\w{32})-(\w{16})-01$/.exec(String(receiver.received.at(-1)?.headers.traceparent)) ?? [];
  const [delivery] = await collector.find('the span of the delivery', ({ spanId }) => spanId === deliveryId);
  assert.deepEqual(
    [delivery?.name, delivery?.kind, delivery?.traceId, delivery?.parentSpanId],
    ['POST webhook', CLIENT, deliveryTrace, undefined],
  );
  assert.equal(delivery?.attributes['http.response.status_code'], 200);
  assert.equal(delivery?.attributes['earshot.event.id'], receiver.received.at(-1)?.headers['webhook-id']);
  const [link] = delivery?.links ?? [];
  const [transaction] = await collector.find('its cause', ({ spanId }) => spanId === link?.spanId);
  assert.deepEqual([link?.traceId, transaction?.name], [cause, 'transaction']);

  const form = new URLSearchParams({ intent: 'link', email: 'eve@secret.example', next: '/b/feedback' });
  await fetch(`${server.url}/sign-in?to=query-token`, {
    method: 'POST',
    body: form,
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  const [mail] = await collector.find('the span of a mail', ({ name }) => name === 'send mail');
  assert.deepEqual([mail?.kind, mail?.parentSpanId, mail?.attributes['earshot.mail.attempt']], [CLIENT, undefined, 1]);
  const [page] = await collector.find('the page', ({ attributes }) => attributes['earshot.page'] === 'sign-in');
  assert.equal(page?.name, 'POST /*');

  // A header that is none begins a new trace; a long list of other tracers is left out.
  const read = (headers: object) => ask('{ board { id } }', {}, headers);
  const hostile = await Promise.all(HOSTILE.map((traceparent) => read({ traceparent })));
  const states = await Promise.all(STATES.map(([tracestate]) => read({ tracestate })));
  for (const [n, { requestId }] of hostile.entries()) {
    const header = HOSTILE[n] ?? '';
    const [span] = await collector.find('its span', ({ attributes }) => attributes['earshot.request.id'] === requestId);
    assert.deepEqual([span?.parentSpanId, span?.traceId.length], [undefined, 32], header);
    assert.ok(!header.includes(span?.traceId ?? ''), header);
  }
  for (const [n, { traceId }] of states.entries()) {
    assert.equal((await serverSpanOf(traceId))?.traceState || null, STATES[n]?.[1]);
  }
  // Its sender does not want it to be recorded.
  assert.equal((await read({ traceparent: UNWANTED })).errors, undefined);
  await fetch(`${server.url}/healthz`);

  // Neither requests nor the end wait for a collector that hangs.
  collector.hang();
  for (let n = 0; n < 20; n++) assert.equal((await ask(CREATE, { title: 'Dark mode' })).errors, undefined);
  const start = performance.now();
  const { status, stderr } = await server.end('SIGTERM');
  assert.deepEqual([status, performance.now() - start < 20_000], [0, true], stderr);
  const spans = collector.spans();
  assert.ok(spans.every(({ traceId }) => traceId !== 'a'.repeat(32)));
  assert.ok(spans.every(({ attributes }) => !String(attributes['http.route']).startsWith('/healthz')));
  // Jobs that found nothing to do have no trace.
  const jobs = spans.filter(({ kind, parentSpanId }) => kind === INTERNAL && parentSpanId === undefined);
  assert.ok(jobs.some(({ name }) => name === 'claim deliveries'));
  for (const { spanId } of jobs) assert.ok(spans.some((span) => span.parentSpanId === spanId));
  const all = collector.received.map(({ body }) => body.toString()).join('\n');
  for (const secret of [key, new URL(receiver.origin).host, ...SECRETS]) {
    assert.ok(!all.includes(secret), `${secret} is in a trace`);
  }
  assert.ok(collector.received.every(({ url, headers }) => url === '/otlp/v1/traces' && headers.authorization));
});

/** What no tracer sends as `traceparent`. */
const HOSTILE = [
  `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
  `00-${'a'.repeat(32)}-${'0'.repeat(16)}-01`,
  `00-${'A'.repeat(32)}-${'b'.repeat(16)}-01`,
  `ff-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01-more`,
  `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01, 00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`,
  `00-${"'".repeat(32)}-${'b'.repeat(16)}-01`,
  'x'.repeat(8_000),
];

const UNWANTED = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`;

/** What is sent as `tracestate`, and what is left of it. */
const STATES = [
  ['a=1,b=2', 'a=1,b=2'],
  [`a=${'x'.repeat(256)},b=${'x'.repeat(251)}`, `a=${'x'.repeat(256)},b=${'x'.repeat(251)}`],
  [`a=${'x'.repeat(256)},b=${'x'.repeat(252)}`, null],
  [`a=${'x'.repeat(8_000)}`, null],
  ['=,;', null],
] as const;

/** Times of a span and of its parent, to the microsecond. */
function isWithin(span: CollectedSpan, parent: CollectedSpan): boolean {
  const [start, end] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)];
  return start >= BigInt(parent.startTimeUnixNano) - 1_000n && end <= BigInt(parent.endTimeUnixNano) + 1_000n;
}

test('without a collector nothing of tracing is loaded', async (t) => {
  const place = await makeStorePlace(t, 'sqlite');
  const [watch, list] = [join(place.dataDir, 'watch.mjs'), join(place.dataDir, 'list')];
  writeFileSync(
    watch,
    `import { registerHooks } from 'node:module';
    import { appendFileSync } from 'node:fs';
    registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(list)}, url + '\\n'); return next(url, context); } });`,
  );
  const loadedBy = async (more: Record<string, string>) => {
    writeFileSync(list, '');
    const env = { ...environmentFor(place), NODE_OPTIONS: `--import=${pathToFileURL(watch)}`, ...more };
    const server = await startServer(t, env);
    await server.end('SIGTERM');
    const loaded = readFileSync(list, 'utf8').split('\n');
    const files = loaded.filter((url) => url.startsWith('file:') && /\.[cm]?js$/.test(url));
    return files.filter((url) => readFileSync(fileURLToPath(url), 'utf8').includes('BatchSpanProcessor'));
  };
  assert.deepEqual(await loadedBy({}), []);
  assert.equal((await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })).length, 1);
});

test('a server logs at its start which variables have no effect, each once', async (t) => {
  const place = await makeStorePlace(t, 'sqlite');
  const env = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_PROPAGATORS: 'b3', BASEURL: 'http://hunter2' };
  const server = await startServer(t, { ...environmentFor(place), ...env });
  const { stderr } = await server.end('SIGTERM');
  const lines = stderr.trim().split('\n');
  const told: string[] = lines
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level === 'warn')
    .map(({ msg }) => msg);
  assert.deepEqual(told.map((line) => line.split(':', 1)[0]).sort(), Object.keys(env).sort());
  assert.doesNotMatch(stderr, /hunter2/);
});
