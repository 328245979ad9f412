import assert from 'node:assert/strict';
import type { EventData } from '../../../sdk/src/event-types.ts';
import { testBoth } from '../../../test/support/app.ts';
import {
  CREATE,
  ENTRY,
  makeEntry,
  PUBLISH,
  publishNew,
  REACT,
  TAKE_BACK,
  UPDATE,
} from '../../../test/support/changelog.ts';
import { fetchFile, listBytes, PNG, upload } from '../../../test/support/files.ts';
import { HOUR_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { makeFileFolder } from '../files/folder.ts';
import { cleanFiles, UNUSED_MS } from '../files/removing.ts';
import { publishDue } from './publishing.ts';

const LIST = `query($state: ChangelogState, $cursor: String, $limit: Int) {
  changelog(state: $state, cursor: $cursor, limit: $limit) { nodes { title } hasMore cursor }
}`;
const READ = `query($id: String, $number: Int) { changelogEntry(id: $id, number: $number) { ${ENTRY} } }`;

const titles = (page: { nodes: { title: string }[] }) => page.nodes.map(({ title }) => title);

testBoth('an entry is written, published and withdrawn, and only the team sees it in between', async (app) => {
  const { api, ask, clock } = app;
  await app.makeUser('bob');
  await app.makeUser('mod', 'MODERATOR');
  const [first, second] = [await app.makePost('First idea'), await app.makePost('Second idea')];
  await api.as('bob').upvotePost({ postId: second });
  const now = new Date(clock.now()).toISOString();
  const input = { title: 'Dark mode', text: '**Finally**', labels: ['FIXED', 'NEW', 'NEW'], postIds: [first, second] };
  const { createChangelogEntry: made } = await ask(CREATE, input, { as: 'mod' });
  const { id } = made;
  assert.deepEqual(made, {
    id,
    number: 1,
    title: 'Dark mode',
    text: '**Finally**',
    labels: ['NEW', 'FIXED'],
    state: 'DRAFT',
    dateScheduled: null,
    datePublished: null,
    dateCreated: now,
    dateUpdated: now,
    url: 'http://board.test/b/acme/changelog/1/dark-mode',
    author: { ssoId: 'mod' },
    posts: { nodes: [{ title: 'Second idea' }, { title: 'First idea' }] },
    files: [],
    reactions: ['THUMBS_UP', 'HEART', 'PARTY', 'EYES'].map((reaction) => ({ reaction, count: 0 })),
    viewerReactions: [],
  });
  const seen = async (as: string) => {
    const { changelogEntry } = await ask(READ, { id }, { as });
    const { changelogEntry: byNumber } = await ask(READ, { number: 1 }, { as });
    const { changelog } = await ask(LIST, { state: changelogEntry?.state ?? 'PUBLISHED' }, { as });
    const ways = [changelogEntry, byNumber, changelog.nodes[0]].map((entry) => entry?.title === 'Dark mode');
    assert.equal(new Set(ways).size, 1, `${as}: ${ways}`);
    return ways[0];
  };
  assert.deepEqual([await seen('mod'), await seen('bob')], [true, false]);
  assert.deepEqual((await ask(LIST, { state: 'DRAFT' }, { as: 'bob' })).changelog.nodes, []);
  clock.advance(SECOND_MS);
  const { publishChangelogEntry: published } = await ask(PUBLISH, { id }, { as: 'mod' });
  const datePublished = new Date(clock.now()).toISOString();
  assert.deepEqual([published.state, published.datePublished], ['PUBLISHED', datePublished]);
  clock.advance(SECOND_MS);
  assert.deepEqual((await ask(PUBLISH, { id }, { as: 'mod' })).publishChangelogEntry, published);
  assert.deepEqual([await seen('mod'), await seen('bob')], [true, true]);
  const post = await api.post({ id: first }, { changelogEntries: { nodes: { title: true } } });
  assert.deepEqual(post && titles(post.changelogEntries), ['Dark mode']);
  const changes = { title: 'Night mode', labels: [], postIds: [first] };
  const changed = await api
    .as('mod')
    .updateChangelogEntry(
      { id, ...changes },
      { title: true, text: true, labels: true, posts: { nodes: { title: true } } },
    );
  assert.deepEqual([changed.title, changed.text, changed.labels], ['Night mode', '**Finally**', []]);
  assert.deepEqual(titles(changed.posts), ['First idea']);
  await api.as('mod').updateChangelogEntry({ id, title: 'Dark mode' });
  assert.equal((await api.as('mod').unpublishChangelogEntry({ id }, { state: true })).state, 'DRAFT');
  assert.deepEqual([await seen('mod'), await seen('bob')], [true, false]);
  assert.equal((await api.as('mod').deleteChangelogEntry({ id }, { title: true })).title, 'Dark mode');
  assert.equal((await ask(READ, { id })).changelogEntry, null);
  await assert.rejects(api.publishChangelogEntry({ id }), { message: 'Changelog entry not found' });
  assert.equal(
    (await api.createChangelogEntry({ title: 'Dark mode' }, { number: true })).number,
    2,
    'numbers are not given twice',
  );
});

testBoth('the limits of an entry are those in the documents', async (app) => {
  const { api, gql, ask } = app;
  const fieldOf = async (query: string, variables: object) => {
    const [error] = (await gql(query, { ...variables })).errors;
    return error ? [error.extensions.code, error.extensions.field, error.message] : null;
  };
  const text = (length: number) => 'ä'.repeat(length);
  assert.equal(await fieldOf(CREATE, { title: text(1), text: '' }), null);
  assert.equal(await fieldOf(CREATE, { title: text(200), text: text(20_000) }), null);
  assert.deepEqual(await fieldOf(CREATE, { title: ' ' }), [
    ...['BAD_REQUEST', 'title', 'title must have 1 to 200 characters; it is empty'],
  ]);
  assert.deepEqual((await fieldOf(CREATE, { title: text(201) }))?.slice(0, 2), ['BAD_REQUEST', 'title']);
  assert.deepEqual((await fieldOf(CREATE, { text: text(20_001) }))?.slice(0, 2), ['BAD_REQUEST', 'text']);
  const id = await makeEntry(app);
  assert.deepEqual((await fieldOf(UPDATE, { id, title: '' }))?.slice(0, 2), ['BAD_REQUEST', 'title']);
  assert.deepEqual((await fieldOf(UPDATE, { id, text: text(20_001) }))?.slice(0, 2), ['BAD_REQUEST', 'text']);
  const posts: string[] = [];
  for (let n = 0; n < 51; n++) posts.push(await app.makePost(`Post ${n}`));
  assert.deepEqual(await fieldOf(UPDATE, { id, postIds: posts }), [
    ...['BAD_REQUEST', 'postIds', 'postIds must have at most 50 posts; it has 51'],
  ]);
  assert.equal(await fieldOf(UPDATE, { id, postIds: [...posts.slice(1), posts[1]] }), null);
  const changelogEntry = await api.changelogEntry({ id }, { posts: { $args: { limit: 100 }, nodes: { title: true } } });
  assert.equal(changelogEntry?.posts.nodes.length, 50);
  const files = Array.from({ length: 11 }, makeId);
  assert.deepEqual((await fieldOf(UPDATE, { id, files }))?.slice(0, 2), ['BAD_REQUEST', 'files']);
  assert.deepEqual(await fieldOf(UPDATE, { id, files: files.slice(1) }), ['NOT_FOUND', undefined, 'File not found']);
  const unknown = await fieldOf(UPDATE, { id, postIds: [...posts.slice(0, 5), makeId()] });
  assert.deepEqual(unknown, ['NOT_FOUND', undefined, 'Post not found']);
  assert.deepEqual(await fieldOf(READ, {}), ['BAD_REQUEST', 'id', 'Give either id or number']);
  assert.deepEqual(await fieldOf(READ, { id, number: 1 }), ['BAD_REQUEST', 'id', 'Give either id or number']);
  for (const number of [0, -1, 2_147_483_647]) assert.equal((await ask(READ, { number })).changelogEntry, null);
});

testBoth('entries are listed page by page, the newest first, whatever is added in between', async (app) => {
  const { api, ask, clock } = app;
  for (const title of ['A', 'B', 'C', 'D']) {
    await publishNew(app, { title });
    clock.advance(SECOND_MS);
  }
  const draft = await makeEntry(app, { title: 'Draft' });
  const { changelog: first } = await ask(LIST, { limit: 2 });
  assert.deepEqual([titles(first), first.hasMore], [['D', 'C'], true]);
  await api.publishChangelogEntry({ id: draft });
  const { changelog: second } = await ask(LIST, { limit: 2, cursor: first.cursor });
  assert.deepEqual(second, { nodes: [{ title: 'B' }, { title: 'A' }], hasMore: false, cursor: null });
  assert.deepEqual(titles((await ask(LIST)).changelog), ['Draft', 'D', 'C', 'B', 'A']);
  for (const title of ['E', 'F', 'G']) await makeEntry(app, { title });
  const { changelog: drafts } = await ask(LIST, { state: 'DRAFT', limit: 2 });
  assert.deepEqual(titles(drafts), ['G', 'F']);
  assert.deepEqual(titles((await ask(LIST, { state: 'DRAFT', cursor: drafts.cursor })).changelog), ['E']);
  const [error] = (await app.gql(LIST, { cursor: drafts.cursor })).errors;
  assert.deepEqual([error?.extensions.code, error?.extensions.field], ['BAD_REQUEST', 'cursor']);
});

testBoth('scheduled entries are published at their time, once, however many processes look', async (app) => {
  const { api, ask, clock } = app;
  const at = (milliseconds: number) => new Date(clock.now() + milliseconds).toISOString();
  const id = await makeEntry(app);
  for (const past of [at(-1), at(0)]) {
    await assert.rejects(api.publishChangelogEntry({ id, at: past }), { message: 'at must be in the future' });
  }
  const dateScheduled = at(HOUR_MS);
  const scheduled = await api.publishChangelogEntry({ id, at: dateScheduled }, { state: true, dateScheduled: true });
  assert.deepEqual([scheduled.state, scheduled.dateScheduled], ['SCHEDULED', dateScheduled]);
  assert.deepEqual(titles((await ask(LIST, { state: 'SCHEDULED' })).changelog), ['Dark mode']);
  assert.deepEqual(titles((await ask(LIST, { state: 'DRAFT' })).changelog), []);
  const cancelled = await makeEntry(app, { title: 'Cancelled' });
  await api.publishChangelogEntry({ id: cancelled, at: dateScheduled });
  await api.unpublishChangelogEntry({ id: cancelled });
  const deps = { ...app, baseUrl: 'http://board.test' };
  clock.advance(HOUR_MS - 1);
  await publishDue(deps);
  assert.equal((await ask(READ, { id })).changelogEntry.state, 'SCHEDULED');
  clock.advance(1);
  await Promise.all([publishDue(deps), publishDue(deps), publishDue(deps)]);
  const { changelogEntry } = await ask(READ, { id });
  assert.deepEqual([changelogEntry.state, changelogEntry.datePublished], ['PUBLISHED', dateScheduled]);
  const events = await api.events({}, { nodes: { type: true, data: true, actor: { id: true } } });
  const published = events.nodes.filter(({ type }) => type === 'changelog.published');
  assert.equal(published.length, 1);
  const [told] = published;
  assert.equal(told?.actor, null, 'the service did it');
  assert.equal((told.data as EventData['changelog.published']).entry.user, null);
  await assert.rejects(api.publishChangelogEntry({ id, at: at(HOUR_MS) }), { message: /unpublish it before/ });
  assert.equal((await ask(READ, { id: cancelled })).changelogEntry.state, 'DRAFT');
});

testBoth('each user has each reaction once, and erasing them takes theirs away', async (app) => {
  const { api, ask } = app;
  for (const name of ['bob', 'cleo']) await app.makeUser(name);
  const id = await publishNew(app);
  const react = async (query: string, reaction: string, as: string) => {
    const answer: object = Object.values(await ask(query, { id, reaction }, { as }))[0] as object;
    const { reactions, viewerReactions } = answer as { reactions: { count: number }[]; viewerReactions: string[] };
    return [reactions.map(({ count }) => count).join(' '), viewerReactions.toSorted().join(' ')];
  };
  assert.deepEqual(await react(REACT, 'HEART', 'bob'), ['0 1 0 0', 'HEART']);
  assert.deepEqual(await react(REACT, 'HEART', 'bob'), ['0 1 0 0', 'HEART']);
  assert.deepEqual(await react(REACT, 'PARTY', 'bob'), ['0 1 1 0', 'HEART PARTY']);
  assert.deepEqual(await react(REACT, 'HEART', 'cleo'), ['0 2 1 0', 'HEART']);
  assert.deepEqual(await react(TAKE_BACK, 'PARTY', 'bob'), ['0 2 0 0', 'HEART']);
  assert.deepEqual(await react(TAKE_BACK, 'PARTY', 'bob'), ['0 2 0 0', 'HEART']);
  await Promise.all(Array.from({ length: 20 }, () => react(REACT, 'EYES', 'cleo')));
  assert.deepEqual(await react(REACT, 'THUMBS_UP', 'cleo'), ['1 2 0 1', 'EYES HEART THUMBS_UP']);
  const draft = await makeEntry(app);
  await assert.rejects(api.as('bob').addChangelogReaction({ id: draft, reaction: 'HEART' }), {
    message: 'Changelog entry not found',
  });
});

testBoth('what an entry links is shown to those who may see it, and goes with it', async (app) => {
  const { api, ask } = app;
  await app.makeUser('bob');
  const [open, held, merged] = [await app.makePost('Open'), await app.makePost('Held'), await app.makePost('Merged')];
  await api.changePostModerationStatus({ id: held, moderationStatus: 'REJECTED' });
  await api.mergePosts({ sourceIds: [merged], targetId: open });
  await assert.rejects(api.createChangelogEntry({ title: 'Dark mode', postIds: [merged] }), {
    message: /was merged into another one/,
  });
  const id = await publishNew(app, { postIds: [open, held] });
  const seen = async (as: string) => titles((await ask(READ, { id }, { as })).changelogEntry.posts).toSorted();
  assert.deepEqual([await seen('ada'), await seen('bob')], [['Held', 'Open'], ['Open']]);
  const events = await api.as('bob').events({}, { nodes: { type: true, data: true } });
  const last = events.nodes.at(-1) ?? assert.fail();
  const { entry } = last.data as EventData['changelog.published'];
  assert.deepEqual(entry.posts, [{ id: open }], 'an event tells of public posts only');
});

testBoth('pictures of an entry are public once it is, and go with it', async (app) => {
  const { api, ask, db, clock, dataDir } = app;
  const [first, second] = [
    await upload(app, { filename: 'a.png', bytes: PNG }),
    await upload(app, { filename: 'b.png', bytes: PNG }),
  ];
  const id = await makeEntry(app, { files: [first.id] });
  const urlOf = async () => (await ask(READ, { id })).changelogEntry.files.map(({ url }: { url: string }) => url);
  const opens = async (url: string) => (await fetchFile(app, url)).statusCode === 200;
  const [ofDraft] = await urlOf();
  assert.deepEqual([await opens(ofDraft), await opens(first.url)], [true, false], 'the public URL waits');
  await api.publishChangelogEntry({ id });
  assert.deepEqual([await urlOf(), await opens(first.url)], [[first.url], true]);
  await api.unpublishChangelogEntry({ id });
  assert.equal(await opens(first.url), false);
  await api.updateChangelogEntry({ id, files: [second.id] });
  assert.deepEqual((await ask(READ, { id })).changelogEntry.files.length, 1);
  await assert.rejects(app.api.createChangelogEntry({ title: 'Dark mode', files: [second.id] }), { code: 'CONFLICT' });
  clock.advance(2 * UNUSED_MS);
  const clean = () => cleanFiles({ db, clock, folder: makeFileFolder(dataDir) });
  await clean();
  assert.deepEqual(listBytes(app), [second.id]);
  await api.deleteChangelogEntry({ id });
  await clean();
  assert.deepEqual(listBytes(app), []);
});
