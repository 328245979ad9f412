import assert from 'node:assert/strict';
import { test } from 'node:test';
import './features.ts';
import { testOnce } from '../../../test/support/app.ts';
import { Executor } from './execute.ts';
import { makeSchema } from './schema.ts';

const MAX_BYTES = 32 * 1_048_576;

/** A short document with `20 * users * 10` fields and more, by its fragments. */
function manyFields(users: number, n: number): string {
  const roots = Array.from({ length: 20 }, (_, i) => `r${i}: post(id: "x") { ...P }`);
  const authors = Array.from({ length: users }, (_, i) => `a${i}: author { ...U }`);
  const names = Array.from({ length: 10 }, (_, i) => `n${i}: name`);
  return `#${n}\n{ ${roots.join(' ')} } fragment P on Post { ${authors.join(' ')} } fragment U on User { ${names.join(' ')} }`;
}

test('operations that are kept stay within their memory, whatever fragments make of short documents', () => {
  const executor = new Executor(makeSchema());
  for (let n = 0; n < 60; n++) executor.prepare(manyFields(5, n), null);
  assert.ok(executor.keptBytes > MAX_BYTES / 2, 'they are kept');
  assert.ok(executor.keptBytes <= MAX_BYTES, `${executor.keptBytes} bytes`);
  const before = executor.keptBytes;
  executor.prepare(manyFields(20, 0), null);
  assert.equal(executor.keptBytes, before, 'one that is too large is not');
  assert.equal(executor.prepare('{ board { id } }', null), executor.prepare('{ board { id } }', null));
});

test('heavy mutations stand in line before anything is done for them, and neither small ones nor queries wait', async () => {
  const executor = new Executor(makeSchema());
  const texts = (limit: number) => `author { posts(limit: ${limit}) { nodes { content } } }`;
  const inTurn = (query: string) => executor.prepare(query, null).with({}).inTurn;
  const voting = (limit: number) => inTurn(`mutation { upvotePost(postId: "1") { ${texts(limit)} } }`);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const standIn = (name: string, turn: ReturnType<typeof voting>) =>
    turn(async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const all = [1, 2, 3].map((n) => standIn(`heavy ${n}`, voting(61)));
  all.push(standIn('small', voting(60)), standIn('query', inTurn(`{ post(id: "1") { ${texts(61)} } }`)));
  const turns = async () => {
    for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
  };
  await turns();
  assert.deepEqual([...begun].sort(), ['heavy 1', 'heavy 2', 'query', 'small']);
  for (const end of ends) end();
  await turns();
  assert.equal(begun.at(-1), 'heavy 3');
  ends.at(-1)?.();
  await Promise.all(all);
});

testOnce('a large body that is nested deeply is refused before it is read', async ({ app, key }) => {
  const send = (depth: number) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/graphql',
      headers: { 'content-type': 'application/json', apikey: key },
      // Of the depth, the object of the request and that of its variables are two.
      payload: `{"query":"{ board { id } }","variables":{"x":${'['.repeat(depth - 2)}"[[{\\"[${' '.repeat(20_000)}"${']'.repeat(depth - 2)}}}`,
    });
  for (const depth of [501, 400_000]) {
    assert.match((await send(depth)).json().errors[0].message, /nested at most 500 levels deep/);
  }
  assert.doesNotMatch((await send(500)).body, /nested in 500 levels/);
});
