import assert from 'node:assert/strict';
import { errorOf } from '../../../test/support/api.ts';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { finish } from '../../../test/support/erasing.ts';
import { makeField, put } from '../../../test/support/fields.ts';
import { makeTags } from '../../../test/support/tags.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { MAX_OWN, MAX_SHARED } from './managing.ts';

const condition = (parameter: string, ...values: string[]) => ({ parameter, values });

type Input = { kind?: string; name?: string; isShared?: boolean; conditions?: object[] };

async function makeView({ api }: TestApp, input: Input = {}, as = 'mo'): Promise<string> {
  const given = { kind: 'IDEAS', name: 'View', conditions: [], ...input };
  return (await api.as(as).createView(given as Parameters<typeof api.createView>[0], { id: true })).id;
}

async function namesFor({ api }: TestApp, as: string, kind?: string): Promise<string[]> {
  const views = await api.as(as).views((kind ? { kind } : {}) as Parameters<typeof api.views>[0], { name: true });
  return views.map(({ name }) => name);
}

async function makeTeam(app: TestApp): Promise<void> {
  for (const name of ['mo', 'ann']) await app.makeUser(name, 'MODERATOR');
  await app.makeUser('vera');
}

/** The operation that was recorded last. */
async function lastOperation({ api }: TestApp, as: string): Promise<string> {
  return (await api.as(as).operations({ limit: 1 }, { nodes: { id: true } })).nodes[0]?.id ?? '';
}

testBoth('views are for the team: shared ones for all of it, others for their owner', async (app) => {
  await makeTeam(app);
  const own = await makeView(app, { name: 'Mine' });
  const shared = await makeView(app, { name: 'Ours', isShared: true, kind: 'TRIAGE' });
  assert.deepEqual(await namesFor(app, 'mo'), ['Ours', 'Mine']);
  assert.deepEqual(await namesFor(app, 'mo', 'IDEAS'), ['Mine']);
  assert.deepEqual(await namesFor(app, 'ann'), ['Ours']);
  const ann = app.api.as('ann');
  await ann.updateView({ id: shared, name: 'Everyone' });
  await assert.rejects(ann.updateView({ id: own, name: 'Hers' }), { code: 'NOT_FOUND' });
  await assert.rejects(ann.deleteView({ id: own }), { code: 'NOT_FOUND' });
  await assert.rejects(ann.updateView({ id: shared, isShared: false }), { code: 'FORBIDDEN' });
  assert.deepEqual(await namesFor(app, 'mo'), ['Everyone', 'Mine']);
  await app.api.as('mo').updateView({ id: shared, isShared: false });
  assert.deepEqual(await namesFor(app, 'ann'), []);
  const vera = app.api.as('vera');
  assert.deepEqual(await vera.views({}, { id: true }), []);
  await assert.rejects(vera.deleteView({ id: shared }), { code: 'FORBIDDEN' });
});

testBoth('each parameter selects what it says, and its view counts that', async (app) => {
  await makeTeam(app);
  const [mobile] = await makeTags(app, 'Mobile');
  const old = await app.makePost('Old', { as: 'vera' });
  app.clock.advance(10 * DAY_MS);
  const area = await makeField(app, 'Area', { type: 'SELECTION_MULTI', options: [{ name: 'Web' }, { name: 'App' }] });
  const paid = await makeField(app, 'Paid', { type: 'CHECKBOX', visibility: 'TEAM' });
  const [site, phone] = area.options.map(({ id }) => id);
  const loud = await app.makePost('Loud', { as: 'vera' });
  await app.api.updatePost({ id: loud, properties: [put(area, site ?? '', phone ?? ''), put(paid, 'true')] });
  await app.api.updatePost({ id: old, properties: [put(area, site ?? '')] });
  await app.makePost('Mo’s', { as: 'mo' });
  for (const as of ['vera', 'ann', 'mo']) await app.api.as(as).upvotePost({ postId: loud });
  await app.api.updatePost({ id: old, tagIds: [mobile] });
  const statuses = await app.api.listStatuses({ id: true, type: true });
  const done = statuses.find(({ type }) => type === 'COMPLETED')?.id ?? '';
  await app.api.changePostStatus({ postId: old, statusType: 'COMPLETED' });
  const expected: [string, string, object[], number][] = [
    ['IDEAS', 'open', [], 2],
    ['IDEAS', 'all', [condition('SHOW', 'all')], 3],
    ['IDEAS', 'mine', [condition('SORT', 'mine')], 1],
    ['IDEAS', 'status', [condition('STATUS', done)], 1],
    ['IDEAS', 'tag', [condition('TAG', mobile), condition('SHOW', 'all')], 1],
    ['IDEAS', 'area', [condition('FIELD', `${area.id}:${site}`), condition('SHOW', 'all')], 2],
    ['IDEAS', 'areas', [condition('FIELD', `${area.id}:${site}`, `${area.id}:${phone}`), condition('SHOW', 'all')], 2],
    ['IDEAS', 'paid', [condition('FIELD', `${area.id}:${site}`, `${paid.id}:true`), condition('SHOW', 'all')], 1],
    ['TRIAGE', 'phone', [condition('FIELD', `${area.id}:${phone}`)], 1],
    ['IDEAS', 'votes', [condition('VOTES', '3')], 1],
    ['IDEAS', 'newer', [condition('NEWER', '5'), condition('SHOW', 'all')], 2],
    ['IDEAS', 'older', [condition('OLDER', '5'), condition('SHOW', 'all')], 1],
    ['IDEAS', 'waiting', [condition('WAITING', 'yes')], 2],
    ['IDEAS', 'assigned', [condition('ASSIGNEE', 'me')], 0],
    ['IDEAS', 'to no one', [condition('ASSIGNEE', 'none')], 2],
    ['TRIAGE', 'unanswered', [], 2],
    ['TRIAGE', 'no status', [condition('LIST', 'no-status')], 2],
    ['TRIAGE', 'no status, loud', [condition('LIST', 'no-status'), condition('VOTES', '3')], 1],
    ['TRIAGE', 'done', [condition('LIST', 'no-status'), condition('STATUS', done)], 0],
    ['PEOPLE', 'moderators', [condition('ROLE', 'MODERATOR')], 2],
    ['PEOPLE', 'never voted', [condition('ROLE', 'MODERATOR', 'MEMBER'), condition('VOTED', 'never')], 0],
    ['PEOPLE', 'voted', [condition('VOTED', 'ever')], 3],
    ['PEOPLE', 'voted lately', [condition('VOTING', '2')], 3],
    ['PEOPLE', 'active', [condition('ACTIVE', '2'), condition('ROLE', 'MEMBER')], 1],
    ['PEOPLE', 'blocked', [condition('STANDING', 'BLOCKED')], 0],
    ['PEOPLE', 'readers', [condition('NEWSLETTER', 'yes')], 0],
  ];
  for (const [kind, name, conditions] of expected) await makeView(app, { kind, name, conditions });
  const views = await app.api.as('mo').views({}, { name: true, count: true, leftOut: { value: true } });
  const found = new Map(views.map(({ name, count }) => [name, count]));
  assert.deepEqual(
    expected.map(([, name]) => [name, found.get(name)]),
    expected.map(([, name, , count]) => [name, count]),
  );
  assert.ok(views.every(({ leftOut }) => leftOut.length === 0));
});

testBoth('a view does without what no longer exists, and names it', async (app) => {
  await makeTeam(app);
  const [gone, stays] = await makeTags(app, 'Gone', 'Stays');
  await makeView(app, { conditions: [condition('TAG', gone ?? '', stays ?? ''), condition('VOTES', '5')] });
  await app.api.deleteTag({ id: gone ?? '' });
  const select = {
    conditions: { parameter: true, values: true },
    leftOut: { parameter: true, value: true, reason: true },
  } as const;
  const [view] = await app.api.as('mo').views({}, select);
  assert.deepEqual(view, {
    conditions: [condition('TAG', stays ?? ''), condition('VOTES', '5')],
    leftOut: [{ parameter: 'tag', value: gone, reason: 'GONE' }],
  });
  await app.db.transaction((tx) =>
    tx.updateTable('views').set({ conditions: '{"planet":["x"],"votes":["5","-1"]}' }).execute(),
  );
  const [newer] = await app.api.as('mo').views({}, select);
  assert.deepEqual(newer, {
    conditions: [condition('VOTES', '5')],
    leftOut: [
      { parameter: 'planet', value: 'x', reason: 'UNKNOWN' },
      { parameter: 'votes', value: '-1', reason: 'GONE' },
    ],
  });
});

testBoth('a filter with a condition that its list does not have is refused', async (app) => {
  await makeTeam(app);
  const refused: [string, object[]][] = [
    ['PEOPLE', [condition('TAG', 'x')]],
    ['IDEAS', [condition('LIST', 'mine')]],
    ['IDEAS', [condition('TAG', 'x')]],
    ['IDEAS', [condition('VOTES', '0')]],
    ['IDEAS', [condition('NEWER', '1e3')]],
    ['IDEAS', [condition('ASSIGNEE', 'vera')]],
    ['IDEAS', [condition('VOTES', '1'), condition('VOTES', '2')]],
    ['PEOPLE', [condition('VOTED', '\0')]],
  ];
  for (const [kind, conditions] of refused) {
    await assert.rejects(makeView(app, { kind, conditions }), { code: 'BAD_REQUEST', field: 'conditions' });
  }
  for (const name of ['', ' ', 'x'.repeat(61)]) {
    await assert.rejects(makeView(app, { name }), { code: 'BAD_REQUEST', field: 'name' });
  }
  await makeView(app, { name: '👍'.repeat(60) });
});

testBoth('no two views of a list have the same name, upper and lower case being the same', async (app) => {
  await makeTeam(app);
  await makeView(app, { name: 'Größe' });
  const taken = { code: 'CONFLICT', message: 'There is already a view "Größe"' };
  await assert.rejects(makeView(app, { name: 'GRÖßE' }), taken);
  await makeView(app, { name: 'Größe', kind: 'PEOPLE' });
  const shared = await makeView(app, { name: 'größe', isShared: true });
  await makeView(app, { name: 'Größe' }, 'ann');
  await assert.rejects(app.api.as('mo').updateView({ id: shared, isShared: false }), taken);
});

testBoth('views are bounded: 50 of a user, 100 of the team', async (app) => {
  await makeTeam(app);
  for (let n = 0; n < MAX_OWN; n++) await makeView(app, { name: `${n}` });
  const full = { code: 'CONFLICT', message: 'You can keep 50 views for yourself: delete one first' };
  await assert.rejects(makeView(app), full);
  await makeView(app, {}, 'ann');
  for (let n = 0; n < MAX_SHARED; n++) await makeView(app, { name: `${n}`, isShared: true });
  await assert.rejects(makeView(app, { name: 'One more', isShared: true }, 'ann'), { code: 'CONFLICT' });
  const counted = await app.api.as('mo').views({}, { count: true });
  assert.deepEqual([counted.length, counted.every(({ count }) => count === 0)], [MAX_OWN + MAX_SHARED, true]);
  const [own] = (await app.api.as('ann').views({}, { id: true, isShared: true })).filter(({ isShared }) => !isShared);
  const error = await errorOf(app.api.as('ann').updateView({ id: own?.id ?? '', isShared: true }));
  assert.equal(error?.code, 'CONFLICT');
});

testBoth('views are put in order within their list', async (app) => {
  await makeTeam(app);
  const [a, b] = [await makeView(app, { name: 'a' }), await makeView(app, { name: 'b' })];
  const c = await makeView(app, { name: 'c' });
  const other = await makeView(app, { name: 'other', isShared: true });
  const mo = app.api.as('mo');
  assert.deepEqual(await mo.rearrangeViews({ ids: [c, a] }, { name: true }), [
    { name: 'c' },
    { name: 'b' },
    { name: 'a' },
  ]);
  await mo.undo({ operationId: await lastOperation(app, 'mo') });
  assert.deepEqual(await namesFor(app, 'mo'), ['other', 'a', 'b', 'c']);
  await assert.rejects(mo.rearrangeViews({ ids: [a, other] }), { code: 'NOT_FOUND' });
  await assert.rejects(mo.rearrangeViews({ ids: [b, b] }), { code: 'BAD_REQUEST' });
  await assert.rejects(mo.rearrangeViews({ ids: [] }), { code: 'NOT_FOUND' });
});

testBoth(
  'what is done to shared views is in the log, and undone; own ones only their owner sees there',
  async (app) => {
    await makeTeam(app);
    const [mo, ann] = [app.api.as('mo'), app.api.as('ann')];
    const id = await makeView(app, { name: 'Ours', isShared: true, conditions: [condition('VOTES', '3')] });
    await ann.deleteView({ id });
    await ann.undo({ operationId: await lastOperation(app, 'mo') });
    assert.deepEqual(await namesFor(app, 'mo'), ['Ours']);
    await ann.updateView({ id, name: 'Theirs', conditions: [] });
    await mo.undo({ operationId: await lastOperation(app, 'ann') });
    const [back] = await mo.views({}, { name: true, owner: { name: true }, conditions: { values: true } });
    assert.deepEqual(back, { name: 'Ours', owner: { name: 'mo' }, conditions: [{ values: ['3'] }] });
    const seen = await lastOperation(app, 'ann');
    const own = await makeView(app, { name: 'Secret' });
    await mo.deleteView({ id: own });
    const hidden = await lastOperation(app, 'mo');
    assert.equal(await lastOperation(app, 'ann'), seen);
    await assert.rejects(ann.undo({ operationId: hidden }), { code: 'NOT_FOUND' });
    await mo.undo({ operationId: hidden });
    assert.deepEqual(await namesFor(app, 'mo'), ['Ours', 'Secret']);
  },
);

testBoth('views of an erased user go, except shared ones', async (app) => {
  await makeTeam(app);
  await makeView(app, { name: 'Mine' });
  await makeView(app, { name: 'Ours', isShared: true });
  await app.api.deleteUser({ ssoId: 'mo' });
  await finish(app);
  const rows = await app.db.read.selectFrom('views').select(['name', 'owner_id']).execute();
  assert.deepEqual(rows, [{ name: 'Ours', owner_id: null }]);
});
