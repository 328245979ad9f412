import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestApp, testBoth } from '../../../test/support/app.ts';
import { until } from '../../../test/support/until.ts';
import { isLockAwaited } from '../../../test/support/waiting.ts';
import { lockBoard } from '../../identity/board/board.ts';
import { locked } from '../../platform/db/prepare.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';

const CREATE = 'mutation($title: String!) { createPost(title: $title) { id number } }';
const once = (key: string) => ({ headers: { 'idempotency-key': key } });

testBoth('a mutation with an idempotency key is carried out once', async ({ gql, ask }) => {
  const first = await gql(CREATE, { title: 'One' }, once('a'));
  const again = await gql(CREATE, { title: 'One' }, once('a'));
  assert.deepEqual([again.data, again.status], [first.data, 200]);
  assert.notEqual((await gql(CREATE, { title: 'One' }, once('b'))).data.createPost.id, first.data.createPost.id);
  assert.equal((await ask('{ board { postCount } }')).board.postCount, 2);
});

testBoth('many repeats at once are carried out once', async ({ gql, ask }) => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => gql(CREATE, { title: 'One' }, once('a'))));
  assert.equal(new Set(answers.map((answer) => answer.data.createPost.id)).size, 1);
  assert.equal((await ask('{ board { postCount } }')).board.postCount, 1);
});

testBoth('the same key with another request is a conflict', async ({ gql }) => {
  await gql(CREATE, { title: 'One' }, once('a'));
  const { status, errors } = await gql(CREATE, { title: 'Two' }, once('a'));
  assert.deepEqual([status, errors[0]?.extensions.code], [409, 'CONFLICT']);
});

testBoth('a repeat is the same request however it is written', async ({ app, key }) => {
  const send = async (body: object, accept: string) => {
    const headers = { apikey: key, ssotype: 'SSO', ssoid: 'ada', 'idempotency-key': 'a', accept };
    const response = await app.inject({ method: 'POST', url: '/api/v1/graphql', headers, payload: body });
    return response.json().data.createPost.number;
  };
  const query = 'mutation M { createPost(title: "One") { number } }';
  assert.equal(await send({ query, operationName: 'M' }, 'application/json'), 1);
  assert.equal(await send({ operationName: 'M', query, variables: {} }, 'application/json, text/plain'), 1);
});

testBoth('keys of different API keys do not meet', async ({ gql, makeKey }) => {
  const first = await gql(CREATE, { title: 'One' }, once('a'));
  const other = await gql(CREATE, { title: 'Two' }, { ...once('a'), key: await makeKey() });
  assert.deepEqual([first.data.createPost.number, other.data.createPost.number], [1, 2]);
});

testBoth('a key belongs to the acting user, and does not return another user’s answer', async ({ gql, makeUser }) => {
  await makeUser('bob');
  const own = 'mutation { createPost(title: "One") { number author { name } } }';
  const { data } = await gql(own, {}, once('a'));
  assert.equal(data.createPost.author.name, 'ada');
  const { status, errors } = await gql(own, {}, { ...once('a'), as: 'bob' });
  assert.deepEqual([status, errors[0]?.extensions.code], [409, 'CONFLICT']);
  assert.deepEqual((await gql(own, {}, once('a'))).data, data);
});

testBoth(
  'a request without its acting user takes no key: with the right headers it is carried out',
  async ({ gql }) => {
    const missing = await gql(CREATE, { title: 'One' }, { ...once('a'), as: null });
    assert.equal(missing.errors[0]?.message, 'ssotype is required in headers');
    const unknown = await gql(CREATE, { title: 'One' }, { ...once('a'), as: 'nobody' });
    assert.equal(unknown.errors[0]?.message, 'User not found');
    assert.equal((await gql(CREATE, { title: 'One' }, once('a'))).data.createPost.number, 1);
  },
);

testBoth("requests with keys that get into each other's way are all carried out", async ({ gql, makePost }) => {
  const [a, b] = [await makePost('A'), await makePost('B')];
  const both = (n: number) => `mutation($first: String!, $second: String!) {
    first: createComment(postId: $first, text: "${n}") { id } second: createComment(postId: $second, text: "${n}") { id }
  }`;
  const answers = await Promise.all(
    [0, 1, 2].map((n) => gql(both(n), n % 2 ? { first: a, second: b } : { first: b, second: a }, once(`key ${n}`))),
  );
  for (const { errors, data } of answers)
    assert.deepEqual([errors, !!data.first.id, !!data.second.id], [[], true, true]);
  const { data } = await gql('query($a: String!) { post(id: $a) { commentCount } }', { a });
  assert.equal(data.post.commentCount, 3);
});

testBoth('a refusal by the rules of the board is an answer, too', async ({ gql, ask, makePost }) => {
  const id = await makePost('Post');
  const remove = 'mutation($id: String!) { deletePost(postId: $id) { id } again: deletePost(postId: $id) { id } }';
  const first = await gql(remove, { id }, once('a'));
  assert.equal(first.errors[0]?.message, 'Post not found');
  await ask('mutation($id: String!) { restorePost(id: $id) { id } }', { id });
  assert.equal((await gql(remove, { id }, once('a'))).errors[0]?.message, 'Post not found');
  assert.equal((await ask('{ board { postCount } }')).board.postCount, 1);
});

testBoth('one field that fails leaves what the others of its request have done', async ({ ask, gql }) => {
  const query =
    'mutation { good: createPost(title: "Good") { number } bad: updatePost(id: "x", title: "y") { node { id } } }';
  const { errors } = await gql(query, {}, once('a'));
  assert.equal(errors[0]?.message, 'Post not found');
  assert.equal((await ask('{ board { postCount } }')).board.postCount, 1);
});

testBoth('a key is forgotten after 24 hours', async ({ gql, clock }) => {
  const first = await gql(CREATE, { title: 'One' }, once('a'));
  clock.advance(DAY_MS - 1);
  assert.deepEqual((await gql(CREATE, { title: 'One' }, once('a'))).data, first.data);
  clock.advance(1);
  assert.equal((await gql(CREATE, { title: 'Two' }, once('a'))).data.createPost.number, 2);
});

testBoth('an idempotency key has 1 to 255 printable characters, and queries need none', async ({ gql }) => {
  assert.equal((await gql(CREATE, { title: 'One' }, once('x'.repeat(255)))).status, 200);
  for (const key of ['x'.repeat(256), '']) {
    assert.equal((await gql(CREATE, { title: 'One' }, once(key))).errors[0]?.extensions.field, 'Idempotency-Key');
  }
  assert.equal((await gql('{ board { name } }', {}, once('x'.repeat(256)))).status, 200);
});

test('a request with a key locks rows in the order of those without', async (t) => {
  const { db, board, ask, makePost } = await makeTestApp(t, 'postgres');
  const id = await makePost('Post');
  const query = 'mutation($id: String!) { createComment(postId: $id, text: "Yes") { id } }';
  let runs = 0;
  let commenting: Promise<unknown> | null = null;
  await db.transaction(async (tx) => {
    runs++;
    await locked(tx, tx.selectFrom('posts').select('id').where('id', '=', id)).execute();
    commenting ??= ask(query, { id }, once('a'));
    await until('the request waits for the post', () => isLockAwaited(db));
    // If the request had the board, each would wait for what the other has, and one of them would be undone.
    await lockBoard(tx, board.id);
  });
  await commenting;
  assert.equal(runs, 1);
});

test('requests do not wait for one that forgets old keys', async (t) => {
  const { db, clock, ask, gql } = await makeTestApp(t, 'postgres');
  await gql(CREATE, { title: 'One' }, once('a'));
  await gql(CREATE, { title: 'Two' }, once('b'));
  clock.advance(DAY_MS);
  await db.transaction(async (tx) => {
    await tx.deleteFrom('idempotency_keys').where('idempotency_key', '=', 'a').execute();
    assert.equal((await gql(CREATE, { title: 'Three' }, once('c'))).data.createPost.number, 3);
  });
  const keys = await db.read.selectFrom('idempotency_keys').select('idempotency_key').execute();
  assert.deepEqual(keys, [{ idempotency_key: 'c' }]);
  assert.equal((await ask('{ board { postCount } }')).board.postCount, 3);
});
