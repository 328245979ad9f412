import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Db } from '../../src/platform/db/db.ts';
import { recount } from '../crash/recount.ts';
import { type Call, callOf, carryOut, fillIn, mutations } from '../operations/operations.ts';
import { type TestApp, testBoth } from '../support/app.ts';
import { makeEntry, publishNew } from '../support/changelog.ts';
import { makeField } from '../support/fields.ts';
import { writeCall } from '../support/schema.ts';
import { addTracker, issueUrl } from '../support/trackers.ts';

/** Ids of what an operation is about. */
type Ids = Record<string, string>;

/** What of the board operations change; entries of the history are none of it. */
const VIEW = `{
  posts(sort: OLDEST, limit: 10) { totalCount nodes {
    id title content isLocked isPinned expected moderationStatus upvoteCount commentCount
    status { id } tags { id } properties { values } mergedInto { id } assignments { nodes { user { id } } } issues(limit: 5) { nodes { id url } }
  } }
  comments(limit: 40) { nodes { id text type moderationStatus post { id } } }
  listStatuses { id name color postVisibility position } listTags { id name isPrivate postCount }
  companies { nodes { externalId name plan monthlyRevenue attributes userCount } } segments { name match conditions { of attribute comparison values } }
  listFields { id label type isRequired visibility options { id name } }
  changelog { nodes { ...Entry } } drafts: changelog(state: DRAFT) { nodes { ...Entry } }
  scheduled: changelog(state: SCHEDULED) { nodes { ...Entry } }
  board { postCount team { id role } } views { id name isShared conditions { parameter values } }
}
fragment Entry on ChangelogEntry { id number title text labels dateScheduled datePublished posts { nodes { id } } }`;

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
  const { api, ask, makePost } = app;
  const post = await api
    .as('ann')
    .createPost({ title: 'Dark mode', comment: 'My eyes' }, { id: true, comments: { nodes: { id: true } } });
  const made = await ask(
    `mutation($post: String!) {
      upvotePost(postId: $post, voter: { ssotype: "SSO", userId: "zoe" }) { id }
      comment: createComment(postId: $post, text: "Yes", author: { ssotype: "SSO", userId: "ann" }) { id }
      view: createView(kind: IDEAS, name: "One", isShared: true, conditions: []) { id }
      later: createView(kind: IDEAS, name: "Two", isShared: true, conditions: []) { id }
      tag: createTag(name: "Bug") { id } status: createStatus(name: "Soon", color: "#fff") { id }
    }`,
    { post: post.id },
  );
  await addTracker(app, app.board.id);
  const linked = await api.linkIssue({ postId: post.id, issue: issueUrl(1) }, { issues: { nodes: { id: true } } });
  const conditions = [{ of: 'USER' as const, attribute: 'role', comparison: 'IS_SET' as const }];
  const statuses = await api.listStatuses({ id: true });
  const options = ['a', 'b', 'c'].map((id) => ({ id, name: id.toUpperCase() }));
  return {
    post: post.id,
    description: post.comments.nodes[0]?.id ?? '',
    comment: made.comment.id,
    tag: made.tag.id,
    view: made.view.id,
    'later view': made.later.id,
    issue: linked.issues.nodes[0]?.id ?? '',
    status: made.status.id,
    open: statuses[0]?.id ?? '',
    company: (await api.createCompany({ externalId: 'company', name: 'Company', plan: 'Free' })).id,
    segment: (await api.createSegment({ name: 'segment', conditions })).id,
    ...{
      bare: await makePost('Bare', { as: 'ann' }),
      target: await makePost('Target'),
      field: (await makeField(app, 'Plan')).id,
      choice: (await makeField(app, 'Sizes', { type: 'SELECTION_MULTI', options })).id,
      entry: await publishNew(app, { text: 'Yes', postIds: [post.id] }),
      draft: await makeEntry(app, { title: 'Soon' }),
      board: app.board.id,
    },
  };
}

/** Each thing that a mutation does and that is undone, by the records of the mutations. */
const cases = Object.entries(mutations).flatMap(([mutation, record]) =>
  Object.entries('undone' in record ? record.undone : {}).map(([name, { first = [], does, others }]) => ({
    name,
    first: first.map(([before, args]) => callOf(before, args)),
    does: callOf(mutation, does),
    others: Array.isArray(others) ? callOf(others[0], others[1]) : callOf(mutation, others),
  })),
);

const idIn = (ids: Ids) => (name: string) => ids[name] ?? assert.fail(`nothing is called ${name}`);
const undo = (app: TestApp, operation: string) => carryOut(app, callOf('undo'), () => operation);

for (const { name, does, first, others } of cases) {
  testBoth(`an undo works alone, is refused after other changes, and has a dry run: ${name}`, async (app) => {
    for (const user of ['ann', 'zoe']) await app.makeUser(user);
    await app.makeUser('mod', 'MODERATOR');
    const ids = await makeIds(app);
    const run = async (call: Call) => {
      const response = await carryOut(app, call, idIn(ids));
      assert.deepEqual(response.errors, [], call.name);
      const made = response.data[call.name];
      if (call.name.startsWith('create')) ids.new = made.node?.id ?? made.id;
      app.clock.advance(1_000);
      return response;
    };
    for (const call of first) await run(call);
    const before = await view(app);

    const rows = await dump(app.db);
    const { extensions } = await dry(app, does, ids);
    assert.deepEqual(await dump(app.db), rows);

    const events = await app.api.events({ limit: 100 }, { cursor: true });
    const operation = String((await run(does)).headers['earshot-operation-id']);
    const after = await view(app);
    assert.notDeepEqual(after, before);
    const known = Object.entries(ids).flatMap(([name, id]) => (name === 'new' ? [] : id));
    assert.deepEqual(withoutNew(extensions.dryRun.changes, known), withoutNew(await changesOf(app), known));
    const told = await app.api.events({ after: events.cursor, limit: 100 }, { nodes: { type: true } });
    const types = (list: { type: string }[]) => list.map(({ type }) => type);
    assert.deepEqual(types(extensions.dryRun.events), types(told.nodes));

    await undo(app, operation);
    assert.deepEqual(await view(app), before);
    assert.deepEqual(await recount(app.db.read), []);

    const again = String((await run(does)).headers['earshot-operation-id']);
    await run(others);
    const changed = await view(app);
    const refused = await undo(app, again);
    assert.equal(refused.errors[0]?.extensions.code, 'CONFLICT', refused.errors[0]?.message ?? 'undone');
    assert.deepEqual(await view(app), changed);
  });
}

/** The answer of a dry run. */
async function dry({ app, key }: TestApp, { name, args }: Call, ids: Ids) {
  const { document, variables } = writeCall(name, await fillIn(args, idIn(ids)));
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/graphql',
    headers: { 'content-type': 'application/json', apikey: key, ssotype: 'SSO', ssoid: 'ada', 'dry-run': 'true' },
    payload: { query: document, variables },
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
