import assert from 'node:assert/strict';
import { recount } from '../../../test/crash/recount.ts';
import { type Calls, errorOf } from '../../../test/support/api.ts';
import { testBoth } from '../../../test/support/app.ts';
import { countsOf, makeTag, makeTags, namesOf } from '../../../test/support/tags.ts';
import { findUserById, type Role } from '../../identity/users/users.ts';
import { countHiddenPosts } from './counting.ts';

testBoth('the tags of a board come by name, and one by its id', async (app) => {
  const createTag = await app.api.createTag(
    { name: ' Usability ', color: '#1B763A' },
    { id: true, name: true, color: true, isPrivate: true, postCount: true },
  );
  assert.deepEqual(
    { ...createTag, id: '' },
    { id: '', name: 'Usability', color: '#1B763A', isPrivate: false, postCount: 0 },
  );
  await makeTags(app, 'ähnlich', 'Bug', 'api', '🌒');
  const { listTags, board, tag } = await app.ask(
    'query($id: String!) { listTags { name } board { tags { name } } tag(id: $id) { name color } }',
    { id: createTag.id },
  );
  assert.deepEqual(namesOf(listTags), ['api', 'Bug', 'Usability', 'ähnlich', '🌒']);
  assert.deepEqual(board.tags, listTags);
  assert.deepEqual(tag, { name: 'Usability', color: '#1B763A' });
});

testBoth('no two tags of a board differ only by upper and lower case', async (app) => {
  const [bug, idea] = await makeTags(app, 'Größe', 'Idea');
  await assert.rejects(app.api.createTag({ name: 'GRÖßE' }), {
    code: 'CONFLICT',
    message: 'There is already a tag "Größe"',
  });
  await assert.rejects(app.api.updateTag({ id: idea, name: 'Gro\u0308ße' }), { code: 'CONFLICT' });
  assert.equal((await app.api.updateTag({ id: bug, name: 'GRÖßE' }, { name: true })).name, 'GRÖßE');
  const key = await app.makeKey({}, await app.makeBoard());
  await app.makeUser('zoe', undefined, { key });
  assert.deepEqual(await app.api.as({ key, as: 'zoe' }).listTags({ name: true }), []);
});

testBoth('many calls at once for one name make one tag', async (app) => {
  const calls = Array.from({ length: 20 }, (_, n) => errorOf(app.api.createTag({ name: n % 2 ? 'Bug' : 'BUG' })));
  const codes = (await Promise.all(calls)).map((error) => error?.code ?? 'made');
  assert.deepEqual([codes.filter((code) => code === 'made').length, new Set(codes).size], [1, 2]);
  const [first, second] = await makeTags(app, 'One', 'Two');
  const renames = [first, second].map((id) => errorOf(app.api.updateTag({ id, name: 'Three' })));
  assert.deepEqual((await Promise.all(renames)).map((error) => error?.code ?? '').sort(), ['', 'CONFLICT']);
});

testBoth('every limit of a tag is tested at, below and above it', async ({ api }) => {
  const problem = (variables: object) => errorOf(api.createTag({ name: 'T', ...variables }));
  assert.equal(await problem({ name: 'x' }), undefined);
  assert.equal(await problem({ name: '👍'.repeat(50) }), undefined);
  assert.equal((await problem({ name: 'x'.repeat(51) }))?.message, 'name must have 1 to 50 characters; it has 51');
  assert.equal((await problem({ name: ' ' }))?.message, 'name must have 1 to 50 characters; it is empty');
  assert.equal(await problem({ name: 'a', color: '#fff' }), undefined);
  assert.equal(await problem({ name: 'b', color: '#12aBcD' }), undefined);
  for (const color of ['', 'red', '#ff', '#ffff', '#12345', '#1234567', '#ggg', '#fff\n', 'url(#fff)']) {
    const error = await problem({ color });
    assert.deepEqual([error?.code, error?.field], ['BAD_REQUEST', 'color'], color);
  }
});

testBoth('updateTag changes what is given', async (app) => {
  const tag = await app.api.createTag({ name: 'Bug', color: '#fff' });
  const { id } = tag;
  const change = (variables: object) =>
    app.api.updateTag({ id, ...variables }, { id: true, name: true, color: true, isPrivate: true });
  assert.deepEqual(await change({}), { id, name: 'Bug', color: '#fff', isPrivate: false });
  assert.deepEqual(await change({ name: null, isPrivate: true }), { id, name: 'Bug', color: '#fff', isPrivate: true });
  assert.deepEqual(await change({ name: 'Fault', color: null }), { id, name: 'Fault', color: null, isPrivate: true });
  await assert.rejects(app.api.updateTag({ id, color: 'red' }), { field: 'color' });
});

testBoth('moderators and up create, change and delete tags, and set those of a post', async (app) => {
  await app.makeUser('bob');
  await app.makeUser('mod', 'MODERATOR');
  await app.api.createUser({ ssoType: 'SSO', ssoId: 'bot', isApiUser: true });
  const [id] = await makeTags(app, 'Bug');
  const post = await app.makePost('Mine', { as: 'bob' });
  const changes: ((api: Calls) => Promise<unknown>)[] = [
    (api) => api.createTag({ name: 'Idea' }),
    (api) => api.updateTag({ id, name: 'Fault' }),
    (api) => api.updatePost({ id: post, tagIds: [id] }),
    (api) => api.deleteTag({ id }),
  ];
  for (const change of changes) {
    for (const as of ['bob', 'bot']) await assert.rejects(change(app.api.as(as)), { code: 'FORBIDDEN' });
    await change(app.api.as('mod'));
  }
});

testBoth('private tags are visible to the team, and hidden from members and anonymous requests', async (app) => {
  await app.makeUser('bob');
  await app.makeUser('mod', 'MODERATOR');
  await app.makeUser('root', 'ADMIN');
  const [open] = await makeTags(app, 'Open');
  const secret = await makeTag(app, 'Churn risk', true);
  const post = await app.api.createPost({ title: 'Dark mode', tagIds: [secret, open] });
  const look = `query($post: String!, $tag: String!) {
    listTags { name } board { tags { name } } tag(id: $tag) { name } post(id: $post) { tags { name } }
    posts { nodes { tags { name } } }
  }`;
  for (const [as, names] of [
    ['bob', ['Open']],
    ['mod', ['Churn risk', 'Open']],
    ['root', ['Churn risk', 'Open']],
    ['ada', ['Churn risk', 'Open']],
  ] as const) {
    const seen = await app.ask(look, { post: post.id, tag: secret }, { as });
    for (const tags of [seen.listTags, seen.board.tags, seen.post.tags, seen.posts.nodes[0].tags]) {
      assert.deepEqual(namesOf(tags), names, as);
    }
    assert.equal(seen.tag?.name, as === 'bob' ? undefined : 'Churn risk');
  }
  const { listTags, board } = await app.ask('{ listTags { name } board { tags { name } } }', {}, { as: null });
  assert.deepEqual([namesOf(listTags), namesOf(board.tags)], [['Open'], ['Open']]);
  const log = JSON.stringify(await app.ask('{ events { nodes { data } } }'));
  assert.ok(log.includes('Open') && !log.includes('Churn'));
});

testBoth('a tag of another board, a deleted tag and a malformed id are not found', async (app) => {
  const key = await app.makeKey({}, await app.makeBoard());
  await app.makeUser('zoe', undefined, { key });
  const [here, gone] = await makeTags(app, 'Here', 'Gone');
  await app.api.deleteTag({ id: gone });
  const post = await app.makePost('Post', { key, as: 'zoe' });
  assert.equal(await app.api.as({ key, as: 'zoe' }).tag({ id: here }), null);
  await assert.rejects(app.api.as({ key, as: 'zoe' }).createPost({ title: 'Dark mode', tagIds: [here] }), {
    message: 'Tag not found',
  });
  const own = await app.makePost('Own');
  for (const id of [gone, post, 'x', '', 'a\u0000b', "' or 1=1 --"]) {
    assert.equal(await app.api.tag({ id }), null);
    for (const call of [
      () => app.api.createPost({ title: 'Dark mode', tagIds: [here, id] }),
      () => app.api.updatePost({ id: own, tagIds: [here, id] }),
      () => app.api.updateTag({ id, name: 'New' }),
      () => app.api.deleteTag({ id }),
    ]) {
      await assert.rejects(call, { code: 'NOT_FOUND', message: 'Tag not found' });
    }
  }
  assert.equal(await countsOf(app), 'Here 0');
});

testBoth('deleteTag takes the tag off its posts, deleted ones too, without an event', async (app) => {
  const [bug, idea] = await makeTags(app, 'Bug', 'Idea');
  const kept = (await app.api.createPost({ title: 'Dark mode', tagIds: [bug, idea] })).id;
  const gone = (await app.api.createPost({ title: 'Dark mode', tagIds: [bug] })).id;
  await app.api.deletePost({ postId: gone });
  const events = '{ events { nodes { type } } }';
  const before = await app.ask(events);
  assert.deepEqual(await app.api.deleteTag({ id: bug }, { id: true, name: true }), { id: bug, name: 'Bug' });
  assert.deepEqual(await app.ask(events), before);
  const post = await app.api.post({ id: kept }, { tags: { name: true } });
  assert.deepEqual(post?.tags, [{ name: 'Idea' }]);
  assert.deepEqual((await app.api.restorePost({ id: gone }, { tags: { name: true } })).tags, []);
  assert.equal(await countsOf(app), 'Idea 1');
  assert.deepEqual(await recount(app.db.read), []);
});

testBoth('counts of tags leave out only what the viewer does not see', async (app) => {
  const tag = await app.api.createTag({ name: 'Bug' });
  const status = await app.api.createStatus({ name: 'Secret', color: '#000' });
  await app.api.updateStatus({ id: status.id, postVisibility: 'HIDDEN' });
  const id = await app.makePost('Post');
  await app.api.updatePost({ id, tagIds: [tag.id] });
  await app.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: status.id });
  const countHidden = async (role: Role) => {
    const { db, clock, board } = app;
    const actor = await findUserById(db.read, board.id, await app.makeUser(role.toLowerCase(), role));
    return (await countHiddenPosts({ db, clock, board, actor, baseUrl: '' })).get(tag.id);
  };
  assert.deepEqual(await Promise.all((['MEMBER', 'MODERATOR', 'ADMIN'] as const).map(countHidden)), [1, 1, undefined]);
});
