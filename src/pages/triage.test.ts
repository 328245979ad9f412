import assert from 'node:assert/strict';
import { addTracker, issueUrl } from '../../test/support/trackers.ts';
import { PASSWORD, type TestWeb, testPages, testWeb, type WebVisitor } from '../../test/support/web.ts';
import { findUser } from '../identity/users/users.ts';
import { linkIssue } from '../operations/trackers/linking.ts';
import { DAY_MS } from '../platform/lib/clock.ts';

const HOME = '/b/acme/triage';

/** The titles in a list of triage. */
async function titlesIn(visitor: WebVisitor, list: string): Promise<string[]> {
  const { payload } = await visitor.get(`${HOME}/${list}`);
  return [...payload.matchAll(/<li class="triage-item".*?<a [^>]*>(.*?)<\/a>/gs)].map(([, title = '']) => title);
}

async function fill(web: TestWeb): Promise<{ mo: WebVisitor; ids: string[] }> {
  await web.makeUser('vera');
  const ids = [];
  for (const title of ['Dark mode', 'Export', 'Search']) {
    ids.push(await web.makePost(title, { as: 'vera' }));
    web.clock.advance(1_000);
  }
  return { ids, mo: await web.makeMember('Mo', 'MODERATOR') };
}

testWeb('an idea waits until the team has decided on it, answered it or is done with it', async (web) => {
  const { mo } = await fill(web);
  assert.deepEqual(await titlesIn(mo, 'unanswered'), ['Search', 'Export', 'Dark mode']);
  const { statuses } = await web.ask('{ statuses: listStatuses { id name } }');
  const planned = statuses.find(({ name }: { name: string }) => name === 'Planned');
  await mo.post(`${HOME}/unanswered/3`, { intent: 'status', status: planned.id });
  assert.deepEqual(await titlesIn(mo, 'unanswered'), ['Export', 'Dark mode']);
  await mo.post(`${HOME}/unanswered/2`, { intent: 'note', text: 'Ask sales.', type: 'INTERNAL' });
  assert.deepEqual(await titlesIn(mo, 'unanswered'), ['Export', 'Dark mode'], 'a note is no answer');
  await mo.post(`${HOME}/unanswered/2`, { intent: 'comment', text: 'Which format?' });
  assert.deepEqual(await titlesIn(mo, 'unanswered'), ['Dark mode']);
  await mo.post(`${HOME}/unanswered/1`, { intent: 'triage', days: '' });
  assert.deepEqual(await titlesIn(mo, 'unanswered'), []);
  assert.deepEqual(await titlesIn(mo, 'no-status'), ['Export', 'Dark mode']);
  assert.doesNotMatch((await web.makeVisitor().get('/b/acme/posts/2')).payload, /Ask sales/);
});

testPages('who decides about what came by mail reads why it waits, and no one else', async (web) => {
  const { mo, ids } = await fill(web);
  const [postId = ''] = ids;
  await web.api.createComment({ postId, text: 'By mail' });
  const waiting = { moderation_status: 'PENDING' as const };
  await web.db.transaction(async (tx) => {
    await tx
      .updateTable('users')
      .set({ email: 'ana@example.com' })
      .where('id', 'in', tx.selectFrom('posts').select('author_id').where('id', '=', postId))
      .execute();
    await tx
      .updateTable('posts')
      .set({ ...waiting, doubt: 'UNPROVEN' })
      .where('id', '=', postId)
      .execute();
    await tx
      .updateTable('comments')
      .set({ ...waiting, doubt: 'UNKNOWN' })
      .where('text', '=', 'By mail')
      .execute();
  });
  const why = /as from ana@example\.com, and nothing proves that it is from there/;
  const whyUnknown = /It came by email from \S+, of whom nothing has been approved yet/;
  for (const path of [`${HOME}/unanswered/1`, '/b/acme/moderation']) {
    const { payload } = await mo.get(path);
    for (const reason of [why, whyUnknown]) assert.match(payload, reason, path);
  }
  await web.api.changePostModerationStatus({ id: postId, moderationStatus: 'APPROVED' });
  const { payload } = await web.makeVisitor().get('/b/acme/posts/1');
  assert.match(payload, /Dark mode/);
  assert.doesNotMatch(payload, /came by email/);
  assert.doesNotMatch((await mo.get(`${HOME}/unanswered/1`)).payload, why);
});

testWeb('ideas about whose issues the team is asked have a list, on boards with a tracker', async (web) => {
  const { mo, ids } = await fill(web);
  const [dark = '', exports = '', search = ''] = ids;
  assert.doesNotMatch((await mo.get(`${HOME}/unanswered`)).payload, /Completed issues/);
  await web.makeUser('mod', 'MODERATOR');
  await addTracker(web, web.board.id);
  assert.match((await mo.get(`${HOME}/unanswered`)).payload, /Completed issues/);
  assert.deepEqual(await titlesIn(mo, 'issues'), []);
  const actor = (await findUser(web.db.read, web.board.id, { ssoType: 'SSO', ssoId: 'mod' })) ?? assert.fail();
  const context = { ...web, baseUrl: 'http://board.test', actor };
  for (const [n, id] of [dark, exports].entries()) await linkIssue(context, id, { named: issueUrl(n + 1) });
  const ask = (id: string) =>
    web.db.transaction((tx) => tx.updateTable('issue_links').set({ asks: 1 }).where('post_id', '=', id).execute());
  await ask(exports);
  assert.deepEqual(await titlesIn(mo, 'issues'), ['Export']);
  // A merged idea asks where it is now; a completed one about its release.
  await web.api.mergePosts({ sourceIds: [exports], targetId: search });
  await ask(dark);
  await web.api.changePostStatus({ postId: dark, statusType: 'COMPLETED' });
  assert.deepEqual((await titlesIn(mo, 'issues')).sort(), ['Dark mode', 'Search']);
  assert.equal((await mo.post(`${HOME}/issues/1`, { intent: 'decide-issues', to: 'nothing' })).statusCode, 302);
  assert.deepEqual(await titlesIn(mo, 'issues'), ['Search']);
});

testPages('a note is internal, whatever else its form contains', async (web) => {
  const { mo } = await fill(web);
  await mo.post(`${HOME}/unanswered/1`, { intent: 'note', text: 'Secret plan', type: 'OFFICIAL' });
  assert.doesNotMatch((await web.makeVisitor().get('/b/acme/posts/1')).payload, /Secret plan/);
  const { payload } = await mo.get('/b/acme/posts/1');
  assert.match(payload, /Only the team sees this.*Secret plan/s);
  const forms = [...payload.matchAll(/data-tab="write-(\w+)".*?<\/form>/gs)];
  assert.deepEqual(
    forms.map(([form, name]) => [name, form.includes('name="intent" value="note"'), form.includes('value="OFFICIAL"')]),
    [
      ['reply', false, true],
      ['note', true, false],
    ],
  );
});

testPages('a note of a moderator who was signed out is held for them, and does not become a comment', async (web) => {
  await fill(web);
  const mo = web.makeVisitor();
  for (const form of [
    { intent: 'note', text: 'Secret plan' },
    { intent: 'comment', text: 'Secret answer', type: 'OFFICIAL' },
  ]) {
    const held = await mo.post('/b/acme/posts/1', form);
    assert.equal(held.statusCode, 401, form.intent);
    assert.match(held.payload, new RegExp(`name="text" value="${form.text}"`));
  }
  assert.equal((await mo.post('/b/acme/posts/1', { intent: 'comment', text: 'Which one?' })).statusCode, 302);
  await mo.post('/sign-in', { intent: 'password', email: 'mo@example.com', password: PASSWORD });
  await mo.get('/b/acme/continue');
  const { payload } = await web.makeVisitor().get('/b/acme/posts/1');
  assert.match(payload, /Which one\?/);
  assert.doesNotMatch(payload, /Secret/);
});

testWeb('a snoozed idea is back at its time, or with the next comment of a user', async (web) => {
  const { mo, ids } = await fill(web);
  await mo.post(`${HOME}/unanswered/1`, { intent: 'triage', days: '7' });
  await mo.post(`${HOME}/unanswered/2`, { intent: 'triage', days: '30' });
  assert.deepEqual(await titlesIn(mo, 'unanswered'), ['Search']);
  assert.deepEqual(await titlesIn(mo, 'snoozed'), ['Export', 'Dark mode']);
  assert.doesNotMatch((await web.makeVisitor().get('/b/acme/posts/1')).payload, /snooze/i);
  web.clock.advance(7 * DAY_MS);
  assert.deepEqual(await titlesIn(mo, 'snoozed'), ['Export']);
  await web.api.as('vera').createComment({ postId: ids[1] ?? '', text: 'Any news?' });
  assert.deepEqual(await titlesIn(mo, 'snoozed'), []);
  assert.deepEqual(await titlesIn(mo, 'unanswered'), ['Search', 'Export', 'Dark mode']);
  const tooLong = await mo.post(`${HOME}/unanswered/1`, { intent: 'triage', days: '400' });
  assert.equal(tooLong.statusCode, 422);
});

testPages('forms with parts of days, or of no person, change nothing', async (web) => {
  const { mo, ids } = await fill(web);
  for (const days of ['0.0000001', '1e400']) {
    const { statusCode } = await mo.post(`${HOME}/unanswered/1`, { intent: 'triage', days });
    assert.equal(statusCode, 422, days);
  }
  for (const action of ['triage:0.0000001', 'assign:\0', 'assign:x']) {
    const { statusCode } = await mo.post(`${HOME}/unanswered`, { post: ids[0] ?? '', do: action });
    assert.equal(statusCode, 422, action);
  }
  assert.deepEqual(await titlesIn(mo, 'unanswered'), ['Search', 'Export', 'Dark mode']);
});

testWeb('the lists of triage hold what is assigned, and what is most asked this month', async (web) => {
  const { mo, ids } = await fill(web);
  const { payload } = await mo.get(`${HOME}/unanswered/2`);
  const [, own = ''] = /<option value="([^"]+)">Mo</.exec(payload) ?? [];
  await mo.post(`${HOME}/unanswered/2`, { intent: 'assign', assignee: own });
  assert.deepEqual(await titlesIn(mo, 'mine'), ['Export']);
  await web.api.upvotePost({ postId: ids[0] ?? '' });
  assert.deepEqual((await titlesIn(mo, 'most-asked'))[0], 'Dark mode');
  await mo.post(`${HOME}/mine/2`, { intent: 'assign', assignee: '' });
  assert.deepEqual(await titlesIn(mo, 'mine'), []);
  web.clock.advance(31 * DAY_MS);
  assert.deepEqual(await titlesIn(mo, 'most-asked'), []);
});

testPages('the activity of the team says what was done in triage', async (web) => {
  const { mo } = await fill(web);
  const lines = async () => {
    const { payload } = await mo.get('/b/acme/activity');
    return [
      ...(payload.split('</main>')[0] ?? '').matchAll(/Idea (?:done in triage|snoozed|back in triage|edited)/g),
    ].map(([words]) => words);
  };
  const done = await mo.post(`${HOME}/unanswered/1`, { intent: 'triage', days: '' });
  await mo.post(`${HOME}/unanswered/2`, { intent: 'triage', days: '7' });
  assert.deepEqual(await lines(), ['Idea snoozed', 'Idea done in triage']);
  const { searchParams } = new URL(String(done.headers.location), 'http://board.test');
  await mo.post('/b/acme/undo', { operation: searchParams.get('operation') ?? '', next: HOME });
  assert.deepEqual((await lines())[0], 'Idea back in triage');
});

testPages('handling an idea leads to the next one', async (web) => {
  const { mo } = await fill(web);
  const { payload } = await mo.get(`${HOME}/unanswered/3`);
  assert.match(payload, /name="next" value="\/b\/acme\/triage\/unanswered\/2"/);
  const next = `${HOME}/unanswered/2`;
  const done = await mo.post(`${HOME}/unanswered/3`, { intent: 'triage', days: '', next });
  assert.match(String(done.headers.location), /unanswered\/2\?done=triaged&operation=/);
  const elsewhere = await mo.post(`${HOME}/unanswered/2`, { intent: 'pin', next: 'https://evil.example' });
  assert.match(String(elsewhere.headers.location), /^\/b\/acme\/triage\/unanswered\/2\?done=saved/);
  const deleted = await mo.post(`${HOME}/unanswered/2`, { intent: 'delete', next: `${HOME}/unanswered/1` });
  assert.match(String(deleted.headers.location), /unanswered\/1\?done=ideaDeleted&operation=/);
});

testWeb('likely duplicates are lined up with the votes that both have together', async (web) => {
  await web.makeUser('vera');
  const id = await web.makePost('Dark mode', { as: 'vera' });
  await web.makePost('Export as CSV');
  await web.makePost('A dark theme for the evening mode');
  await web.makePost('Export for the tax office');
  for (const as of ['ada', 'vera']) await web.api.as(as).upvotePost({ postId: id });
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const { payload } = await mo.get(`${HOME}/unanswered/3`);
  assert.match(payload, /Likely duplicates.*2 votes.*Dark mode.*Words in common.*Merge: 2 votes in total/s);
  assert.match(payload, /Merge into “Dark mode”\?.*2 → 2 votes in total.*0 users get an email/s);
  const other = await mo.get(`${HOME}/unanswered/4`);
  assert.doesNotMatch(other.payload, /Likely duplicates/, 'one word in common is not enough');
  await mo.post(`${HOME}/unanswered/3`, { intent: 'merge', target: '1' });
  assert.deepEqual(await titlesIn(mo, 'unanswered'), ['Export for the tax office', 'Export as CSV', 'Dark mode']);
});

testWeb('several ideas are changed at once, all of them or none, and undone at once', async (web) => {
  const { mo, ids } = await fill(web);
  const change = (chosen: readonly string[], action: string) =>
    mo.postForm(`${HOME}/unanswered`, [
      ...chosen.map((id) => ({ field: 'post', bytes: id })),
      { field: 'do', bytes: action },
    ]);
  const tag = await web.api.createTag({ name: 'Look' });
  await change(ids, `tag:${tag.id}`);
  const tagged = await web.api.posts({ where: { tagIds: [tag.id] } }, { totalCount: true });
  assert.equal(tagged.totalCount, 3);
  const unknown = '00000000-0000-7000-8000-000000000000';
  assert.equal((await change([...ids, unknown], 'delete')).statusCode, 422);
  assert.equal((await titlesIn(mo, 'unanswered')).length, 3, 'none is deleted');
  const done = await change(ids, 'triage:');
  const { searchParams } = new URL(String(done.headers.location), 'http://board.test');
  assert.equal(searchParams.get('changed'), '3');
  assert.deepEqual(await titlesIn(mo, 'unanswered'), []);
  await mo.post('/b/acme/undo', { operation: searchParams.get('operation') ?? '', next: HOME });
  assert.equal((await titlesIn(mo, 'unanswered')).length, 3);
  await web.api.upvotePost({ postId: ids[1] ?? '' });
  const asked = await change(ids, 'merge');
  assert.match(asked.payload, /Merge into “[^”]+”\?.*1 → 1 vote in total.*value="merge-now"/s);
  assert.equal((await titlesIn(mo, 'unanswered')).length, 3, 'nothing is merged yet');
  await change(ids, 'merge-now');
  assert.deepEqual(await titlesIn(mo, 'unanswered'), ['Export']);
  const many = Array.from({ length: 51 }, (_, n) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`);
  for (const chosen of [[], many]) assert.equal((await change(chosen, 'delete')).statusCode, 422);
  assert.equal((await change(ids, 'nothing')).statusCode, 400);
  const vera = web.makeVisitor();
  assert.notEqual((await vera.post(`${HOME}/unanswered`, { post: ids[0] ?? '', do: 'delete' })).statusCode, 200);
  assert.equal((await web.api.posts({}, { totalCount: true })).totalCount, 3);
});

testPages('triage is for the team', async (web) => {
  await fill(web);
  const anonymous = await web.makeVisitor().get(`${HOME}/unanswered`);
  assert.match(String(anonymous.headers.location), /^\/sign-in/);
  const mo = await web.makeMember('Mia', 'MODERATOR');
  const home = await mo.get(HOME);
  assert.equal(home.headers.location, `${HOME}/unanswered`);
  assert.equal((await mo.get(`${HOME}/others`)).statusCode, 404);
  assert.match((await mo.get('/b/acme')).payload, /Triage<span class="badge">3</);
  assert.doesNotMatch((await web.makeVisitor().get('/b/acme')).payload, /Triage/);
});
