import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { makeEntry, publishNew } from '../../../test/support/changelog.ts';
import { csvOf, get, jsonOf, type Options, parseCsv } from '../../../test/support/export.ts';
import { upload } from '../../../test/support/files.ts';

const HOSTILE = [
  '=HYPERLINK("http://evil","x")',
  '+1 for this',
  '-1 for this',
  '@here',
  '＝1+1',
  '＋1',
  '－1',
  '＠here',
  'comma, "quotes" and; semicolons',
  'two\nlines',
  '🌒 Größe 导出 الوضع \u2028 \u200f',
  "'apostrophe",
  ',',
  '"',
];

testBoth('every post is a row with its columns where importers look for them', async (app) => {
  const { api } = app;
  const tag = await api.createTag({ name: 'Later' });
  const post = await api.createPost(
    { title: 'Dark mode', comment: 'My eyes', tagIds: [tag.id], externalId: 'x-1' },
    { id: true, url: true },
  );
  await api.upvotePost({ postId: post.id });
  const [header, row, ...others] = await csvOf(app);
  assert.deepEqual(others, []);
  const at = (column: number) => row?.[column];
  assert.equal(header?.length, 32);
  assert.equal(at(0), post.id);
  assert.equal(at(1), post.url);
  assert.equal(at(2), 'Dark mode');
  assert.equal(at(4), post.id);
  assert.equal(at(5), '1');
  assert.equal(at(9), 'x-1');
  assert.equal(at(10), new Date(app.clock.now()).toISOString());
  assert.equal(at(14), 'Open');
  assert.equal(at(23), 'Later');
  assert.equal(at(24), '');
  assert.equal(at(25), 'My eyes');
  assert.equal(at(28), 'ada');
  assert.equal(header?.at(-1), 'Expected');
  assert.deepEqual(
    [0, 1, 2, 5, 14, 23, 24, 25, 28].map((column) => header?.[column]),
    ['Post', 'URL', 'Title', 'Upvotes', 'Status', 'Tags', 'Comment type', 'Text', 'Author'],
  );
});

testBoth('comments and votes follow their post, with an empty first column', async (app) => {
  const { api } = app;
  await app.makeUser('bob');
  const ids = [await app.makePost('First'), await app.makePost('Second'), await app.makePost('Third')];
  for (const n of [2, 0, 2, 0, 0]) {
    await api.as('bob').createComment({ postId: ids[n] ?? '', text: 'Yes' });
  }
  for (const as of ['ada', 'bob']) await api.as(as).upvotePost({ postId: ids[2] ?? '' });
  const rows = (await csvOf(app, { query: 'comments=true&votes=true' })).slice(1);
  const shapes = rows.map((row) =>
    [row[0], row[1] === '' ? '' : 'url', row[3], row[19], row[24], row[25], row[28], row[21]].join('|'),
  );
  const [first, second, third] = ids;
  const post = (id?: string) => `${id}|url|post|${id}||Because.|ada|`;
  const comment = (id?: string) => `||comment|${id}|BASIC|Yes|bob|`;
  assert.deepEqual(shapes, [
    post(first),
    comment(first),
    comment(first),
    comment(first),
    post(second),
    post(third),
    comment(third),
    comment(third),
    ...shapes.slice(-2),
  ]);
  assert.deepEqual(shapes.slice(-2).toSorted(), [`||vote|${third}|||ada|UP`, `||vote|${third}|||bob|UP`]);
  assert.equal((await csvOf(app, { query: 'comments=true' })).length, 9);
  assert.equal((await csvOf(app, { query: 'votes=true' })).length, 6);
  const json = await jsonOf(app, { query: 'comments=true&votes=true' });
  assert.deepEqual(
    json.map(({ row }) => row),
    rows.map((row) => row[3]),
  );
});

testBoth('hostile text stays text: CSV prefixes formulas, and JSON lines lose nothing', async (app) => {
  for (const text of HOSTILE) {
    await app.api.createPost({ title: text, comment: text });
  }
  const stored = HOSTILE.map((text) => text.trim());
  const rows = (await csvOf(app)).slice(1);
  const expected = stored.map((text) => (/^[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text));
  assert.deepEqual(
    rows.map((row) => row[2]),
    expected,
  );
  assert.deepEqual(
    rows.map((row) => row[25]),
    expected,
  );
  const json = await jsonOf(app);
  assert.deepEqual(
    json.map(({ title }) => title),
    stored,
  );
  assert.deepEqual(
    json.map(({ text }) => text),
    stored,
  );
});

testBoth(
  'an export has what its reader may see: an anonymous reader, the user in the headers, or the user of the key',
  async (app) => {
    const { api } = app;
    await api.as(null).createUser({ ssoType: 'SSO', ssoId: 'ada', email: 'ada@example.com' });
    const tag = await api.createTag({ name: 'Secret', isPrivate: true });
    await api.createPost({ title: 'One', tagIds: [tag.id] });
    const gone = await app.makePost('Gone');
    await api.deletePost({ postId: gone });
    await app.makeUser('bob');
    const seen = async (options: Options) => {
      const rows = await jsonOf(app, options);
      return rows.map(({ title, tags, author }) => [title, tags.length, author.email]);
    };
    assert.deepEqual(await seen({}), [['One', 0, null]]);
    assert.deepEqual(await seen({ as: 'bob' }), [['One', 0, null]]);
    assert.deepEqual(await seen({ as: 'ada' }), [['One', 1, 'ada@example.com']]);
    const user = await api.user({ ssoId: 'ada' });
    const key = await app.makeKey({ defaultUserId: user?.id ?? '' });
    assert.deepEqual(await seen({ key }), [['One', 1, 'ada@example.com']]);
    assert.deepEqual(await seen({ key, as: 'bob' }), [['One', 0, null]]);
  },
);

testBoth('the checks of a key are those of the API, and the key may be in the address', async (app) => {
  await app.makePost('One');
  const refusal = async (options: Options) => {
    const response = await get(app, 'csv', options);
    return [response.statusCode, response.json().errors[0].extensions.code];
  };
  assert.equal((await get(app, 'csv', { key: null, query: `apikey=${app.key}` })).statusCode, 200);
  assert.deepEqual(await refusal({ key: null }), [401, 'UNAUTHENTICATED']);
  assert.deepEqual(await refusal({ key: null, query: 'apikey=nonsense' }), [401, 'UNAUTHENTICATED']);
  assert.deepEqual(await refusal({ key: null, query: 'apikey=a&apikey=b' }), [400, 'BAD_REQUEST']);
  assert.deepEqual(await refusal({ query: 'comments=perhaps' }), [400, 'BAD_REQUEST']);
  assert.deepEqual(await refusal({ as: 'nobody' }), [404, 'NOT_FOUND']);
  assert.deepEqual(await refusal({ key: await app.makeKey({ permissions: ['WRITE'] }) }), [403, 'FORBIDDEN']);
  assert.deepEqual(await refusal({ key: await app.makeKey({ allowedIps: ['203.0.113.7'] }) }), [403, 'IP_NOT_ALLOWED']);
  const free = await app.makeBoard({ plan: 'FREE' });
  assert.deepEqual(await refusal({ key: await app.makeKey({}, free) }), [403, 'PLAN_REQUIRED']);
  const rated = await app.makeKey({ rateRules: [{ seconds: 3_600, limit: 1 }] });
  assert.equal((await get(app, 'csv', { key: rated })).statusCode, 200);
  const refused = await get(app, 'csv', { key: rated });
  assert.equal(refused.statusCode, 429);
  assert.ok(Number(refused.headers['retry-after']) > 0);
});

testBoth('an export is a file of one board that no cache keeps', async (app) => {
  await app.makePost('Ours');
  const key = await app.makeKey({}, await app.makeBoard());
  const csv = await get(app, 'csv', { key });
  assert.equal(parseCsv(csv.body).length, 1);
  assert.match(String(csv.headers['content-type']), /^text\/csv; charset=utf-8/);
  assert.equal(csv.headers['content-disposition'], 'attachment; filename="other-2026-11-21.csv"');
  assert.equal(csv.headers['cache-control'], 'no-store');
  assert.equal(csv.headers['x-accel-buffering'], 'no');
  assert.equal((await get(app, 'jsonl', { key })).body, '');
});

testBoth(
  'many posts with many comments and votes are all there, once, in the order in which they were made',
  async (app) => {
    const people = Array.from({ length: 12 }, (_, n) => `p${n}`);
    for (const person of people) await app.makeUser(person);
    const ids: string[] = [];
    for (let n = 0; n < 260; n++) ids.push(await app.makePost(`Post ${n}`));
    const busy = [ids[0], ids[249], ids[250], ids[259]];
    for (const id of busy) {
      const comments = Array.from({ length: 20 }, (_, c) => `c${c}: createComment(postId: $id, text: "${c}") { id }`);
      for (let n = 0; n < 8; n++) await app.ask(`mutation($id: String!) { ${comments.join('\n')} }`, { id });
      for (const as of people) await app.api.as(as).upvotePost({ postId: id ?? '' });
    }
    const rows = await jsonOf(app, { query: 'comments=true&votes=true' });
    const of = (kind: string) => rows.filter(({ row }) => row === kind);
    assert.deepEqual(
      of('post').map(({ id }) => id),
      ids,
    );
    for (const [kind, count] of [
      ['comment', 160],
      ['vote', 12],
    ] as const) {
      const byPost = Map.groupBy(of(kind), ({ postId }) => postId);
      assert.deepEqual(
        [...byPost].map(([id, list]) => [id, list.length]),
        busy.map((id) => [id, count]),
      );
      assert.equal(new Set(of(kind).map(({ id }) => id)).size, 4 * count);
    }
    assert.ok(
      rows.every(
        ({ row, postId }, n) => row === 'post' || rows.findLast((r, m) => m < n && r.row === 'post').id === postId,
      ),
    );
  },
);

testBoth(
  'a member exports nothing that is not for members, and a merged post keeps its votes to itself',
  async (app) => {
    const { api } = app;
    for (const name of ['ann', 'mia']) await app.makeUser(name);
    const open = await app.makePost('Open');
    const held = await app.makePost('Held', { as: 'ann' });
    const merged = await app.makePost('Merged');
    await api.upvotePost({ postId: merged });
    for (const type of ['BASIC', 'INTERNAL'] as const) await api.createComment({ postId: open, text: type, type });
    await api.createComment({ postId: held, text: 'About it' });
    await api.changePostModerationStatus({ id: held, moderationStatus: 'PENDING' });
    await api.mergePosts({ sourceIds: [merged], targetId: open });
    const rowsOf = async (as: string | null) => {
      const rows = await jsonOf(app, { as, query: 'comments=true&votes=true' });
      return rows
        .filter((row) => row.type === undefined || !/MERGE/.test(row.type))
        .map((row) => (row.row === 'post' ? `${row.title} ${row.commentCount}` : `${row.row} ${row.text ?? row.type}`));
    };
    const ofMembers = ['Open 1', 'comment BASIC', 'vote UP', 'Merged 0'];
    for (const as of [null, 'mia']) assert.deepEqual(await rowsOf(as), ofMembers, `${as}`);
    assert.deepEqual((await rowsOf('ann')).toSorted(), [...ofMembers, 'Held 1', 'comment About it'].toSorted());
    assert.ok((await rowsOf('ada')).includes('comment INTERNAL'));
    assert.ok((await rowsOf('ada')).includes('Open 2'));
    const post = (await jsonOf(app)).find(({ id }) => id === merged);
    assert.deepEqual([post.mergedIntoId, post.upvoteCount], [open, 0]);
  },
);

testBoth('the changelog follows the posts as JSON, as far as the reader may see it, and is in no CSV', async (app) => {
  const post = await app.makePost('Dark mode');
  const file = await upload(app, { filename: 'a.txt', bytes: 'a' });
  const input = { title: 'Dark', text: '**Größe** 🌒\n', labels: ['NEW'], postIds: [post], files: [file.id] };
  const id = await publishNew(app, input);
  await app.api.addChangelogReaction({ id, reaction: 'PARTY' });
  await makeEntry(app, { title: 'Draft' });
  for (let n = 0; n < 60; n++) await publishNew(app, { title: `Release ${n}` });
  const rows = await jsonOf(app);
  const now = new Date(app.clock.now()).toISOString();
  assert.equal(rows.length, 62);
  const { author, ...entry } = rows[1] ?? {};
  assert.deepEqual(entry, {
    row: 'changelogEntry',
    id,
    number: 1,
    url: 'http://board.test/b/acme/changelog/1/dark',
    title: 'Dark',
    text: '**Größe** 🌒',
    labels: ['NEW'],
    state: 'PUBLISHED',
    postIds: [post],
    files: [file],
    reactions: ['THUMBS_UP', 'HEART', 'PARTY', 'EYES'].map((reaction) => ({
      reaction,
      count: reaction === 'PARTY' ? 1 : 0,
    })),
    dateScheduled: null,
    datePublished: now,
    dateCreated: now,
    dateUpdated: now,
  });
  assert.equal(author.ssoId, 'ada');
  const asTeam = await jsonOf(app, { as: 'ada' });
  assert.deepEqual([asTeam.length, asTeam[2]?.title, asTeam[2]?.state], [64, 'Draft', 'DRAFT']);
  const reactions = asTeam.filter(({ row }) => row === 'changelogReaction');
  assert.deepEqual(
    reactions.map(({ user, ...reaction }) => [user.ssoId, reaction]),
    [['ada', { row: 'changelogReaction', entryId: id, reaction: 'PARTY', dateCreated: now }]],
  );
  assert.equal((await csvOf(app)).length, 2);
});
