import assert from 'node:assert/strict';
import { recount } from '../../../test/crash/recount.ts';
import { errorOf } from '../../../test/support/api.ts';
import { testBoth } from '../../../test/support/app.ts';
import { countsOf, makeTag, makeTags, namesOf } from '../../../test/support/tags.ts';

testBoth('people choose public tags for their new posts', async (app) => {
  await app.makeUser('bob');
  const [bug = '', idea = ''] = await makeTags(app, 'Bug', 'Idea');
  const secret = await makeTag(app, 'Secret', true);
  const post = await app.api
    .as('bob')
    .createPost({ title: 'Dark mode', tagIds: [idea, bug, idea] }, { tags: { name: true } });
  assert.deepEqual(namesOf(post.tags), ['Bug', 'Idea']);
  assert.equal(await countsOf(app), 'Bug 1, Idea 1, Secret 0');
  await assert.rejects(app.api.as('bob').createPost({ title: 'Dark mode', tagIds: [bug, secret] }), {
    code: 'NOT_FOUND',
    message: 'Tag not found',
  });
  assert.equal(await countsOf(app), 'Bug 1, Idea 1, Secret 0');
});

testBoth('createPost with a known externalId leaves the tags of its post alone', async (app) => {
  const [bug, idea] = await makeTags(app, 'Bug', 'Idea');
  const create = (tagIds: string[] | null) =>
    app.api.createPost({ title: 'Dark mode', tagIds, externalId: 'x-1' }, { id: true, tags: { name: true } });
  const first = await create([bug]);
  for (const tagIds of [[idea], ['gone'], [], null]) assert.deepEqual(await create(tagIds), first);
  assert.equal(await countsOf(app), 'Bug 1, Idea 0');
});

testBoth('updatePost gives a post exactly the tags that are named', async (app) => {
  const [bug, idea, later] = await makeTags(app, 'Bug', 'Idea', 'Later');
  const id = await app.makePost('Post');
  const set = async (tagIds?: string[] | null) =>
    namesOf((await app.api.updatePost({ id, tagIds }, { tags: { name: true } })).tags);
  assert.deepEqual(await set([idea, bug]), ['Bug', 'Idea']);
  assert.deepEqual(await set([later, bug, later]), ['Bug', 'Later']);
  assert.deepEqual(await set(null), ['Bug', 'Later']);
  assert.deepEqual(await set(), ['Bug', 'Later']);
  assert.equal(await countsOf(app), 'Bug 1, Idea 0, Later 1');
  assert.deepEqual(await set([]), []);
  assert.equal(await countsOf(app), 'Bug 0, Idea 0, Later 0');
});

testBoth('a post has at most 50 tags', async (app) => {
  const ids = await makeTags(app, ...Array.from({ length: 51 }, (_, n) => `Tag ${String(n).padStart(2, '0')}`));
  const id = await app.makePost('Post');
  for (const give of [
    (tagIds: string[]) => app.api.createPost({ title: 'Dark mode', tagIds }, { tags: { id: true } }),
    (tagIds: string[]) => app.api.updatePost({ id, tagIds }, { tags: { id: true } }),
  ]) {
    for (const count of [49, 50]) {
      const { tags } = await give([...ids.slice(0, count), ...ids.slice(0, 1)]);
      assert.equal(tags.length, count);
    }
    const message = 'tagIds must have at most 50 tags; it has 51';
    await assert.rejects(give(ids), { code: 'BAD_REQUEST', field: 'tagIds', message });
  }
});

testBoth('the counts of tags follow posts that are deleted and come back', async (app) => {
  const [bug, idea] = await makeTags(app, 'Bug', 'Idea');
  const post = await app.api.createPost({ title: 'Dark mode', tagIds: [bug, idea] });
  await app.api.createPost({ title: 'Dark mode', tagIds: [bug] });
  const { id } = post;
  assert.equal(await countsOf(app), 'Bug 2, Idea 1');
  assert.deepEqual(namesOf((await app.api.deletePost({ postId: id }, { tags: { name: true } })).tags), ['Bug', 'Idea']);
  assert.equal(await countsOf(app), 'Bug 1, Idea 0');
  assert.deepEqual(namesOf((await app.api.restorePost({ id }, { tags: { name: true } })).tags), ['Bug', 'Idea']);
  await app.api.restorePost({ id });
  assert.equal(await countsOf(app), 'Bug 2, Idea 1');
  assert.deepEqual(await recount(app.db.read), []);
});

testBoth('post.tags.updated comes once, and only when public tags of a post have changed', async (app) => {
  await app.makeUser('mod', 'MODERATOR');
  const [bug = '', idea = ''] = await makeTags(app, 'Bug', 'Idea');
  const secret = await makeTag(app, 'Secret', true);
  const { id } = await app.api.createPost({ title: 'Dark mode', tagIds: [bug, secret] });
  const changes = { title: 'Dim', tagIds: [secret, idea, bug] };
  const { url } = await app.api.as('mod').updatePost({ id, ...changes }, { url: true });
  for (const tagIds of [[bug, idea, secret, bug], [bug, idea], [idea, bug, secret], null]) {
    await app.api.updatePost({ id, tagIds });
  }
  await app.api.updatePost({ id, tagIds: [] });
  await app.api.updatePost({ id, tagIds: [idea, secret] });
  await app.api.deletePost({ postId: id });
  const { events, mod, ada } = await app.ask(`{
    events { nodes { type data post { id } actor { ssoId } } }
    mod: user(ssoId: "mod") { id name } ada: user(ssoId: "ada") { id name }
  }`);
  const [created, changed, cleared, again, deleted, ...more] = events.nodes;
  const tags = { bug: { id: bug, name: 'Bug' }, idea: { id: idea, name: 'Idea' } };
  const post = { id, title: 'Dim', url };
  assert.deepEqual([created.type, created.data.post.tags], ['post.created', [tags.bug]]);
  assert.deepEqual(changed, {
    type: 'post.tags.updated',
    data: { post, tags: [tags.bug, tags.idea], previousTags: [tags.bug], user: mod },
    post: null,
    actor: { ssoId: 'mod' },
  });
  assert.deepEqual(cleared.data, { post, tags: [], previousTags: [tags.bug, tags.idea], user: ada });
  assert.deepEqual(again.data, { post, tags: [tags.idea], previousTags: [], user: ada });
  assert.deepEqual([deleted.type, deleted.data.post.tags, more], ['post.deleted', [tags.idea], []]);
});

testBoth('counts stay right when everything changes tags at once', async (app) => {
  const { api } = app;
  const ids = await makeTags(app, ...Array.from({ length: 8 }, (_, n) => `Tag ${n}`));
  const posts = await Promise.all(Array.from({ length: 6 }, (_, n) => app.makePost(`Post ${n}`)));
  const some = (n: number) => {
    const chosen = [...ids, ...ids].slice(n % 8, (n % 8) + 3);
    return n % 2 ? chosen : chosen.reverse();
  };
  const change = (n: number) => {
    const { [Math.trunc(n / 10) % 6]: postId = '', [n % 6]: id = '' } = posts;
    if (n === 40) return api.deleteTag({ id: ids[7] ?? '' });
    switch (n % 10) {
      case 3:
        return api.deletePost({ postId });
      case 4:
        return api.restorePost({ id: postId });
      case 5:
        return api.createPost({ title: 'Dark mode', tagIds: some(n), externalId: `x-${n % 4}` });
      case 6:
        return api.createPost({ title: 'Dark mode', tagIds: some(n) });
      case 7:
        return api.updateTag({ id: ids[n % 8] ?? '', name: `Renamed ${n}` });
      default:
        return api.updatePost({ id, tagIds: some(n) });
    }
  };
  const errors = await Promise.all(Array.from({ length: 80 }, (_, n) => errorOf(change(n))));
  const codes = errors.map((error) => error?.code ?? 'OK');
  assert.deepEqual(
    codes.filter((code) => code !== 'OK' && code !== 'NOT_FOUND'),
    [],
  );
  assert.ok(codes.filter((code) => code === 'OK').length >= 40);
  assert.deepEqual(await recount(app.db.read), []);
});
