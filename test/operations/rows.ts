import { setRole } from '../../src/identity/users/users.ts';
import type { Calls } from '../support/api.ts';
import type { GqlOptions, TestApp } from '../support/app.ts';
import { upload } from '../support/files.ts';
import { addTracker, issueUrl } from '../support/trackers.ts';

/** Ids of rows by what they are ids of. */
export type Rows = Record<string, string>;

/** A board to make rows on, as its owner. */
type Place = { app: TestApp; api: Calls; options: GqlOptions };

/** How a row of each kind is made. */
export const makeRow = {
  async post({ app, api }: Place) {
    await addTracker(app, (await api.board({ id: true })).id);
    return (await api.createPost({ title: 'Dark mode', comment: 'Because.' })).id;
  },
  view: async ({ api }: Place) =>
    (await api.createView({ kind: 'IDEAS', name: `View ${names++}`, isShared: true, conditions: [] })).id,
  async 'deleted post'(place: Place) {
    return (await place.api.deletePost({ postId: await makeRow.post(place) })).id;
  },
  async 'merged post'(place: Place) {
    const id = await makeRow.post(place);
    await place.api.mergePosts({ sourceIds: [id], targetId: await makeRow.post(place) });
    return id;
  },
  async comment(place: Place, postId?: string) {
    return (await place.api.createComment({ postId: postId ?? (await makeRow.post(place)), text: 'Yes' })).id;
  },
  async 'deleted comment'(place: Place) {
    return (await place.api.deleteComment({ id: await makeRow.comment(place) })).id;
  },
  async operation(place: Place) {
    await place.api.updatePost({ id: await makeRow.post(place), isLocked: true });
    return (await place.api.operations({ limit: 1 }, { nodes: { id: true } })).nodes[0]?.id ?? '';
  },
  tag: async ({ api }: Place) => (await api.createTag({ name: `Tag ${names++}` })).id,
  async 'deleted tag'(place: Place) {
    return (await place.api.deleteTag({ id: await makeRow.tag(place) })).id;
  },
  async status(place: Place) {
    const found = await place.api.listStatuses({ id: true, type: true });
    return found.find(({ type }) => type === 'CUSTOM')?.id ?? makeStatus(place);
  },
  async 'deleted status'(place: Place) {
    return (await place.api.deleteStatus({ id: await makeStatus(place) })).id;
  },
  async field(place: Place) {
    const found = await place.api.listFields({ id: true, type: true });
    return found.find(({ type }) => type === 'TEXT')?.id ?? makeField(place);
  },
  async 'deleted field'(place: Place) {
    return (await place.api.deleteField({ id: await makeField(place) })).id;
  },
  board: async ({ api }: Place) => (await api.board({ id: true })).id,
  file: async ({ app, options }: Place) => (await upload(app, { bytes: 'Bytes' }, options)).id,
  async 'used file'(place: Place) {
    const id = await makeRow.file(place);
    await place.api.createPost({ title: 'T', comment: 'C', files: [id] });
    return id;
  },
  async entry({ api }: Place) {
    return (await api.publishChangelogEntry(await api.createChangelogEntry({ title: 'Dark mode' }))).id;
  },
  async 'deleted entry'(place: Place) {
    return (await place.api.deleteChangelogEntry({ id: await makeRow.entry(place) })).id;
  },
  company: async ({ api }: Place) => (await api.createCompany({ externalId: `company ${names++}` })).id,
  async segment({ api }: Place) {
    const conditions = [{ of: 'USER', attribute: 'role', comparison: 'IS_SET' } as const];
    return (await api.createSegment({ name: `Segment ${names++}`, conditions })).id;
  },
  async issue(place: Place) {
    const postId = await makeRow.post(place);
    const linked = await place.api.linkIssue({ postId, issue: issueUrl(1) }, { issues: { nodes: { id: true } } });
    return linked.issues.nodes[0]?.id ?? '';
  },
  user: async ({ api }: Place) => (await api.viewer({ user: { id: true } })).user?.id ?? '',
};
export type Kind = keyof typeof makeRow;

let names = 0;

/** A text field of its own. */
export async function makeField(place: Place): Promise<string> {
  const boardId = await makeRow.board(place);
  return (await place.api.createField({ boardId, label: `Field ${names++}`, type: 'TEXT' })).id;
}

/** A status of its own. */
export async function makeStatus({ api }: Pick<Place, 'api'>): Promise<string> {
  return (await api.createStatus({ name: `Status ${names++}`, color: '#fff' })).id;
}

/** Where to make rows on the board of the app, or on the one that another key leads to. */
export function placeOf(app: TestApp, options: GqlOptions = {}): Place {
  return { app, options, api: app.api.as(options) };
}

/** One row of each kind on the board of the app; the comment is on the post. */
export async function rowsOf(app: TestApp, options?: GqlOptions): Promise<Rows> {
  const place = placeOf(app, options);
  const rows: Rows = {};
  for (const [what, make] of Object.entries(makeRow)) rows[what] = await make(place);
  return { ...rows, comment: await makeRow.comment(place, rows.post) };
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
