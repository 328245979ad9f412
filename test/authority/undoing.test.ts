import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Db } from '../../src/platform/db/db.ts';
import { recount } from '../crash/recount.ts';
import { type TestApp, testBoth } from '../support/app.ts';
import { makeField } from '../support/fields.ts';

/** Ids of what an operation is about. */
type Ids = Record<string, string>;

/** An operation of the team, what must be so before it, and what others then do to the same thing. */
type Case = { does: string; first?: string; others: string };

const update = (change: string) => `updatePost(id: $post, ${change}) { node { id } }`;
const ANN = '{ ssotype: "SSO", userId: "mod" }';

const cases: Record<string, Case> = {
  title: { does: update('title: "New"'), others: update('title: "Other"') },
  description: { does: update('comment: "New"'), others: 'updateComment(id: $description, text: "Other") { id }' },
  'first description': {
    does: 'updatePost(id: $bare, comment: "New") { node { id } }',
    others: 'updatePost(id: $bare, comment: "Other") { node { id } }',
  },
  tags: { does: update('tagIds: [$tag]'), others: update('tagIds: []') },
  fields: {
    does: update('properties: [{ parent: $field, values: ["x"] }]'),
    others: update('properties: [{ parent: $field, values: ["y"] }]'),
  },
  lock: { does: update('isLocked: true'), others: update('isLocked: false') },
  pin: { does: update('isPinned: true'), others: update('isPinned: false') },
  status: {
    does: 'changePostStatus(postId: $post, statusType: COMPLETED) { id }',
    others: 'changePostStatus(postId: $post, statusType: ARCHIVED) { id }',
  },
  'status with a message': {
    does: 'changePostStatus(postId: $post, statusType: COMPLETED, comment: "Done") { id }',
    others: 'changePostStatus(postId: $post, statusType: ARCHIVED) { id }',
  },
  'delete a post': { does: 'deletePost(postId: $post) { id }', others: 'restorePost(id: $post) { id }' },
  'restore a post': {
    first: 'deletePost(postId: $post) { id }',
    does: 'restorePost(id: $post) { id }',
    others: 'deletePost(postId: $post) { id }',
  },
  'text of a comment': {
    does: 'updateComment(id: $comment, text: "New") { id }',
    others: 'updateComment(id: $comment, text: "Other") { id }',
  },
  'official answer': {
    does: 'new: createComment(postId: $post, text: "Yes", type: OFFICIAL) { id }',
    others: 'deleteComment(id: $new) { id }',
  },
  'delete a comment': { does: 'deleteComment(id: $comment) { id }', others: 'restoreComment(id: $comment) { id }' },
  'restore a comment': {
    first: 'deleteComment(id: $comment) { id }',
    does: 'restoreComment(id: $comment) { id }',
    others: 'deleteComment(id: $comment) { id }',
  },
  'reject a post': {
    does: 'changePostModerationStatus(id: $post, moderationStatus: REJECTED) { id }',
    others: 'changePostModerationStatus(id: $post, moderationStatus: FLAGGED) { id }',
  },
  'reject a comment': {
    does: 'changeCommentModerationStatus(id: $comment, moderationStatus: REJECTED) { id }',
    others: 'changeCommentModerationStatus(id: $comment, moderationStatus: FLAGGED) { id }',
  },
  merge: {
    does: 'mergePosts(sourceIds: [$post, $bare], targetId: $target) { id }',
    others: 'unmergePost(id: $bare) { id }',
  },
  unmerge: {
    first: 'mergePosts(sourceIds: [$post], targetId: $target) { id }',
    does: 'unmergePost(id: $post) { id }',
    others: 'mergePosts(sourceIds: [$post], targetId: $bare) { id }',
  },
  assign: {
    does: `assignPost(postId: $post, user: ${ANN}) { id }`,
    others: `unassignPost(postId: $post, user: ${ANN}) { id }`,
  },
  unassign: {
    first: `assignPost(postId: $post, user: ${ANN}) { id }`,
    does: `unassignPost(postId: $post, user: ${ANN}) { id }`,
    others: `assignPost(postId: $post, user: ${ANN}) { id }`,
  },
  'change a status': {
    does: 'updateStatus(id: $status, name: "New", postVisibility: TEAM) { id }',
    others: 'updateStatus(id: $status, name: "Other") { id }',
  },
  'rearrange statuses': {
    does: 'rearrangeStatuses(ids: [$status, $open])',
    others: 'rearrangeStatuses(ids: [$open, $status])',
  },
  'create a status': {
    does: 'createStatus(id: "01980000-0000-7000-8000-00000000000a", name: "New", color: "#fff") { id }',
    others:
      'changePostStatus(postId: $post, statusType: CUSTOM, statusId: "01980000-0000-7000-8000-00000000000a") { id }',
  },
  'delete a status': {
    first: 'changePostStatus(postId: $post, statusType: CUSTOM, statusId: $status) { id }',
    does: 'deleteStatus(id: $status) { id }',
    others: 'changePostStatus(postId: $post, statusType: COMPLETED) { id }',
  },
  'create a tag': { does: 'new: createTag(name: "New") { id }', others: update('tagIds: [$new]') },
  'change a tag': {
    does: 'updateTag(id: $tag, name: "New", isPrivate: true) { id }',
    others: 'updateTag(id: $tag, name: "Other") { id }',
  },
  'delete a tag': {
    first: update('tagIds: [$tag]'),
    does: 'deleteTag(id: $tag) { id }',
    others: 'createTag(name: "Bug") { id }',
  },
  role: {
    does: 'changeTeamUserRole(ssoId: "zoe", ssoType: SSO, role: MODERATOR) { id }',
    others: 'changeTeamUserRole(ssoId: "zoe", ssoType: SSO, role: ADMIN) { id }',
  },
  'remove from the team': {
    does: 'removeTeamUser(ssoId: "mod", ssoType: SSO)',
    others: 'changeTeamUserRole(ssoId: "mod", ssoType: SSO, role: ADMIN) { id }',
  },
};

/** What of the board operations change; entries of the history are none of it. */
const VIEW = `{
  posts(sort: OLDEST, limit: 10) { totalCount nodes {
    id title content isLocked isPinned moderationStatus upvoteCount commentCount
    status { id } tags { id } properties { values } mergedInto { id } assignments { nodes { user { id } } }
  } }
  comments(limit: 50) { nodes { id text type moderationStatus post { id } } }
  listStatuses { id name color postVisibility position } listTags { id name isPrivate postCount }
  board { postCount team { id role } }
}`;

async function view({ ask }: TestApp) {
  const { comments, ...seen } = await ask(VIEW);
  const written = comments.nodes.filter(
    ({ type, text }: { type: string; text: string }) => !/_|MERGE/.test(type) || text === 'Done',
  );
  return { ...seen, comments: written };
}

/** Every row of every table. */
async function dump(db: Db): Promise<string[]> {
  const tables = await db.read.introspection.getTables();
  const all = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(db.read);
      return rows.map((row) => `${name} ${JSON.stringify(row)}`).sort();
    }),
  );
  return all.flat();
}

async function makeIds(app: TestApp): Promise<Ids> {
  const { ask, makePost } = app;
  const { createPost } = await ask(
    'mutation { createPost(title: "Dark mode", comment: "My eyes") { id comments { nodes { id } } } }',
    {},
    { as: 'ann' },
  );
  const made = await ask(
    `mutation($post: String!) {
      upvotePost(postId: $post, voter: { ssotype: "SSO", userId: "zoe" }) { id }
      comment: createComment(postId: $post, text: "Yes", author: { ssotype: "SSO", userId: "ann" }) { id }
      tag: createTag(name: "Bug") { id } status: createStatus(name: "Soon", color: "#fff") { id }
    }`,
    { post: createPost.id },
  );
  const { listStatuses } = await ask('{ listStatuses { id type } }');
  return {
    post: createPost.id,
    description: createPost.comments.nodes[0].id,
    ...{ comment: made.comment.id, tag: made.tag.id, status: made.status.id, open: listStatuses[0].id },
    ...{
      bare: await makePost('Bare', { as: 'ann' }),
      target: await makePost('Target'),
      field: (await makeField(app, 'Plan')).id,
    },
  };
}

function request(app: TestApp, field: string, ids: Ids, headers: Record<string, string> = {}) {
  const used = Object.entries(ids).filter(([name]) => new RegExp(`\\$${name}\\b`).test(field));
  const declared = used.map(([name]) => `$${name}: String!`).join(', ');
  return app.gql(`mutation${declared && `(${declared})`} { ${field} }`, Object.fromEntries(used), { headers });
}

const UNDO = 'undo(operationId: $operation) { id }';

for (const [name, { does, first, others }] of Object.entries(cases)) {
  testBoth(`undone alone, refused after others, and run dry: ${name}`, async (app) => {
    for (const user of ['ann', 'zoe']) await app.makeUser(user);
    await app.makeUser('mod', 'MODERATOR');
    const ids = await makeIds(app);
    const run = async (field: string, headers?: Record<string, string>) => {
      const response = await request(app, field, ids, headers);
      assert.deepEqual(response.errors, [], field);
      if (response.data.new) ids.new = response.data.new.id;
      app.clock.advance(1_000);
      return response;
    };
    if (first) await run(first);
    const before = await view(app);

    const rows = await dump(app.db);
    const { extensions } = await dry(app, does, ids);
    assert.deepEqual(await dump(app.db), rows);

    const { events } = await app.ask('{ events(limit: 100) { cursor } }');
    const operation = String((await run(does)).headers['earshot-operation-id']);
    const after = await view(app);
    assert.notDeepEqual(after, before);
    const known = Object.entries(ids).flatMap(([name, id]) => (name === 'new' ? [] : id));
    assert.deepEqual(withoutNew(extensions.dryRun.changes, known), withoutNew(await changesOf(app), known));
    const told = await app.ask('query($after: String) { events(after: $after, limit: 100) { nodes { type } } }', {
      after: events.cursor,
    });
    const types = (list: { type: string }[]) => list.map(({ type }) => type);
    assert.deepEqual(types(extensions.dryRun.events), types(told.events.nodes));

    await request(app, UNDO, { operation });
    assert.deepEqual(await view(app), before);
    assert.deepEqual(await recount(app.db.read), []);

    const again = String((await run(does)).headers['earshot-operation-id']);
    await run(others);
    const changed = await view(app);
    const refused = await request(app, UNDO, { operation: again });
    assert.equal(refused.errors[0]?.extensions.code, 'CONFLICT', refused.errors[0]?.message ?? 'undone');
    assert.deepEqual(await view(app), changed);
  });
}

/** The answer of a dry run. */
async function dry({ app, key }: TestApp, field: string, ids: Ids) {
  const used = Object.entries(ids).filter(([name]) => new RegExp(`\\$${name}\\b`).test(field));
  const declared = used.map(([name]) => `$${name}: String!`).join(', ');
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/graphql',
    headers: { 'content-type': 'application/json', apikey: key, ssotype: 'SSO', ssoid: 'ada', 'dry-run': 'true' },
    payload: { query: `mutation${declared && `(${declared})`} { ${field} }`, variables: Object.fromEntries(used) },
  });
  const answer = response.json();
  assert.equal(answer.errors, undefined, response.body);
  assert.equal(response.headers['earshot-operation-id'], undefined);
  return answer;
}

type Change = { thingId: string };

/** Changes without the ids of what each run makes anew. */
function withoutNew(changes: readonly Change[], known: readonly string[]): Change[] {
  return changes.map((change) => (known.includes(change.thingId) ? change : { ...change, thingId: 'new' }));
}

/** The changes of the newest operation. */
async function changesOf({ ask }: TestApp) {
  const { operations } = await ask('{ operations(limit: 1) { nodes { changes { thing thingId before after } } } }');
  return operations.nodes[0].changes;
}
