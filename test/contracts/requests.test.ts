import assert from 'node:assert/strict';
import { testOnce } from '../support/app.ts';
import { MODERN, sendRaw } from './sending.ts';

const PATH = '/api/v1/graphql';
const JSON_TYPE = { 'content-type': 'application/json' };
const MIB = 1_048_576;

/** A body of exactly this many bytes, most of them in a variable that nothing uses. */
function bodyOf(bytes: number, filler = 'x'): string {
  const body = (spare: string) => JSON.stringify({ query: '{ board { name } }', variables: { spare } });
  const room = bytes - Buffer.byteLength(body(''));
  const width = Buffer.byteLength(filler);
  return body(filler.repeat(Math.floor(room / width)) + 'x'.repeat(room % width));
}

testOnce('a body of 1 MiB is accepted, one byte more is refused', async (testApp) => {
  for (const filler of ['x', 'ü', '🌒']) {
    const largest = await sendRaw(testApp, { headers: JSON_TYPE, payload: bodyOf(MIB, filler) });
    assert.equal(Buffer.byteLength(bodyOf(MIB, filler)), MIB);
    assert.deepEqual([largest.status, largest.data], [200, { board: { name: 'Acme' } }]);
    for (const bytes of [MIB + 1, 2 * MIB]) {
      const sent = await sendRaw(testApp, { headers: JSON_TYPE, payload: bodyOf(bytes, filler) });
      assert.deepEqual([sent.status, sent.codes], [413, ['PAYLOAD_TOO_LARGE']]);
      assert.deepEqual(sent.messages, ['The body is larger than the limit of 1 MiB']);
      const anonymous = await testApp.app.inject({
        method: 'POST',
        url: PATH,
        headers: JSON_TYPE,
        payload: bodyOf(bytes),
      });
      assert.equal(anonymous.statusCode, 401, 'of a sender without a key, no body is read');
    }
  }
});

testOnce('a body that is not a request in JSON is refused with 400 and the reason', async (testApp) => {
  const bodies = [
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '7',
    '{}',
    '{"query":7}',
    '{"query":null}',
    '[{"query":"{ board { id } }"}]',
  ];
  const more = ['{"query":"{ board { id } }","variables":[1]}', '{"query":"{ board { id } }","variables":"x"}'];
  const names = ['{"query":"{ board { id } }","operationName":7}', '{"query":"{ board { id } }","extensions":1}'];
  for (const payload of [...bodies, ...more, ...names]) {
    const sent = await sendRaw(testApp, { headers: JSON_TYPE, payload });
    assert.deepEqual([sent.status, sent.codes], [400, ['BAD_REQUEST']], payload);
    assert.ok(sent.messages[0], payload);
    assert.equal(sent.data, undefined, payload);
  }
});

testOnce('a body of another type than JSON in UTF-8 is refused with 415', async (testApp) => {
  const types = [
    'text/plain',
    'application/graphql',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
  ];
  for (const type of [...types, 'multipart/form-data; boundary=x']) {
    const sent = await sendRaw(testApp, { headers: { 'content-type': type }, payload: bodyOf(200) });
    assert.deepEqual([sent.status, sent.codes], [415, ['BAD_REQUEST']], type);
  }
  for (const type of ['application/json', 'application/json; charset=utf-8', 'application/json;charset=UTF-8']) {
    const sent = await sendRaw(testApp, { headers: { 'content-type': type }, payload: bodyOf(200) });
    assert.equal(sent.status, 200, type);
  }
});

testOnce('a client that accepts neither media type of GraphQL is refused with 406', async (testApp) => {
  const sent = await sendRaw(testApp, { headers: { ...JSON_TYPE, accept: 'text/html' }, payload: bodyOf(200) });
  assert.deepEqual([sent.status, sent.codes], [406, ['BAD_REQUEST']]);
});

testOnce('GET carries out queries, with variables and operationName', async (testApp) => {
  const query = 'query A { board { name } } query B($limit: Int!) { posts(limit: $limit) { hasMore } }';
  const search = new URLSearchParams({ query, operationName: 'B', variables: '{"limit":1}' });
  const sent = await sendRaw(testApp, { method: 'GET', url: `?${search}`, headers: { accept: MODERN } });
  assert.deepEqual([sent.status, sent.data], [200, { posts: { hasMore: false } }]);
});

testOnce('GET refuses mutations with 405 and changes nothing', async (testApp) => {
  const search = new URLSearchParams({ query: 'mutation { createPost(title: "By GET") { id } }' });
  for (const accept of [MODERN, 'application/json']) {
    const sent = await sendRaw(testApp, { method: 'GET', url: `?${search}`, headers: { accept } });
    assert.deepEqual([sent.status, sent.codes], [405, ['BAD_REQUEST']]);
    assert.deepEqual(sent.messages, ['Use POST, or GET for queries; a mutation needs POST']);
  }
  assert.equal((await testApp.ask('{ board { postCount } }')).board.postCount, 0);
});

testOnce('GET without a query or with variables that are not JSON is refused with 400', async (testApp) => {
  for (const url of ['', '?query={board{id}}&variables={', '?query={board{id}}&variables=7']) {
    const sent = await sendRaw(testApp, { method: 'GET', url });
    assert.deepEqual([sent.status, sent.codes], [400, ['BAD_REQUEST']], url);
  }
});

testOnce('other methods are refused with 405', async (testApp) => {
  const sent = await sendRaw(testApp, { method: 'PUT', headers: JSON_TYPE, payload: bodyOf(200) });
  assert.deepEqual([sent.status, sent.codes], [405, ['BAD_REQUEST']]);
});

testOnce('an empty operationName is ignored, also for a document that is not cached yet', async ({ app, key }) => {
  for (let n = 0; n < 2; n++) {
    const response = await app.inject({
      method: 'POST',
      url: '/api/v1/graphql',
      headers: { apikey: key },
      payload: { query: 'query Name { board { name } }', operationName: '' },
    });
    assert.deepEqual(response.json(), { data: { board: { name: 'Acme' } } });
  }
});
