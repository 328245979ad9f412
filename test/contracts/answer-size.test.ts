import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../support/app.ts';
import { requireAccepted, requireRefused } from './sending.ts';

const COMPLEX = 'QUERY_TOO_COMPLEX';
const TOO_LARGE = /its response is larger than 10 MiB, the limit is 10 MiB/;
const MIB = 1_048_576;
/** The longest text there is: 20,000 characters of four bytes. */
const LONGEST = '🌒'.repeat(20_000);

/** A text of so many bytes in UTF-8. */
function textOf(bytes: number): string {
  return '🌒'.repeat(Math.floor(bytes / 4)) + 'x'.repeat(bytes % 4);
}

/** Adds posts with these texts, the first in the order OLDEST first. */
async function addPosts(app: TestApp, texts: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const text of texts) {
    app.clock.advance(1_000);
    const query = 'mutation($text: String) { createPost(title: "P", comment: $text) { id } }';
    ids.push((await app.ask(query, { text })).createPost.id);
  }
  return ids;
}

/** What fields of these names count in an answer. */
const fields = (...names: string[]) => names.reduce((sum, name) => sum + name.length + 40, 0);

testBoth('a hundred posts with the longest text once in each are answered, twice in each they are not', async (app) => {
  await addPosts(app, Array(100).fill(LONGEST));
  const once = '{ posts(limit: 100) { nodes { id number title url content author { id name } status { id name } } } }';
  const data = (await requireAccepted(app, once)) as { posts: { nodes: { content: string }[] } };
  assert.ok(data.posts.nodes.length === 100 && data.posts.nodes.every(({ content }) => content === LONGEST));
  await requireRefused(app, '{ posts(limit: 100) { nodes { content again: content } } }', COMPLEX, TOO_LARGE);
  await requireRefused(app, '{ events(limit: 100) { nodes { data again: data } } }', COMPLEX, TOO_LARGE);
  const many = Array.from({ length: 9 }, (_, n) => `a${n}: content`).join(' ');
  const ended: string[] = [];
  const heavy = Array.from({ length: 20 }, async (_, n) => {
    const answer = await app.gql(`{ posts(limit: 100) { nodes { ${many} } } }`);
    ended.push(`heavy ${n}`);
    return answer;
  });
  // They stand in line, and what is small does not.
  const small = app.ask('{ board { name } }').then(() => ended.push('small'));
  for (const { data, errors } of await Promise.all(heavy)) {
    assert.deepEqual([data, errors[0]?.extensions.code], [undefined, COMPLEX]);
  }
  await small;
  assert.ok(ended.indexOf('small') < 10, ended.join());
  assert.equal((await app.app.inject('/healthz')).statusCode, 200);
});

testBoth('once an answer is too large nothing more is read for it, neither for fields nor for lists', async (app) => {
  const ids = await addPosts(app, Array(20).fill(LONGEST));
  for (const [n, postId] of [...ids, ...ids, ...ids, ...ids, ...ids, ...ids, ...ids].entries()) {
    const comment = 'mutation($id: String!, $text: String!) { createComment(postId: $id, text: $text) { id } }';
    await app.ask(comment, { id: postId, text: `${n} ${LONGEST.slice(0, 39_980)}` });
  }
  const reads = async (query: string) => {
    app.takeStatements();
    assert.match((await app.gql(query)).errors[0]?.message ?? '', TOO_LARGE);
    return app.takeStatements().filter((statement) => /from "?comments/.test(statement)).length;
  };
  const lists = Array.from({ length: 16 }, (_, n) => `a${n}: comments(limit: 100) { nodes { text } }`).join(' ');
  assert.equal(await reads(`{ ${lists} }`), 2);
  // Of twenty lists of up to fifty comments each, two are read together.
  assert.ok((await reads('{ posts(limit: 20) { nodes { comments(limit: 50) { nodes { text } } } } }')) < 10);
});

testBoth('an answer of 10 MiB is given, with a byte more it is refused', async (app) => {
  // Each text is asked for twice, and every field has its name and 40 bytes.
  const query = '{ posts(limit: 100, sort: OLDEST) { nodes { content again: content } } }';
  const overhead = fields('posts', 'nodes') + 70 * fields('content', 'again');
  const texts = (10 * MIB - overhead) / 2;
  const [each, last] = [Math.floor(texts / 70), texts - 69 * Math.floor(texts / 70)];
  assert.ok(Number.isInteger(texts) && last <= 80_000);
  const ids = await addPosts(app, [...Array(69).fill(textOf(each)), textOf(last)]);
  const change = (bytes: number) =>
    app.ask('mutation($id: String!, $text: String) { updatePost(id: $id, comment: $text) { node { id } } }', {
      id: ids.at(-1),
      text: textOf(bytes),
    });
  await requireAccepted(app, query);
  await change(last + 1);
  await requireRefused(app, query, COMPLEX, TOO_LARGE);
  await change(last - 1);
  await requireAccepted(app, query);
});

testBoth('values of fields and attributes count in an answer as well', async (app) => {
  const create = `mutation($board: String!, $label: String!) {
    createField(boardId: $board, label: $label, type: TEXT_LONG) { node { id } }
  }`;
  const makeField = async (label: string) =>
    (await app.ask(create, { board: app.board.id, label })).createField.node.id as string;
  const parents = await Promise.all(['A', 'B', 'C'].map(makeField));
  for (let n = 0; n < 25; n++) {
    const properties = parents.map((parent) => ({ parent, values: [LONGEST] }));
    const add = 'mutation($p: [PostPropertyInput]) { createPost(title: "P", properties: $p) { id } }';
    await app.ask(add, { p: properties });
  }
  const values = (extra: string) => `{ posts(limit: 100) { nodes { properties { values ${extra} } } } }`;
  await requireAccepted(app, values(''));
  await requireRefused(app, values('again: values'), COMPLEX, TOO_LARGE);

  const attributes = { deep: [{ er: textOf(18_000) }, 'x'.repeat(500)] };
  for (let n = 0; n < 50; n++) {
    const register =
      'mutation($id: String!, $a: JSON) { createUser(ssotype: "SSO", userId: $id, attributes: $a) { id } }';
    await app.ask(register, { id: `u${n}`, a: attributes });
  }
  const asked = (count: number) => {
    const texts = Array.from({ length: count }, (_, n) => `a${n}: attributes`);
    return `{ users(limit: 60) { ${texts.join(' ')} } }`;
  };
  await requireAccepted(app, asked(11));
  await requireRefused(app, asked(12), COMPLEX, TOO_LARGE);
});

const VOTE = `mutation($id: String!, $limit: Int) {
  before: createPost(title: "Before") { number }
  vote: upvotePost(postId: $id) { status { posts(limit: $limit) { nodes { content } } } }
  after: createPost(title: "After") { number }
}`;

testBoth(
  'a mutation whose answer is too large succeeds, with an error, and does not affect other answers',
  async (app) => {
    const ids = await addPosts(app, Array(30).fill(LONGEST));
    for (const [n, headers] of [{}, { 'idempotency-key': 'large' }, { 'idempotency-key': 'large' }].entries()) {
      const id = ids[Math.min(n, 1)];
      const { status, data, errors } = await app.gql(VOTE, { id, limit: 100 }, { headers });
      assert.equal(status, 200);
      const number = [31, 33, 33][n] ?? 0;
      assert.deepEqual(data, { before: { number }, vote: null, after: { number: number + 1 } });
      assert.equal(errors.length, 1);
      assert.deepEqual([errors[0]?.extensions.code, errors[0]?.path], [COMPLEX, ['vote']]);
      assert.match(
        errors[0]?.message ?? '',
        /^The mutation succeeded, but .* limited to 2 MiB: read the result with a query$/,
      );
      const { post } = await app.ask('query($id: String!) { post(id: $id) { upvoteCount } }', { id });
      assert.equal(post.upvoteCount, 1);
    }
  },
);

testBoth('a mutation is answered with 2 MiB, and not with a byte more', async (app) => {
  const query = VOTE.replace(/ {2}(before|after).*\n/g, '');
  const overhead = fields('vote', 'status', 'posts', 'nodes') + 30 * fields('content');
  const texts = 2 * MIB - overhead;
  const [each, last] = [Math.floor(texts / 30), texts - 29 * Math.floor(texts / 30)];
  for (const more of [-1, 0, 1]) {
    const [id] = await addPosts(app, [...Array(29).fill(textOf(each)), textOf(last + more)]);
    const { data, errors } = await app.gql(query, { id, limit: 30 });
    assert.deepEqual(
      errors.map(({ extensions }) => extensions.code),
      more > 0 ? [COMPLEX] : [],
    );
    assert.equal(data.vote?.status.posts.nodes.length, more > 0 ? undefined : 30);
  }
});
