import assert from 'node:assert/strict';
import { tools } from '../../src/api/mcp/tools.ts';
import { findSpent } from '../../src/identity/keys/budget.ts';
import { listKeys } from '../../src/identity/keys/keys.ts';
import { makeRandom, type Random } from '../crash/random.ts';
import { callOf, fillIn, mutations } from '../operations/operations.ts';
import { type Rows, rowsOf } from '../operations/rows.ts';
import { type TestApp, testBoth } from '../support/app.ts';
import { makeForm, sendForm } from '../support/files.ts';
import { type Agent, connectAgent } from '../support/mcp.ts';
import { roundsOf } from '../support/rounds.ts';
import { writeCall } from '../support/schema.ts';

const TRIES = roundsOf('BUDGET_TRIES', { short: 400, long: 20_000 });
const AT_ONCE = 8;
const BUDGET = { operations: 60, votes: 7 };
const VOTING = ['upvotePost', 'downvotePost'];

/** An agent that has a key with a budget, and what it was let through with. */
type Tried = { app: TestApp; key: string; agent: Agent; rows: Rows; random: Random; done: string[] };

const below = (random: Random, most: number) => Math.floor(random.next() * most);
const pick = <T>(random: Random, values: readonly T[]) => values[below(random, values.length)] as T;

/** Every way in which an agent can try to change something. */
const ways: ((tried: Tried) => Promise<void>)[] = [
  async (tried) => void (await send(tried, [pick(tried.random, Object.keys(mutations))])),
  async (tried) => void (await send(tried, pickSome(tried, Object.keys(mutations), 12))),
  async (tried) => void (await send(tried, pickSome(tried, VOTING, 12))),
  async (tried) => void (await send(tried, [pick(tried.random, VOTING)])),
  async (tried) => void (await send(tried, pickSome(tried, ['undo', 'updatePost', 'restorePost', 'unmergePost'], 4))),
  async (tried) => void (await send(tried, [pick(tried.random, Object.keys(mutations))], { 'dry-run': 'true' })),
  // The same key again answers with what was stored, and that is paid for as well.
  async (tried) => {
    const key = `key ${below(tried.random, 5)}`;
    await send(tried, [pick(tried.random, VOTING)], { 'idempotency-key': key });
  },
  async ({ app, key, done }) => {
    const { statusCode } = await sendForm(app, makeForm([{ filename: 'a.txt', bytes: 'a' }]), { key });
    if (statusCode === 201) done.push('upload');
  },
  async ({ app, key, done }) => {
    const headers = { apikey: key, 'content-type': 'application/json' };
    const payload = JSON.stringify({ url: 'https://example.com/hook', events: ['post.created'] });
    const { statusCode } = await app.app.inject({ method: 'POST', url: '/api/v1/webhooks', headers, payload });
    if (statusCode < 300) done.push('createWebhook');
  },
  callTool,
  callTool,
];

/** Some of these names, several times each. */
function pickSome({ random }: Tried, names: readonly string[], most: number): string[] {
  return Array.from({ length: 1 + below(random, most) }, () => pick(random, names));
}

/** Sends mutations in one document, as fields beside each other, in fragments and under directives. */
async function send({ app, key, rows, random, done }: Tried, names: readonly string[], headers = {}): Promise<void> {
  const parts = [];
  for (const [n, name] of names.entries()) {
    const { args, select } = await fillIn(callOf(name), (what) => rows[what] ?? rows.post ?? '');
    const { document, variables } = writeCall(name, args, select);
    parts.push(rename(document, variables, n, pick(random, ['', '', ' @include(if: true)', ' @skip(if: false)'])));
  }
  const defined = parts.flatMap(({ definitions }) => definitions).join(', ');
  const inFragment = below(random, 2) === 0;
  const fields = parts.map(({ field }) => field).join('\n');
  const body = inFragment ? `{ ...F }\nfragment F on Mutation { ${fields} }` : `{ ${fields} }`;
  const query = `mutation${defined === '' ? '' : `(${defined})`} ${body}`;
  const { data } = await app.gql(query, Object.assign({}, ...parts.map(({ values }) => values)), {
    key,
    as: null,
    headers,
  });
  if ('dry-run' in headers) return;
  for (const [n, name] of names.entries()) if (data?.[`f${n}`] != null) done.push(name);
}

/** A document with one field, as a field among others: with an alias and variables of its own. */
function rename(document: string, variables: object, n: number, directive: string) {
  const [, definitions = '', field = ''] =
    /^\s*mutation\s*(?:\w+\s*)?(?:\(([^)]*)\))?\s*\{([\s\S]*)\}\s*$/.exec(document) ?? [];
  const own = (text: string) => text.replace(/\$(\w+)/g, `$v${n}_$1`);
  const [, name = '', given = '', rest = ''] = /^\s*(\w+)(\([\s\S]*?\)(?=\s*(?:\{|$)))?([\s\S]*)$/.exec(field) ?? [];
  return {
    definitions: definitions.trim() === '' ? [] : [own(definitions)],
    field: own(`f${n}: ${name}${given}${directive}${rest}`),
    values: Object.fromEntries(Object.entries(variables).map(([key, value]) => [`v${n}_${key}`, value])),
  };
}

async function callTool({ agent, rows, random, done }: Tried): Promise<void> {
  const post = rows.post ?? '';
  const calls: Record<string, object> = {
    create_post: { title: `T ${below(random, 1_000)}`, tags: pick(random, [[], ['Other'], ['Bug']]) },
    update_post: { post, title: `T ${below(random, 1_000)}`, tags: pick(random, [[], ['Bug'], ['Other']]) },
    comment: { post, text: 'Yes' },
    vote: { post, vote: pick(random, ['up', 'down', 'none']) },
    merge_posts: { sources: [rows['used post'] ?? post], target: post },
    write_changelog: { title: 'T', posts: [post] },
  };
  const names = tools.flatMap(({ name, kind }) => (kind === 'read' ? [] : [name]));
  assert.deepEqual(new Set(names), new Set(Object.keys(calls)));
  const name = pick(random, names);
  const dryRun = below(random, 4) === 0;
  const { isError, structuredContent } = await agent.client.callTool({ name, arguments: { ...calls[name], dryRun } });
  const isTried = Object.hasOwn(structuredContent ?? {}, 'dryRun');
  if (isError || isTried) return;
  const { vote } = calls[name] as { vote?: string };
  done.push(name === 'vote' && vote !== 'none' ? 'upvotePost' : name);
}

/** The tags of all posts that are there, without the one that the agent may use. */
async function tagsOf({ db, board }: TestApp, allowed: string): Promise<string[]> {
  const query = db.read.selectFrom('post_tags').where('board_id', '=', board.id).where('tag_id', '<>', allowed);
  const rows = await query.select(['post_id', 'tag_id']).orderBy('post_id').orderBy('tag_id').execute();
  const tags = await db.read.selectFrom('tags').select('name').where('board_id', '=', board.id).orderBy('id').execute();
  return [...rows.map(({ post_id, tag_id }) => `${post_id} ${tag_id}`), ...tags.map(({ name }) => name)];
}

testBoth(`an agent that tries ${TRIES} changes in every way keeps to its budget`, async (app, t) => {
  const seed = Number(process.env.CRASH_SEED) || Math.floor(Math.random() * 2 ** 32);
  t.diagnostic(`CRASH_SEED=${seed}`);
  const bug = (await app.api.createTag({ name: 'Bug' })).id;
  const other = (await app.api.createTag({ name: 'Other' })).id;
  const rows = await rowsOf(app);
  const used = await app.api.createPost({ title: 'With a tag', tagIds: [other] });
  const ada = (await app.api.viewer({ user: { id: true } })).user?.id ?? '';
  const budget = { ...BUDGET, tags: [bug] };
  const permissions = ['READ', 'WRITE', 'WEBHOOKS'] as const;
  const key = await app.makeKey({ name: 'Agent', permissions, defaultUserId: ada, isBound: true, budget });
  const agent = await connectAgent(t, app, { key, as: null });
  const tried: Tried = {
    app,
    key,
    agent,
    rows: { ...rows, 'used post': used.id },
    random: makeRandom(seed),
    done: [],
  };
  const before = await tagsOf(app, bug);
  for (let n = 0; n < TRIES; n += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => pick(tried.random, ways)(tried)));
  }
  const row = (await listKeys(app.db.read, app.board.id)).find(({ name }) => name === 'Agent');
  const spent = await findSpent(app, { id: row?.id ?? '' });
  const votes = tried.done.filter((name) => VOTING.includes(name));
  t.diagnostic(`${tried.done.length} changes, ${votes.length} of them votes; spent ${JSON.stringify(spent)}`);
  assert.ok(tried.done.length > 0 && tried.done.length <= BUDGET.operations, `${tried.done.length} changes`);
  assert.ok(votes.length > 0 && votes.length <= BUDGET.votes, `${votes.length} votes`);
  assert.ok(spent.operations <= BUDGET.operations && spent.votes <= BUDGET.votes);
  assert.ok(spent.operations > BUDGET.operations - 12, 'it has tried until nothing was left');
  // Where a post with tags has gone, its tags have gone with it; none has come.
  const after = await tagsOf(app, bug);
  assert.deepEqual(
    after.filter((tag) => !before.includes(tag)),
    [],
  );
});
