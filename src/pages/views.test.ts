import assert from 'node:assert/strict';
import { addUsers } from '../../test/support/notifying.ts';
import { type TestWeb, testPages, testWeb, type WebVisitor } from '../../test/support/web.ts';
import { DAY_MS } from '../platform/lib/clock.ts';

const HOME = '/b/acme';

/** The titles in a list of triage. */
async function titlesIn(visitor: WebVisitor, path: string): Promise<string[]> {
  const { payload } = await visitor.get(`${HOME}/${path}`);
  return [...payload.matchAll(/<li class="triage-item".*?<a [^>]*>(.*?)<\/a>/gs)].map(([, title = '']) => title);
}

/** The views that a page links to, with their counts. */
async function viewsOn(visitor: WebVisitor, path: string): Promise<string[]> {
  const { payload } = await visitor.get(`${HOME}${path}`);
  const [list = ''] = /<nav class="desk-views".*?<\/nav>/s.exec(payload) ?? [];
  return [...list.matchAll(/<bdi>(.*?)<\/bdi><span class="count">(.*?)</g)].map(
    ([, name, count]) => `${name} ${count}`,
  );
}

async function fill(web: TestWeb): Promise<{ mo: WebVisitor; tagId: string }> {
  await addUsers(web, 'vera');
  const ids = [];
  for (const title of ['Dark mode', 'Export', 'Search']) {
    ids.push(await web.makePost(title, { as: 'vera' }));
    web.clock.advance(DAY_MS);
  }
  const { id: tagId } = await web.api.createTag({ name: 'Mobile' });
  await web.api.updatePost({ id: ids[1] ?? '', tagIds: [tagId] });
  for (const as of ['ada', 'vera']) await web.api.as(as).upvotePost({ postId: ids[0] ?? '' });
  return { mo: await web.makeMember('Mo', 'MODERATOR'), tagId };
}

testWeb('the lists of triage are filtered by their URL', async (web) => {
  const { mo, tagId } = await fill(web);
  assert.deepEqual(await titlesIn(mo, `triage/unanswered?tag=${tagId}`), ['Export']);
  assert.deepEqual(await titlesIn(mo, 'triage/no-status?votes=2'), ['Dark mode']);
  assert.deepEqual(await titlesIn(mo, 'triage/no-status?newer=2'), ['Search', 'Export']);
  assert.deepEqual(await titlesIn(mo, 'triage/no-status?older=2&assignee=none'), ['Dark mode']);
  assert.deepEqual(await titlesIn(mo, 'triage/no-status?assignee=me'), []);
  for (const broken of ['votes=', 'votes=-1', 'tag=x', 'assignee=vera', 'status=%00', 'newer=1e9', 'toString=1']) {
    assert.equal((await titlesIn(mo, `triage/no-status?${broken}`)).length, 3, broken);
  }
  const { payload } = await mo.get(`${HOME}/triage/no-status/1?votes=2`);
  assert.match(payload, /class="back" href="\/b\/acme\/triage\/no-status\?votes=2"/);
  assert.match(payload, /aria-label="Remove the filter Minimum votes: 2"/);
});

testPages('a form on an idea of a filtered list leads back to that list', async (web) => {
  const { mo } = await fill(web);
  const next = `${HOME}/triage/no-status?votes=2`;
  const done = await mo.post(`${HOME}/triage/no-status/1`, { intent: 'triage', days: '', next });
  assert.match(String(done.headers.location), /^\/b\/acme\/triage\/no-status\?votes=2&done=triaged&operation=/);
});

testWeb(
  'a filter is kept under a name, linked with its count, renamed, shared, ordered, and deleted with an undo',
  async (web) => {
    const { mo, tagId } = await fill(web);
    const ann = await web.makeMember('Ann', 'MODERATOR');
    const save = (name: string, query: string, more = {}) =>
      mo.post(`${HOME}/views`, { intent: 'save', kind: 'TRIAGE', name, query, ...more });
    const saved = await save('Loud', 'list=no-status&votes=2');
    assert.match(String(saved.headers.location), /^\/b\/acme\/triage\/no-status\?votes=2&done=viewSaved&operation=/);
    await save('Mobile', `list=unanswered&tag=${tagId}`, { shared: 'on' });
    assert.deepEqual(await viewsOn(mo, '/triage/unanswered'), ['Mobile 1', 'Loud 1']);
    assert.deepEqual(await viewsOn(ann, '/triage/unanswered'), ['Mobile 1']);
    assert.deepEqual(await viewsOn(mo, '/people'), []);
    const { payload } = await mo.get(`${HOME}/triage/no-status?votes=2`);
    assert.match(payload, /aria-current="page"[^>]*href="\/b\/acme\/triage\/no-status\?votes=2"/);
    assert.match((await save('loud', 'votes=1')).payload, /There is already a view/);
    assert.equal((await save('x'.repeat(61), '')).statusCode, 422);
    assert.equal((await save('Broken', 'votes=many')).statusCode, 422);
    const [id = '', first = ''] = (
      await web.db.read.selectFrom('views').select('id').orderBy('is_shared').execute()
    ).map((row) => row.id);
    assert.ok(first);
    await mo.post(`${HOME}/views`, { intent: 'replace', kind: 'TRIAGE', view: id, query: 'list=no-status&votes=1' });
    await mo.post(`${HOME}/views`, { intent: `edit:${id}`, name: 'Wanted', shared: 'on' });
    assert.deepEqual(await viewsOn(ann, '/triage/unanswered'), ['Mobile 1', 'Wanted 1']);
    await ann.post(`${HOME}/views`, { intent: 'order', [`at-${first}`]: '2', [`at-${id}`]: '1' });
    assert.deepEqual(await viewsOn(mo, '/triage/unanswered'), ['Wanted 1', 'Mobile 1']);
    const gone = await ann.post(`${HOME}/views`, { intent: `delete:${id}` });
    assert.deepEqual(await viewsOn(mo, '/triage/unanswered'), ['Mobile 1']);
    assert.match((await mo.get(`${HOME}/activity`)).payload, /View changed/);
    const { searchParams } = new URL(String(gone.headers.location), 'http://board.test');
    await ann.post(`${HOME}/undo`, { operation: searchParams.get('operation') ?? '', next: HOME });
    assert.deepEqual(await viewsOn(mo, '/triage/unanswered'), ['Wanted 1', 'Mobile 1']);
    await web.api.deleteTag({ id: tagId });
    assert.match((await mo.get(`${HOME}/views`)).payload, /Left out, because it no longer exists: Tags/);
  },
);

testWeb('the team filters the board by more than its visitors can, who see no views', async (web) => {
  const { mo, tagId } = await fill(web);
  await mo.post(`${HOME}/views`, { intent: 'save', kind: 'IDEAS', name: 'Tagged', query: `tag=${tagId}&sort=new` });
  assert.deepEqual(await viewsOn(mo, ''), ['Tagged 1']);
  const titles = async (visitor: WebVisitor, query: string) => {
    const { payload } = await visitor.get(`${HOME}${query}`);
    return ['Dark mode', 'Export', 'Search'].filter((title) => payload.includes(`>${title}</a>`));
  };
  assert.deepEqual(await titles(mo, `?tag=${tagId}&sort=new`), ['Export']);
  assert.deepEqual(await titles(mo, '?votes=2'), ['Dark mode']);
  assert.deepEqual(await titles(mo, '?older=2&tag=mobile'), []);
  const visitor = web.makeVisitor();
  assert.deepEqual(await titles(visitor, '?votes=2'), ['Dark mode', 'Export', 'Search']);
  assert.deepEqual(await viewsOn(visitor, ''), []);
  assert.match(String((await visitor.get(`${HOME}/views`)).headers.location), /^\/sign-in/);
});

testWeb('people are filtered by role, standing and what they did', async (web) => {
  const { mo } = await fill(web);
  await addUsers(web, 'kim');
  const names = async (query: string) => {
    const { payload } = await mo.get(`${HOME}/people?${query}`);
    return [...payload.matchAll(/href="\/b\/acme\/people\/[0-9a-f-]{36}"[^>]*>([^<]*)/g)].map(([, name]) => name);
  };
  assert.deepEqual(await names('role=MODERATOR'), ['Mo']);
  assert.deepEqual(await names('voted=never&role=MEMBER'), ['kim']);
  assert.deepEqual(await names('voted=ever&role=MEMBER'), ['vera']);
  assert.deepEqual(await names('q=im&role=MEMBER'), ['kim']);
  assert.deepEqual(await names('role=BOSS&voted=x&q=kim'), ['kim']);
  await mo.post(`${HOME}/views`, { intent: 'save', kind: 'PEOPLE', name: 'Silent', query: 'voted=never&role=MEMBER' });
  assert.deepEqual(await viewsOn(mo, '/people'), ['Silent 1']);
});
