import assert from 'node:assert/strict';
import { testBoth } from '../support/app.ts';

const TWO = `mutation($first: String!, $second: String!) {
  first: createPost(title: $first) { id number }
  second: createPost(title: $second) { id number }
}`;

testBoth('when one of two mutations in a request fails, the other still has its answer', async (app) => {
  const cases = [
    { first: 'Stands', second: '', failing: 'second' },
    { first: '', second: 'Stands too', failing: 'first' },
  ];
  for (const headers of [{}, { 'idempotency-key': 'two' }]) {
    for (const { failing, ...titles } of cases) {
      const key = Object.values(headers).map((value) => [`idempotency-key`, `${value} ${failing}`]);
      const { status, data, errors } = await app.gql(TWO, titles, { headers: Object.fromEntries(key) });
      const done = failing === 'first' ? 'second' : 'first';
      assert.equal(status, 200);
      assert.equal(data[failing], null);
      assert.deepEqual(
        errors.map(({ path, extensions }) => [path, extensions.code]),
        [[[failing], 'BAD_REQUEST']],
      );
      const { post } = await app.ask('query($id: String!) { post(id: $id) { number title } }', { id: data[done].id });
      assert.deepEqual(post, { number: data[done].number, title: titles[done] });
    }
  }
  assert.equal((await app.ask('{ board { postCount } }')).board.postCount, 4);
});

testBoth('mutations of a request that all fail are all null, each with its error', async ({ gql }) => {
  const { status, data, errors } = await gql(TWO, { first: '', second: ' ' });
  assert.equal(status, 200);
  assert.deepEqual(data, { first: null, second: null });
  assert.deepEqual(
    errors.map(({ path }) => path),
    [['first'], ['second']],
  );
});
