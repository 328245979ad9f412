import { setRole } from '../../../src/identity/users/users.ts';
import type { GqlOptions, TestApp } from '../../support/app.ts';
import { DELETE_ENTRY, publishNew } from '../../support/changelog.ts';
import { upload } from '../../support/files.ts';

/** Ids of rows by what they are ids of. */
export type Rows = Record<string, string>;

/** How a row of each kind is made. */
export const makeRow = {
  post: (app: TestApp, options?: GqlOptions) => app.makePost('Dark mode', options),
  async 'deleted post'(app: TestApp, options?: GqlOptions) {
    const id = await makeRow.post(app, options);
    await app.ask('mutation($id: String!) { deletePost(postId: $id) { id } }', { id }, options);
    return id;
  },
  async 'merged post'(app: TestApp, options?: GqlOptions) {
    const [id, target] = [await makeRow.post(app, options), await makeRow.post(app, options)];
    const merge = 'mutation($id: String!, $target: String!) { mergePosts(sourceIds: [$id], targetId: $target) { id } }';
    await app.ask(merge, { id, target }, options);
    return id;
  },
  async comment(app: TestApp, options?: GqlOptions, postId?: string) {
    const id = postId ?? (await makeRow.post(app, options));
    const create = 'mutation($id: String!) { createComment(postId: $id, text: "Yes") { id } }';
    return (await app.ask(create, { id }, options)).createComment.id as string;
  },
  async 'deleted comment'(app: TestApp, options?: GqlOptions) {
    const id = await makeRow.comment(app, options);
    await app.ask('mutation($id: String!) { deleteComment(id: $id) { id } }', { id }, options);
    return id;
  },
  async operation(app: TestApp, options?: GqlOptions) {
    const id = await makeRow.post(app, options);
    const { headers } = await app.gql(
      'mutation($id: String!) { updatePost(id: $id, isLocked: true) { node { id } } }',
      { id },
      options,
    );
    return String(headers['earshot-operation-id']);
  },
  async tag(app: TestApp, options?: GqlOptions) {
    const create = 'mutation($name: String!) { createTag(name: $name) { id } }';
    return (await app.ask(create, { name: `Tag ${names++}` }, options)).createTag.id as string;
  },
  async 'deleted tag'(app: TestApp, options?: GqlOptions) {
    const id = await makeRow.tag(app, options);
    await app.ask('mutation($id: String!) { deleteTag(id: $id) { id } }', { id }, options);
    return id;
  },
  async status(app: TestApp, options?: GqlOptions) {
    const { listStatuses } = await app.ask('{ listStatuses { id type } }', {}, options);
    const found = listStatuses.find(({ type }: { type: string }) => type === 'CUSTOM');
    return (found?.id as string | undefined) ?? makeStatus(app, options);
  },
  async 'deleted status'(app: TestApp, options?: GqlOptions) {
    const id = await makeStatus(app, options);
    await app.ask('mutation($id: String!) { deleteStatus(id: $id) { id } }', { id }, options);
    return id;
  },
  async field(app: TestApp, options?: GqlOptions) {
    const { listFields } = await app.ask('{ listFields { id type } }', {}, options);
    const found = listFields.find(({ type }: { type: string }) => type === 'TEXT');
    return (found?.id as string | undefined) ?? makeField(app, options);
  },
  async 'deleted field'(app: TestApp, options?: GqlOptions) {
    const id = await makeField(app, options);
    await app.ask('mutation($id: String!) { deleteField(id: $id) { node { id } } }', { id }, options);
    return id;
  },
  async board(app: TestApp, options?: GqlOptions) {
    return (await app.ask('{ board { id } }', {}, options)).board.id as string;
  },
  async file(app: TestApp, options?: GqlOptions) {
    return (await upload(app, { bytes: 'Bytes' }, options)).id;
  },
  async 'used file'(app: TestApp, options?: GqlOptions) {
    const { id } = await upload(app, { bytes: 'Bytes' }, options);
    await app.ask(
      'mutation($id: String) { createPost(title: "T", comment: "C", files: [$id]) { id } }',
      { id },
      options,
    );
    return id;
  },
  entry: (app: TestApp, options?: GqlOptions) => publishNew(app, {}, options),
  async 'deleted entry'(app: TestApp, options?: GqlOptions) {
    const id = await makeRow.entry(app, options);
    await app.ask(DELETE_ENTRY, { id }, options);
    return id;
  },
  async user(app: TestApp, options?: GqlOptions) {
    return (await app.ask('{ viewer { user { id } } }', {}, options)).viewer.user.id as string;
  },
};
export type Kind = keyof typeof makeRow;

let names = 0;

async function makeField(app: TestApp, options?: GqlOptions): Promise<string> {
  const create = `mutation($board: String!, $label: String!) {
    createField(boardId: $board, label: $label, type: TEXT) { node { id } }
  }`;
  const variables = { board: await makeRow.board(app, options), label: `Field ${names++}` };
  return (await app.ask(create, variables, options)).createField.node.id;
}

async function makeStatus(app: TestApp, options?: GqlOptions): Promise<string> {
  const create = 'mutation($name: String!) { createStatus(name: $name, color: "#fff") { id } }';
  return (await app.ask(create, { name: `Status ${names++}` }, options)).createStatus.id;
}

/** One row of each kind on the board of the app; the comment is on the post. */
export async function rowsOf(app: TestApp, options?: GqlOptions): Promise<Rows> {
  const rows: Rows = {};
  for (const [what, make] of Object.entries(makeRow)) rows[what] = await make(app, options);
  return { ...rows, comment: await makeRow.comment(app, options, rows.post) };
}

/** One row of each kind on a board that the app's key does not lead to. */
export async function rowsElsewhere(app: TestApp): Promise<Rows> {
  const board = await app.makeBoard();
  const key = await app.makeKey({}, board);
  await app.makeUser('ada', undefined, { key });
  const { db, clock } = app;
  await setRole({ db, clock, board }, { ssoType: 'SSO', ssoId: 'ada' }, 'OWNER');
  return rowsOf(app, { key });
}
