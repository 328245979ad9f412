import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { type Agent, connectAgent, revisions } from '../../../test/support/mcp.ts';
import { addUsers, makeScene } from '../../../test/support/notifying.ts';
import { makeTags } from '../../../test/support/tags.ts';
import { testWebhooks, type WebhookApp } from '../../../test/support/webhooks.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { tools } from './tools.ts';

/** Every tool that changes something, with what it is asked to do; each time something else. */
const writes = (n: number): [name: string, args: object][] => [
  ['create_post', { title: `Tabs ${n}`, text: 'In rows.', tags: ['bug'], status: 'planned' }],
  ['comment', { post: 1, text: `Hello ${n}`, type: 'OFFICIAL' }],
  ['vote', { post: '#1', vote: n === 0 ? 'up' : 'none' }],
  [
    'update_post',
    {
      post: 1,
      title: `Dark theme ${n}`,
      status: n === 0 ? 'Planned' : 'COMPLETED',
      statusMessage: 'Soon',
      tags: n === 0 ? ['Bug', 'ui'] : [],
      assignees: n === 0 ? ['mod', 'admin@example.com'] : ['admin'],
      expected: '2027-Q1',
      pinned: n === 0,
    },
  ],
  ['write_changelog', { title: `Themes ${n}`, text: 'Dark ones.', labels: ['NEW'], posts: [1], publish: 'now' }],
  ['merge_posts', { sources: [n + 2], target: 1 }],
];

testWebhooks(
  'a tool does what its dry run announces, in both revisions, and a dry run changes nothing',
  async (app, t) => {
    await makeScene(app);
    await addUsers(app, 'admin');
    await app.makeUser('admin', 'ADMIN');
    await makeTags(app, 'Bug', 'UI');
    await app.makeWebhook();
    await settle(app);
    for (const [n, revision] of revisions.entries()) {
      const agent = await connectAgent(t, app, { as: 'mod', revision });
      assert.deepEqual(
        await agent.tools(),
        tools.map(({ name }) => name),
      );
      for (const [name, args] of writes(n)) {
        const before = await snapshotOf(app);
        const { dryRun, result, effects, confirm } = await agent.call(name, { ...args, dryRun: true });
        assert.equal(dryRun, true);
        assert.deepEqual(await settle(app), { types: [], mails: 0 }, `${name} only tries`);
        assert.deepEqual(await snapshotOf(app), before, `${name} stores nothing`);
        const {
          operationId,
          quotedFromPeople: _,
          ...real
        } = await agent.call(name, { ...args, ...(confirm && { confirm }) });
        assert.deepEqual(withoutIds(real), withoutIds(result), name);
        const { types, mails } = await settle(app);
        assert.deepEqual(
          types,
          effects.events.map(({ type }: { type: string }) => type),
          name,
        );
        assert.deepEqual([effects.deliveries, effects.mailed, effects.isMinimum], [types.length, mails, false], name);
        assert.equal(operationId !== undefined, effects.changes.length > 0, name);
      }
      await readAll(agent, n + 1);
    }
  },
);

/** Does what is due now and after the time in which mails are collected; what receivers and users got of it. */
async function settle(app: WebhookApp) {
  const before = app.mailServer.mails.length;
  await app.pass();
  await app.pass(3 * MINUTE_MS);
  return { types: app.takeEvents().map(({ event }) => event), mails: app.mailServer.mails.length - before };
}

/** Every row of every table. */
async function snapshotOf({ db }: WebhookApp): Promise<Record<string, string[]>> {
  const snapshot: Record<string, string[]> = {};
  for (const { name } of await db.read.introspection.getTables()) {
    const rows = await db.read
      .selectFrom(name as 'posts')
      .selectAll()
      .execute();
    snapshot[name] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return snapshot;
}

/** An answer without the ids and times that a new comment or entry has each time. */
function withoutIds(answer: object): object {
  return JSON.parse(JSON.stringify(answer, (name, value) => (/^(id|created|date\w*)$/.test(name) ? undefined : value)));
}

async function readAll({ call }: Agent, merged: number): Promise<void> {
  const { board, statuses, tags, actingAs, keyMay } = await call('get_board');
  assert.deepEqual([board.name, actingAs.role, keyMay], ['Acme', 'MODERATOR', ['READ', 'WRITE']]);
  assert.equal(statuses.find(({ name }: { name: string }) => name === 'Merged').posts, merged);
  assert.deepEqual(tags.map(({ name }: { name: string }) => name).sort(), ['Bug', 'UI']);
  const { posts, total } = await call('search_posts', { query: 'dark' });
  assert.deepEqual([total, posts[0].number, posts[0].author], [1, 1, 'author']);
  const { post, comments, cursor } = await call('get_post', { post: 1, comments: 3 });
  assert.deepEqual([post.content, comments.length], ['Because.', 2]);
  assert.equal(comments[0].author, 'talker');
  const next = await call('get_post', { post: 1, comments: 3, cursor });
  assert.equal(next.comments.length, 3);
  const { users } = await call('find_users', { name: 'talk' });
  assert.deepEqual([users.length, users[0].email], [1, 'talker@example.com']);
}

testBoth('statuses, tags, fields and users are given by name', async (app, t) => {
  await addUsers(app, 'mia', 'tom');
  await app.makeUser('mia');
  await app.api.as(null).createUser({ ssoType: 'SSO', ssoId: '018f0000-0000-7000-8000-000000000000', name: 'Tom' });
  await makeTags(app, 'Bug');
  await app.api.createField({
    boardId: 'acme',
    label: 'Effort',
    type: 'SELECTION',
    isRequired: true,
    options: [
      { name: 'Small', color: '#aaa' },
      { name: 'Large', color: '#bbb' },
    ],
  });
  const agent = await connectAgent(t, app);
  const create = (args: object) =>
    agent.call('create_post', { title: 'Dark mode', fields: { effort: 'Small' }, ...args });
  const { post } = await create({ author: 'Mia', status: 'in PROGRESS', tags: ['Bug'] });
  assert.deepEqual([post.author, post.status, post.tags], ['mia', 'In progress', ['Bug']]);
  assert.equal((await create({ author: 'mia@example.com' })).post.author, 'mia');
  assert.equal((await create({ author: '018f0000-0000-7000-8000-000000000000' })).post.author, 'Tom');
  await app.api.as(null).createUser({ ssoType: 'SSO', ssoId: 'mallory', name: 'cust-42' });
  await app.api.as(null).createUser({ ssoType: 'SSO', ssoId: 'cust-42', name: 'Bob' });
  const { users } = await agent.call('find_users', { name: 'mia' });
  assert.equal((await create({ author: users[0].id })).post.author, 'mia');
  assert.deepEqual((await agent.call('get_post', { post: 1 })).post.fields, { Effort: ['Small'] });
  assert.equal((await agent.call('search_posts', { author: 'mia', status: 'Open' })).total, 2);
  assert.equal((await agent.call('search_posts', { similarTo: 'A dark mode' })).posts.length, 4);
  const fails = async (args: object) =>
    agent.fail('create_post', { title: 'Dark mode', fields: { Effort: 'Small' }, ...args });
  assert.match(await fails({ author: 'tom' }), /^BAD_REQUEST: Several users are called "tom"/);
  assert.match(await fails({ author: 'cust-42' }), /^BAD_REQUEST: Several users are called "cust-42"/);
  assert.match(await fails({ author: 'nora' }), /^NOT_FOUND: User not found/);
  assert.match(await fails({ author: 'nora@example.com' }), /^NOT_FOUND: User not found/);
  assert.match(await fails({ tags: ['feature'] }), /There is no tag "feature". There are: Bug/);
  assert.match(await fails({ status: 'soon' }), /There is no status "soon". There are: Open, Planned/);
  assert.match(await fails({ fields: { Size: 'Red' } }), /There is no field "Size". There are: Effort/);
  assert.match(await fails({ fields: {} }), /^BAD_REQUEST/);
  assert.match(await fails({ titel: 'Dark' }), /Unrecognized key: "titel"/);
  for (const post of [99, '99', 'x', '018f0000-0000-7000-8000-000000000001']) {
    assert.match(await agent.fail('vote', { post, vote: 'up' }), /^NOT_FOUND: Post not found/);
  }
  assert.deepEqual(await agent.call('get_post', { post: '018f0000-0000-7000-8000-000000000001' }), { post: null });
  assert.match(await agent.fail('write_changelog', { entry: 9, title: 'x' }), /^NOT_FOUND: Changelog entry not found/);
});

testBoth('a change happens as a whole or not at all', async (app, t) => {
  await app.makeUser('mia');
  const id = await app.makePost('Dark mode', { as: 'mia' });
  const member = await connectAgent(t, app, { as: 'mia' });
  const both = { post: 1, title: 'Dark theme', status: 'Planned' };
  assert.match(await member.fail('update_post', both), /^FORBIDDEN: Only moderators can choose the status/);
  assert.match(await member.fail('update_post', { ...both, dryRun: true }), /^FORBIDDEN/);
  const post = await app.api.post({ id }, { title: true });
  assert.equal(post?.title, 'Dark mode');
  assert.equal((await member.call('update_post', { post: 1, title: 'Dark theme' })).post.title, 'Dark theme');
});

testBoth('posts are merged only as a dry run has announced', async (app, t) => {
  for (const title of ['Dark mode', 'Dark theme', 'Night mode']) await app.makePost(title);
  const agent = await connectAgent(t, app);
  const merge = { sources: [2], target: 1 };
  const tried = await agent.call('merge_posts', merge);
  assert.deepEqual([tried.dryRun, tried.effects.events.length > 0], [true, true]);
  const other = await agent.call('merge_posts', { sources: [3], target: 1, dryRun: true });
  assert.notEqual(other.confirm, tried.confirm);
  const notOurs = /^CONFLICT: confirm does not match what/;
  for (const confirm of [other.confirm, '', 'v1.', tried.confirm.slice(1), tried.confirm.slice(0, -1)]) {
    assert.match(await agent.fail('merge_posts', { ...merge, confirm }), notOurs);
  }
  await app.makeUser('mod', 'MODERATOR');
  const others = [{ as: 'mod' }, { key: await app.makeKey() }];
  for (const caller of others) {
    const another = await connectAgent(t, app, caller);
    assert.match(await another.fail('merge_posts', { ...merge, confirm: tried.confirm }), notOurs);
  }
  assert.equal((await agent.call('search_posts')).total, 3);
  await agent.call('merge_posts', { ...merge, confirm: tried.confirm });
  assert.equal((await agent.call('search_posts')).total, 2);
  assert.match(await agent.fail('merge_posts', { ...merge, confirm: tried.confirm }), /^CONFLICT/);
});

testBoth('a dry run can be confirmed for ten minutes', async (app, t) => {
  for (const title of ['Dark mode', 'Dark theme', 'Night mode', 'Black']) await app.makePost(title);
  const agent = await connectAgent(t, app);
  const confirmAfter = async (waitMs: number, source: number) => {
    const merge = { sources: [source], target: 1 };
    const { confirm } = await agent.call('merge_posts', merge);
    app.clock.advance(waitMs);
    return agent.call('merge_posts', { ...merge, confirm });
  };
  const limit = 10 * MINUTE_MS;
  await confirmAfter(limit - 1, 2);
  await assert.rejects(confirmAfter(limit, 3), /^Error: CONFLICT: confirm has expired after 10 minutes/);
  await assert.rejects(confirmAfter(limit + 1, 4), /^Error: CONFLICT: confirm has expired after 10 minutes/);
  assert.equal((await agent.call('search_posts')).total, 3);
});

testBoth('what an agent changes is marked with its key, and can be undone', async (app, t) => {
  await app.makePost('Dark mode');
  const agent = await connectAgent(t, app, { key: await app.makeKey({ name: 'Claude' }) });
  const { operationId } = await agent.call('update_post', { post: 1, status: 'Planned' });
  await app.api.createTag({ name: 'Bug' });
  const { nodes } = await app.api.operations({}, { nodes: { id: true, via: true, actor: { name: true } } });
  assert.deepEqual(
    nodes.map(({ via }) => via),
    [null, 'Claude'],
  );
  assert.equal(nodes[1]?.id, operationId);
  await app.api.undo({ operationId });
  assert.equal((await agent.call('get_post', { post: 1 })).post.status, 'Open');
});
