import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { sql } from 'kysely';
import { makeTestApp, testBoth, testOnce } from '../test/support/app.ts';
import { sendRaw } from '../test/support/raw-request.ts';
import { engines } from '../test/support/store.ts';
import { VERSION } from './platform/version.ts';

testOnce('every answer carries a request id, which errors repeat', async ({ app, gql }) => {
  const { headers, errors } = await gql('{ nope }');
  assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/);
  assert.equal(errors[0]?.extensions.requestId, headers['x-request-id']);
  const health = await app.inject('/healthz');
  assert.notEqual(health.headers['x-request-id'], headers['x-request-id']);
});

testBoth('health and readiness tell of the process and of the store', async ({ app, db, ask }) => {
  assert.deepEqual((await app.inject('/healthz')).json(), { status: 'ok', version: VERSION });
  assert.deepEqual((await app.inject('/readyz')).json(), { status: 'ok' });
  const future = { name: '9999-future', date_applied: 0 };
  await db.transaction((tx) => tx.insertInto('migrations').values(future).execute());
  // A newer version takes its place: until then, it goes on.
  assert.deepEqual((await app.inject('/readyz')).json(), { status: 'ok' });
  assert.deepEqual(await ask('{ board { name } }'), { board: { name: 'Acme' } });
  await db.transaction((tx) => tx.deleteFrom('migrations').where('name', 'like', '0001-%').execute());
  const lacking = await app.inject('/readyz');
  assert.deepEqual([lacking.statusCode, lacking.headers['retry-after']], [503, '5']);
  assert.match(lacking.json().reason, /^The migration 0001-core has not been applied$/);
});

testBoth('the readiness endpoint does not reveal the error of a database', async ({ app, db }) => {
  await db.transaction((tx) => sql`drop table migrations`.execute(tx));
  const broken = await app.inject('/readyz');
  const reason = 'The store cannot be used; the log has the details';
  assert.deepEqual([broken.statusCode, broken.json()], [503, { status: 'unavailable', reason }]);
});

testBoth('metrics count requests by root field and code, and never by what a client wrote', async (app) => {
  const limited = await app.makeKey({ rateRules: [{ seconds: 60, limit: 1 }] });
  await app.makePost('Post');
  await app.gql('query MyOwnName { board { name } }');
  await app.gql('{ board { name } viewer { apiKeyName } }', {}, { key: limited });
  await app.gql('{ board { name } }', {}, { key: limited });
  await app.gql('mutation { createPost(title: "") { id } }');
  await app.gql('{ secretField }');
  const { payload, headers } = await app.app.inject('/metrics');
  assert.match(String(headers['content-type']), /^text\/plain/);
  const lines = payload.split('\n');
  const requests = lines.filter((line) => line.startsWith('earshot_graphql_requests_total{'));
  for (const labels of [
    'operation="createPost",code="OK"} 1',
    'operation="createPost",code="BAD_REQUEST"} 1',
    'operation="board",code="OK"} 1',
    'operation="several",code="OK"} 1',
    'operation="none",code="RATE_LIMIT_EXCEEDED"} 1',
    'operation="none",code="GRAPHQL_VALIDATION_FAILED"} 1',
  ]) {
    assert.ok(
      requests.includes(`earshot_graphql_requests_total{${labels}`),
      `${labels} is not in\n${requests.join('\n')}`,
    );
  }
  assert.ok(lines.includes('earshot_rate_limit_refusals_total 1'));
  assert.ok(lines.some((line) => /^earshot_store_statement_seconds_count [1-9]/.test(line)));
  assert.ok(!/secretField|MyOwnName/.test(payload));
});

for (const engine of engines) {
  test(`metrics count pages by their kind and status, and never by their address [${engine}]`, async (t) => {
    const { app } = await makeTestApp(t, engine, { web: true });
    for (const url of ['/b/acme', '/b/acme?q=words-of-mine', '/b/acme/posts/9', '/words-of-mine'])
      await app.inject(url);
    await app.inject({ method: 'POST', url: '/sign-in', payload: 'x', headers: { 'content-type': 'text/plain' } });
    await app.inject('/healthz');
    const { payload } = await app.inject('/metrics');
    assert.deepEqual(payload.match(/^earshot_http_requests_total.*$/gm), [
      'earshot_http_requests_total{route="board",status="200"} 2',
      'earshot_http_requests_total{route="posts",status="404"} 1',
      'earshot_http_requests_total{route="other",status="404"} 1',
      'earshot_http_requests_total{route="sign-in",status="415"} 1',
      'earshot_http_requests_total{route="health",status="200"} 1',
    ]);
    assert.ok(!payload.includes('words-of-mine'));
  });
}

testOnce('the schema is public and cached by its ETag', async ({ app }) => {
  const first = await app.inject('/api/v1/schema.graphql');
  assert.match(first.payload, /type Post \{/);
  for (const known of [first.headers.etag, `W/${first.headers.etag}`, `"x", ${first.headers.etag}`]) {
    const headers = { 'if-none-match': String(known) };
    const second = await app.inject({ url: '/api/v1/schema.graphql', headers });
    assert.deepEqual([second.statusCode, second.payload], [304, '']);
  }
  const other = await app.inject({ url: '/api/v1/schema.graphql', headers: { 'if-none-match': '"x"' } });
  assert.equal(other.statusCode, 200);
});

testOnce('pages of any origin may call the API, without credentials', async ({ app, gql }) => {
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/api/v1/graphql',
    headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
  });
  assert.equal(preflight.statusCode, 204);
  assert.equal(preflight.headers['access-control-allow-origin'], '*');
  assert.equal(preflight.headers['access-control-allow-credentials'], undefined);
  for (const name of ['apikey', 'ssotype', 'ssoid', 'userid', 'content-type', 'idempotency-key', 'authorization']) {
    assert.match(String(preflight.headers['access-control-allow-headers']), new RegExp(`\\b${name}\\b`));
  }
  const { headers } = await gql('{ board { name } }', {}, { headers: { origin: 'https://shop.example' } });
  assert.equal(headers['access-control-allow-origin'], '*');
  assert.match(String(headers['access-control-expose-headers']), /Earshot-Operation-Id.*RateLimit.*X-Request-Id/);
  assert.equal((await gql('{ board { name } }', {}, { key: 'wrong' })).headers['access-control-allow-origin'], '*');
});

testOnce('a preflight is answered with the headers that it asks for, of the API and of uploads', async ({ app }) => {
  const allowed = async (url: string, asked: string) => {
    const headers = {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': asked,
    };
    const response = await app.inject({ method: 'OPTIONS', url, headers });
    assert.equal(response.statusCode, 204);
    assert.equal(response.headers.vary, 'Access-Control-Request-Headers');
    return response.headers['access-control-allow-headers'];
  };
  const known =
    'apikey, authorization, content-type, dry-run, earshot-visitor, idempotency-key, last-event-id, ssoid, ssotype, userid';
  const names = (characters: number) => `apikey,${'x'.repeat(characters - 7)}`;
  for (const url of ['/api/v1/graphql', '/api/v1/files']) {
    const traced = 'apikey,baggage,content-type,sentry-trace,traceparent,tracestate,x-datadog-trace-id';
    for (const asked of [traced, 'apollographql-client-name, x-b3-sampled', 'X_1', names(1_000)])
      assert.equal(await allowed(url, asked), asked);
    for (const asked of [names(1_001), '', ',', 'a,', 'a b', 'a;b', 'a\tb', 'a"b', 'naïve', '(x)', 'a,,b'])
      assert.equal(await allowed(url, asked), known, asked);
  }
});

testOnce('answers of the API are kept by no cache, nor read as something they are not', async ({ gql }) => {
  const { headers } = await gql('{ board { name } }');
  assert.deepEqual([headers['cache-control'], headers['x-content-type-options']], ['no-store', 'nosniff']);
});

testOnce('an unknown path names the right one', async ({ app }) => {
  const response = await app.inject('/api/v2/graphql');
  assert.equal(response.statusCode, 404);
  const [error] = response.json().errors;
  assert.match(error.message, /GET \/api\/v2\/graphql.*POST \/api\/v1\/graphql/);
  assert.deepEqual([error.extensions.code, typeof error.extensions.requestId], ['NOT_FOUND', 'string']);
});

testOnce('an address that is none gets an error like any other', async ({ app }) => {
  const response = await app.inject('/api/v1/graphql%zz');
  const [error] = response.json().errors;
  assert.deepEqual([response.statusCode, error.extensions.code], [400, 'BAD_REQUEST']);
  assert.equal(error.extensions.requestId, response.headers['x-request-id']);
});

testOnce('a client may not take for ever to send a request', async ({ app }) => {
  assert.ok(app.server.requestTimeout > 0 && app.server.headersTimeout > 0);
});

testBoth('a fault of ours is masked, logged and leaves nothing behind', async ({ db, gql, ask, makePost }) => {
  const id = await makePost('Post');
  await db.transaction((tx) => sql`alter table events rename to events_elsewhere`.execute(tx));
  const { errors, data } = await gql('mutation($id: String!) { deletePost(postId: $id) { id } }', { id });
  assert.equal(errors[0]?.message, 'Internal server error');
  assert.deepEqual([errors[0]?.extensions.code, data], ['INTERNAL_SERVER_ERROR', { deletePost: null }]);
  assert.equal((await ask('query($id: String!) { post(id: $id) { title } }', { id })).post.title, 'Post');
});

test('a response that comes before the end of its request ends the connection', async (t) => {
  const { app } = await makeTestApp(t, 'sqlite', { web: true });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const post = (path: string, length: number, lines: readonly string[] = []) =>
    sendRaw(port, [`POST ${path} HTTP/1.1`, 'Host: a', `Content-Length: ${length}`, ...lines], 'x');
  const form = 'Content-Type: multipart/form-data; boundary=a';
  for (const path of ['/api/v1/graphql', '/api/v1/files', '/b/acme', '/b/acme/settings/import/file', '/%ff', '/none']) {
    const { status, headers } = await post(path, 60_000_000, [form, 'Sec-Fetch-Site: same-origin']);
    assert.equal(headers.get('connection'), 'close', `${path}: ${status}`);
  }
  const whole = await fetch(`http://127.0.0.1:${port}/api/v1/graphql`, { method: 'POST', body: '{}' });
  assert.equal(whole.headers.get('connection'), 'keep-alive');
});
