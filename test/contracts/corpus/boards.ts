import type { BoardRow } from '../../../src/identity/board/board.ts';
import type { TestApp } from '../../support/app.ts';
import { makeField, put, SET_PROPERTIES } from '../../support/fields.ts';

/** A board that documents run on: its key, and the ids that stand for names in documents. */
export type SampleBoard = { board: BoardRow; key: string; ids: Map<string, string> };

/** Fills the board of the app as people do. */
export async function fillBoard(app: TestApp): Promise<SampleBoard> {
  const { ask, makeUser, makePost, clock } = app;
  const ids = new Map<string, string>();
  const profile =
    'email: "ben@example.com", bio: "Hi", imageUrl: "https://example.com/b.png", attributes: { plan: "pro", n: [1] }';
  await ask(`mutation { createUser(ssotype: "SSO", userId: "ada", email: "ada@example.com") { id } }`);
  ids.set(
    'ben',
    (await ask(`mutation { createUser(ssotype: "SSO", userId: "ben", name: "ben", ${profile}) { id } }`)).createUser.id,
  );
  await makeUser('cleo', 'MODERATOR');
  for (const name of ['dark', 'locked', 'deleted']) {
    clock.advance(1_000);
    ids.set(name, await makePost(`A ${name} post 🌒`));
  }
  clock.advance(1_000);
  const bare = await ask('mutation { createPost(title: "Bare") { id } }', {}, { as: 'ben' });
  ids.set('bare', bare.createPost.id);
  const { listStatuses } = await ask('{ listStatuses { id name } }');
  for (const status of listStatuses) ids.set(status.name.toLowerCase(), status.id);
  const comment = 'mutation($id: String!, $text: String!) { createComment(postId: $id, text: $text) { id } }';
  for (const [name, as] of [
    ['praise', 'ben'],
    ['doubt', 'cleo'],
    ['thanks', 'ada'],
  ] as const) {
    clock.advance(1_000);
    ids.set(name, (await ask(comment, { id: ids.get('dark'), text: `Some ${name}` }, { as })).createComment.id);
  }
  await ask('mutation($id: String!) { upvotePost(postId: $id) { id } }', { id: ids.get('dark') }, { as: 'cleo' });
  await ask('mutation($id: String!) { upvotePost(postId: $id) { id } }', { id: ids.get('dark') });
  await ask('mutation($id: String!) { updatePost(id: $id, isLocked: true) { node { id } } }', {
    id: ids.get('locked'),
  });
  const status =
    'mutation($id: String!) { changePostStatus(postId: $id, statusType: COMPLETED, comment: "Done") { id } }';
  await ask(status, { id: ids.get('locked') });
  for (const [name, isPrivate] of [
    ['bug', false],
    ['secret', true],
  ] as const) {
    const tag =
      'mutation($name: String!, $isPrivate: Boolean) { createTag(name: $name, isPrivate: $isPrivate) { id } }';
    ids.set(name, (await ask(tag, { name, isPrivate })).createTag.id);
  }
  await ask('mutation($id: String!, $tagIds: [String!]) { updatePost(id: $id, tagIds: $tagIds) { node { id } } }', {
    id: ids.get('dark'),
    tagIds: [ids.get('bug'), ids.get('secret')],
  });
  await ask('mutation($id: String!) { deletePost(postId: $id) { id } }', { id: ids.get('deleted') });
  const options = [{ name: 'Free' }, { id: 'pro', name: 'Pro', color: '#fff' }];
  const plan = await makeField(app, 'Plan', { type: 'SELECTION', options, locations: ['FORM'] });
  ids.set('plan', plan.id);
  const note = await makeField(app, 'Note', { visibility: 'TEAM', description: 'For us' });
  await ask(SET_PROPERTIES, { id: ids.get('dark'), properties: [put(plan, 'Pro'), put(note, 'A deal')] });
  await addConversation(app, ids);
  return { board: app.board, key: app.key, ids };
}

/** A reply, an internal and a rejected comment, a post that is held back, one that is merged, and an assignment. */
async function addConversation({ ask, makePost, clock }: TestApp, ids: Map<string, string>): Promise<void> {
  clock.advance(1_000);
  const id = ids.get('dark');
  const add = async (name: string, variables: object, as: string) => {
    const query = `mutation($id: String!, $text: String!, $type: CommentType, $parentId: String) {
      createComment(postId: $id, text: $text, type: $type, parentId: $parentId) { id }
    }`;
    ids.set(name, (await ask(query, { id, text: `Some ${name}`, ...variables }, { as })).createComment.id);
    clock.advance(1_000);
  };
  await add('reply', { parentId: ids.get('praise') }, 'cleo');
  await add('whisper', { type: 'INTERNAL' }, 'cleo');
  await add('spam', {}, 'ben');
  for (const name of ['held', 'merged']) ids.set(name, await makePost(`A ${name} post`, { as: 'ben' }));
  const change = (field: string, variables: Record<string, string | undefined>) => {
    const declared = Object.keys(variables).map((name) => `$${name}: String!`);
    return ask(`mutation(${declared.join(', ')}) { ${field} }`, variables);
  };
  await change('changeCommentModerationStatus(id: $id, moderationStatus: REJECTED) { id }', { id: ids.get('spam') });
  await change('changePostModerationStatus(id: $id, moderationStatus: PENDING) { id }', { id: ids.get('held') });
  await change('upvotePost(postId: $id) { id }', { id: ids.get('merged') });
  await change('mergePosts(sourceIds: [$s], targetId: $t) { id }', { s: ids.get('merged'), t: id });
  await change('assignPost(postId: $id, user: { ssotype: "SSO", userId: "cleo" }) { id }', { id });
}

/** Makes a board with rows that no feature writes: counts and dates out of range, and references to nothing. */
export async function makeBrokenBoard({ ask, db, makeBoard, makeKey, makeUser, clock }: TestApp): Promise<SampleBoard> {
  const board = await makeBoard({ name: 'Broken' });
  const key = await makeKey({}, board);
  const ids = new Map<string, string>();
  for (const user of ['ada', 'ben', 'wizard']) await makeUser(user, undefined, { key });
  for (const name of ['many votes', 'no date', 'no status', 'nobody']) {
    clock.advance(1_000);
    const query = 'mutation($title: String!) { createPost(title: $title, comment: "Because.") { id } }';
    ids.set(name, (await ask(query, { title: name }, { key })).createPost.id);
  }
  const nothing = '00000000-0000-0000-0000-000000000000';
  await db.transaction(async (tx) => {
    const post = (name: string) =>
      tx
        .updateTable('posts')
        .where('board_id', '=', board.id)
        .where('id', '=', ids.get(name) ?? '');
    await post('many votes').set({ upvotes: 5_000_000_000, downvotes: 6_000_000_000 }).execute();
    await post('no date').set({ date_created: 9_000_000_000_000_000, date_completed: 9_000_000_000_000_000 }).execute();
    await post('no status').set({ status_id: nothing }).execute();
    await post('nobody').set({ author_id: null }).execute();
    const comments = tx.updateTable('comments').where('board_id', '=', board.id);
    await comments
      .where('post_id', '=', ids.get('nobody') ?? '')
      .set({ user_id: nothing })
      .execute();
    const users = tx.updateTable('users').where('board_id', '=', board.id).where('sso_id', '=', 'wizard');
    await users.set({ role: 'WIZARD' as 'MEMBER', attributes: 'not JSON' }).execute();
    const events = tx.updateTable('events').where('board_id', '=', board.id);
    await events
      .where('post_id', '=', ids.get('many votes') ?? '')
      .set({ body: '{"data":null}' })
      .execute();
  });
  return { board, key, ids };
}
