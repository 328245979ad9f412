import assert from 'node:assert/strict';
import { recount } from '../../../test/crash/recount.ts';
import { testBoth } from '../../../test/support/app.ts';
import {
  CREATE_POST,
  countsOf,
  DELETE_POST,
  DELETE_TAG,
  makeTag,
  makeTags,
  namesOf,
  RESTORE_POST,
  SET_TAGS,
  UPDATE_TAG,
} from '../../../test/support/tags.ts';

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
  const first = await app.ask(CREATE_POST, { tagIds: [bug], externalId: 'x-1' });
  for (const tagIds of [[idea], ['gone'], [], null]) {
    assert.deepEqual(await app.ask(CREATE_POST, { tagIds, externalId: 'x-1' }), first);
  }
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
  for (const query of [CREATE_POST, SET_TAGS]) {
    for (const count of [49, 50]) {
      const data = await app.ask(query, { id, tagIds: [...ids.slice(0, count), ids[0]] });
      assert.equal((data.createPost ?? data.updatePost.node).tags.length, count);
    }
    const [error] = (await app.gql(query, { id, tagIds: ids })).errors;
    assert.deepEqual(
      [error?.extensions.code, error?.extensions.field, error?.message],
      ['BAD_REQUEST', 'tagIds', 'tagIds must have at most 50 tags; it has 51'],
    );
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
  const title =
    'mutation($id: String!, $tagIds: [String!]) { updatePost(id: $id, title: "Dim", tagIds: $tagIds) { node { url } } }';
  const { url } = (await app.ask(title, { id, tagIds: [secret, idea, bug] }, { as: 'mod' })).updatePost.node;
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
  const ids = await makeTags(app, ...Array.from({ length: 8 }, (_, n) => `Tag ${n}`));
  const posts = await Promise.all(Array.from({ length: 6 }, (_, n) => app.makePost(`Post ${n}`)));
  const some = (n: number) => {
    const chosen = [...ids, ...ids].slice(n % 8, (n % 8) + 3);
    return n % 2 ? chosen : chosen.reverse();
  };
  const change = (n: number) => {
    const id = posts[Math.trunc(n / 10) % 6];
    if (n === 40) return app.gql(DELETE_TAG, { id: ids[7] });
    switch (n % 10) {
      case 3:
        return app.gql(DELETE_POST, { id });
      case 4:
        return app.gql(RESTORE_POST, { id });
      case 5:
        return app.gql(CREATE_POST, { tagIds: some(n), externalId: `x-${n % 4}` });
      case 6:
        return app.gql(CREATE_POST, { tagIds: some(n) });
      case 7:
        return app.gql(UPDATE_TAG, { id: ids[n % 8], name: `Renamed ${n}` });
      default:
        return app.gql(SET_TAGS, { id: posts[n % 6], tagIds: some(n) });
    }
  };
  const answers = await Promise.all(Array.from({ length: 80 }, (_, n) => change(n)));
  const codes = answers.map(({ errors }) => errors[0]?.extensions.code ?? 'OK');
  assert.deepEqual(
    codes.filter((code) => code !== 'OK' && code !== 'NOT_FOUND'),
    [],
  );
  assert.ok(codes.filter((code) => code === 'OK').length >= 40);
  assert.deepEqual(await recount(app.db.read), []);
});
