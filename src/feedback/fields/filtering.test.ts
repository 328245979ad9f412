import assert from 'node:assert/strict';
import type { PostFilter, PostPropertyInput } from '../../../sdk/src/schema.ts';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { FIND_POSTS, makeField, put } from '../../../test/support/fields.ts';

type Fields = Record<'plan' | 'seats' | 'note', { id: string }>;

/** Five posts: what they have in three fields, one of them for the team. */
async function fill(app: TestApp): Promise<Fields> {
  const plan = await makeField(app, 'Plan', { type: 'SELECTION', options: [{ name: 'Free' }, { name: 'Pro' }] });
  const seats = await makeField(app, 'Größe', { type: 'NUMBER' });
  const note = await makeField(app, 'Note', { type: 'TEXT_LONG', visibility: 'TEAM' });
  const posts: [title: string, properties: PostPropertyInput[]][] = [
    ['free 5', [put(plan, 'Free'), put(seats, '5')]],
    ['pro 5', [put(plan, 'Pro'), put(seats, '5.0')]],
    ['pro', [put(plan, 'Pro'), put(note, `Big ${'x'.repeat(5_000)}`)]],
    ['7', [put(seats, '7')]],
    ['none', []],
  ];
  for (const [title, properties] of posts) {
    await app.api.createPost({ title, properties });
    app.clock.advance(1_000);
  }
  return { plan, seats, note };
}

const field = (label: string, is?: string | null, empty?: string | null): PostFilter => ({
  type: 'FIELD',
  label,
  is,
  empty,
});

async function find({ api }: TestApp, ...filters: PostFilter[]): Promise<string> {
  const posts = await api.posts({ filters, sort: 'OLDEST' }, { totalCount: true, nodes: { title: true } });
  assert.equal(posts.totalCount, posts.nodes.length);
  return posts.nodes.map(({ title }) => title).join(', ');
}

testBoth('posts are found by a value of a field, by its absence, and by any value', async (app) => {
  await fill(app);
  assert.equal(await find(app, field('Plan', 'Pro')), 'pro 5, pro');
  assert.equal(await find(app, field(' plan ', 'pRO')), 'pro 5, pro');
  assert.equal(await find(app, field('GRÖßE', '5')), 'free 5, pro 5');
  assert.equal(await find(app, field('Größe', '05.00')), 'free 5, pro 5');
  assert.equal(await find(app, field('Note', `BIG ${'x'.repeat(5_000)}`)), 'pro');
  assert.equal(await find(app, field('Plan', null, 'true')), '7, none');
  assert.equal(await find(app, field('Plan', null, 'false')), 'free 5, pro 5, pro');
  assert.equal(await find(app, field('Plan', 'Free', 'false')), 'free 5');
  for (const unknown of ['Max', '', 'a\u0000b', '\ud800']) assert.equal(await find(app, field('Plan', unknown)), '');
  assert.equal(await find(app, field('Größe', 'five')), '');
});

testBoth('filters by one field widen the choice, those by several narrow it', async (app) => {
  const { plan } = await fill(app);
  const options = (await app.api.field({ id: plan.id }, { options: { id: true } }))?.options;
  const [free, pro] = [field('Plan', options?.[0]?.id), field('Plan', options?.[1]?.id)];
  assert.equal(await find(app, free, pro), 'free 5, pro 5, pro');
  assert.equal(await find(app, free, pro, field('Größe', '5')), 'free 5, pro 5');
  assert.equal(await find(app, field('Größe', '5'), field('Größe', '7'), field('Plan', null, 'true')), '7');
  assert.equal(await find(app, field('Größe', null, 'true'), field('Plan', null, 'true')), 'none');
  assert.equal(await find(app, field('Größe', null, 'false'), field('Plan', null, 'false')), 'free 5, pro 5');
  assert.equal(await find(app, pro, { type: 'STATUS', is: 'UNASSIGNED' }), 'pro 5, pro');
  assert.equal(await find(app, pro, { type: 'STATUS', is: 'COMPLETED' }), '');
  const searched = await app.api.posts({ filters: [field('Größe', '5')], search: 'pro' }, { totalCount: true });
  assert.equal(searched.totalCount, 1);
});

testBoth('a page of posts with a value continues where the last one ended', async (app) => {
  await fill(app);
  const filters = [field('Plan', 'Free'), field('Plan', 'Pro')];
  const titles: string[] = [];
  let cursor: string | null = null;
  do {
    const { posts }: { posts: { nodes: { title: string }[]; cursor: string | null } } = await app.ask(FIND_POSTS, {
      filters,
      limit: 1,
      cursor,
    });
    titles.push(...posts.nodes.map(({ title }) => title));
    cursor = posts.cursor;
  } while (cursor !== null);
  assert.deepEqual(titles, ['free 5', 'pro 5', 'pro']);
});

testBoth('wrong filters by fields get a clear error, and fields for the team are unknown to members', async (app) => {
  await fill(app);
  await app.makeUser('bob');
  const problem = async (filter: object, as = 'ada', ...more: object[]) => {
    const { errors } = await app.gql(FIND_POSTS, { filters: [filter, ...more] }, { as });
    return errors[0] && [errors[0].extensions.code, errors[0].extensions.field ?? errors[0].message];
  };
  assert.deepEqual(await problem({ type: 'FIELD', is: 'x' }), ['BAD_REQUEST', 'filters']);
  assert.deepEqual(await problem(field('Plan')), ['BAD_REQUEST', 'filters']);
  assert.deepEqual(await problem(field('Plan', null, 'yes')), ['BAD_REQUEST', 'filters']);
  assert.deepEqual(await problem(field('Plan', 'Pro', 'true')), ['BAD_REQUEST', 'filters']);
  const mixed = await problem(field('Plan', 'Pro'), 'ada', field('Plan', null, 'true'));
  assert.deepEqual(mixed, ['BAD_REQUEST', 'filters']);
  assert.deepEqual(await problem(field('Nothing', 'x')), ['NOT_FOUND', 'Field not found']);
  assert.deepEqual(await problem(field('Note', 'x'), 'bob'), ['NOT_FOUND', 'Field not found']);
  assert.deepEqual(await problem(field('Note', null, 'true'), 'bob'), ['NOT_FOUND', 'Field not found']);
  assert.equal(await problem(field('Note', null, 'true')), undefined);
});

testBoth('a value that many posts have finds them as well', async (app) => {
  const { plan } = await fill(app);
  const { db } = app;
  const [sample] = await db.read.selectFrom('post_properties').selectAll().where('field_id', '=', plan.id).execute();
  assert.ok(sample);
  // Rows of posts that are not there: what matters is how many the index has.
  for (const [count, total] of [
    [4_999, 1],
    [1, 1],
  ] as const) {
    await db.transaction(async (tx) => {
      for (let n = 0; n < count; n += 1_000) {
        const rows = Array.from({ length: Math.min(1_000, count - n) }, (_, i) => ({
          ...sample,
          post_id: `${count}-${n + i}`,
        }));
        await tx.insertInto('post_properties').values(rows).execute();
      }
    });
    assert.equal((await find(app, field('Plan', 'Free'))).split(', ').length, total);
    assert.equal(await find(app, field('Plan', 'Free'), field('Größe', '5')), 'free 5');
    assert.equal(await find(app, field('Plan', 'Free'), field('Größe', '7')), '');
  }
});
