import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { parse } from 'graphql';
import { testOnce } from '../support/app.ts';
import { listen } from './listening.ts';
import { LEGACY, MODERN, sendRaw } from './sending.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const QUERY = '{ board { name } }';
const HASH = createHash('sha256').update(QUERY).digest('hex');
const EXTENSIONS = { persistedQuery: { version: 1, sha256Hash: HASH } };

testOnce('a batch is refused with a clear error, however many operations it has', async (testApp) => {
  for (const batch of [[], [{ query: QUERY }], [{ query: QUERY }, { query: QUERY }], [[]], Array(1_000).fill(7)]) {
    for (const accept of [MODERN, LEGACY]) {
      const headers = { ...JSON_TYPE, accept };
      const sent = await sendRaw(testApp, { headers, payload: JSON.stringify(batch) });
      assert.deepEqual([sent.status, sent.codes], [400, ['BAD_REQUEST']]);
      assert.match(sent.messages[0] ?? '', /^Batches are not supported: .* its own request$/);
    }
  }
});

testOnce('a persisted query is refused in the words that clients look for, by POST and GET', async (testApp) => {
  const bodies = [
    { extensions: EXTENSIONS },
    { operationName: 'A', variables: { a: 1 }, extensions: EXTENSIONS },
    { query: '', extensions: EXTENSIONS },
    { query: null, extensions: EXTENSIONS },
  ];
  const search = new URLSearchParams({ operationName: 'A', extensions: JSON.stringify(EXTENSIONS) });
  for (const accept of [MODERN, LEGACY]) {
    const sent = [
      await sendRaw(testApp, { method: 'GET', url: `?${search}`, headers: { accept } }),
      ...(await Promise.all(
        bodies.map((body) => sendRaw(testApp, { headers: { ...JSON_TYPE, accept }, payload: JSON.stringify(body) })),
      )),
    ];
    for (const { status, codes, messages, data } of sent) {
      assert.deepEqual([status, codes], [400, ['PERSISTED_QUERY_NOT_SUPPORTED']]);
      assert.deepEqual([messages, data], [['PersistedQueryNotSupported'], undefined]);
    }
  }
  const response = await testApp.app.inject({
    method: 'POST',
    url: '/api/v1/graphql',
    headers: { apikey: testApp.key },
    payload: { extensions: EXTENSIONS },
  });
  assert.match(response.json().errors[0].extensions.reason, /Persisted queries are not supported: send the text/);
});

testOnce('a query that comes with its hash is carried out; other extensions change nothing', async (testApp) => {
  for (const extensions of [EXTENSIONS, {}, null, { persistedQuery: null }, { tracing: {} }]) {
    const payload = JSON.stringify({ query: QUERY, extensions });
    const sent = await sendRaw(testApp, { headers: JSON_TYPE, payload });
    assert.deepEqual([sent.status, sent.data], [200, { board: { name: 'Acme' } }]);
  }
  const without = await sendRaw(testApp, { headers: JSON_TYPE, payload: '{"extensions":{"tracing":{}}}' });
  assert.deepEqual([without.status, without.messages], [400, ['Missing query']]);
});

testOnce('a parameter of the wrong type is named, with what came and what is allowed', async (testApp) => {
  const text = 'a string: send the object itself, not its JSON as text';
  const object = 'an object, null, or left out';
  const cases = [
    [{ variables: '{"a":1}' }, `variables must be ${object}; it is ${text}`],
    [{ variables: [1] }, `variables must be ${object}; it is a list`],
    [{ variables: 7 }, `variables must be ${object}; it is a number`],
    [{ extensions: true }, `extensions must be ${object}; it is a boolean`],
    [{ operationName: {} }, 'operationName must be a string; it is an object'],
    [{ query: ['{ board { name } }'] }, 'query must be a string; it is a list'],
  ] as const;
  for (const [wrong, message] of cases) {
    const sent = await sendRaw(testApp, { headers: JSON_TYPE, payload: JSON.stringify({ query: QUERY, ...wrong }) });
    assert.deepEqual([sent.status, sent.codes, sent.messages], [400, ['BAD_REQUEST'], [message]]);
  }
  const search = new URLSearchParams({ query: QUERY, variables: '"x"' });
  const { status, messages } = await sendRaw(testApp, {
    method: 'GET',
    url: `?${search}`,
    headers: { accept: LEGACY },
  });
  assert.deepEqual([status, messages], [400, [`variables must be ${object}; it is ${text}`]]);
});

testOnce('Apollo Client with persisted queries falls back to the queries themselves', async (testApp) => {
  const uri = await listen(testApp);
  for (const useGETForHashedQueries of [false, true]) {
    const bodies: string[] = [];
    const recording: typeof fetch = (input, init) => {
      bodies.push(`${init?.method} ${init?.body ?? new URL(String(input)).search}`);
      return fetch(input, init);
    };
    const link = ApolloLink.from([
      new PersistedQueryLink({
        sha256: (text) => createHash('sha256').update(text).digest('hex'),
        useGETForHashedQueries,
      }),
      new HttpLink({ uri, headers: { apikey: testApp.key }, fetch: recording }),
    ]);
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    for (const document of ['{ board { name } }', '{ board { pid } }']) {
      const { data } = await client.query({ query: parse(document) });
      assert.ok(data);
    }
    // The first is asked by its hash, in vain; from then on all are sent in full, without a hash.
    assert.equal(bodies.length, 3, bodies.join('\n'));
    assert.match(bodies[0] ?? '', useGETForHashedQueries ? /^GET .*sha256Hash/ : /^POST .*sha256Hash/);
    for (const body of bodies.slice(1)) assert.match(body, /^POST (?!.*sha256Hash).*"query"/);
  }
});

testOnce('the error for introspection without a valid key names where the schema is public', async ({ app }) => {
  const told = /^Invalid Api Key\. Introspection needs a key .* GET http:\/\/board\.test\/api\/v1\/schema\.graphql$/;
  const ask = async (query: string, method: 'GET' | 'POST', apikey?: string) => {
    const url = `/api/v1/graphql${method === 'GET' ? `?${new URLSearchParams({ query })}` : ''}`;
    const headers = apikey === undefined ? {} : { apikey };
    const response = await app.inject({ method, url, headers, ...(method === 'POST' && { payload: { query } }) });
    assert.equal(response.statusCode, 401);
    assert.equal(response.json().errors[0].extensions.code, 'UNAUTHENTICATED');
    return response.json().errors[0].message as string;
  };
  for (const query of [
    '{ __schema { types { name } } }',
    '{ __type(name: "Post") { name } }',
    '{__schema\n{types{name}}}',
  ])
    for (const method of ['GET', 'POST'] as const)
      for (const key of [undefined, 'wrong']) assert.match(await ask(query, method, key), told);
  for (const query of ['{ board { name } }', '{ __typename }', 'no document']) {
    for (const method of ['GET', 'POST'] as const) assert.equal(await ask(query, method), 'Invalid Api Key');
  }
  const { statusCode, body } = await app.inject('/api/v1/schema.graphql');
  assert.equal(statusCode, 200);
  assert.match(body, /^type Query \{/m);
});
