import assert from 'node:assert/strict';
import { signUp, type TestWeb, testPages, testWeb } from '../../test/support/web.ts';
import { DAY_MS } from '../platform/lib/clock.ts';

const POST = '/b/acme/posts/1';

const statusesOf = async (web: TestWeb): Promise<{ id: string; name: string }[]> =>
  (await web.ask('{ listStatuses { id name } }')).listStatuses;

testWeb('the timeline of an idea has the dates of its statuses, and leaves out hidden ones', async (web) => {
  const id = await web.makePost('Dark mode');
  const [, planned, started] = await statusesOf(web);
  web.clock.advance(DAY_MS);
  await web.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: planned?.id });
  web.clock.advance(DAY_MS);
  await web.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: started?.id });
  web.clock.advance(2 * DAY_MS);
  const stepsOf = async () => {
    const { payload } = await web.makeVisitor().get(POST);
    const [list = ''] = /<ol class="steps".*?<\/ol>/s.exec(payload) ?? [];
    return [...list.matchAll(/<li data-state="(\w+)".*?<bdi>(.*?)<\/bdi>.*?<\/li>/gs)].map(([item, state, name]) => [
      name,
      state,
      /<time[^>]*>(.*?)<\/time>/.exec(item)?.[1],
    ]);
  };
  assert.deepEqual(await stepsOf(), [
    ['Open', 'past', 'Nov 21'],
    ['Planned', 'past', 'Nov 22'],
    ['In progress', 'now', '2 d ago'],
    ['Completed', 'next', undefined],
  ]);
  await web.api.updateStatus({ id: planned?.id ?? '', postVisibility: 'TEAM' });
  await web.api.changePostStatus({ postId: id, statusType: 'ARCHIVED' });
  assert.deepEqual(await stepsOf(), [
    ['Open', 'past', 'Nov 21'],
    ['In progress', 'past', 'Nov 23'],
    ['Archived', 'done', 'Nov 25'],
  ]);
});

testWeb('next to an idea are its voters, its fields and similar ideas', async (web) => {
  const field = await web.api.createField(
    { boardId: web.board.id, label: 'Plan', type: 'SELECTION', options: [{ name: 'Pro' }, { name: 'Free' }] },
    { id: true, options: { id: true } },
  );
  const { id } = await web.api.createPost({
    title: 'Dark mode',
    properties: [{ parent: field.id, values: [field.options[0]?.id ?? null] }],
  });
  await web.makePost('A dark mode for the evening');
  for (const name of ['Amy', 'Ben', 'Cleo']) {
    await web.api.createUser({ ssoType: 'SSO', ssoId: name, name });
    await web.api.as(name).upvotePost({ postId: id });
    web.clock.advance(7 * DAY_MS);
  }
  const { payload } = await web.makeVisitor().get(POST);
  const [panel = ''] = /<aside class="panel".*?<\/aside>/s.exec(payload) ?? [];
  assert.match(panel, /3 votes.*Votes per week over 4 weeks, from 0 to 1.*Latest votes by Cleo, Ben, and Amy/s);
  assert.match(panel, /Plan<\/dt><dd><span dir="auto">Pro</);
  assert.match(panel, /Similar ideas.*A dark mode for the evening/s);
  assert.doesNotMatch(panel, /Merge|Pin|Delete/);
});

testPages('the team sees that a similar idea awaits approval', async (web) => {
  await web.makePost('Dark mode');
  const other = await web.makePost('A dark mode for the evening');
  await web.api.changePostModerationStatus({ id: other, moderationStatus: 'PENDING' });
  const moderator = await web.makeMember('Mo', 'MODERATOR');
  const { body } = await moderator.get(POST);
  const [similar = ''] = /<section aria-labelledby="similar">.*?<\/section>/s.exec(body) ?? [];
  assert.match(similar, /A dark mode for the evening.*Pending approval/s);
  assert.doesNotMatch(similar, /Open/);
});

testPages('users react to comments on the page, with scripts and without', async (web) => {
  const id = await web.makePost('Dark mode');
  const [vera, bob] = [await signUp(web, 'Vera'), await signUp(web, 'Bob')];
  const comment = await web.api.createComment({ postId: id, text: 'Yes' });
  const form = { intent: 'react', id: comment.id, react: 'on HEART' };
  const sent = await vera.post(POST, { ...form, next: `${POST}#comment-1` });
  assert.equal(sent.headers.location, `${POST}#comment-1`);
  await bob.post(POST, form);
  await bob.post(POST, { ...form, react: 'off HEART' });
  await bob.post(POST, { ...form, react: 'on EYES' });
  assert.equal((await bob.post(POST, { ...form, react: 'on ANGER' })).statusCode, 400);
  const anonymous = await web.makeVisitor().post(POST, form);
  assert.equal(anonymous.statusCode, 401);
  const { payload } = await vera.get(POST);
  assert.match(payload, /value="off HEART" aria-pressed="true" aria-label="Heart, 1"/);
  assert.match(payload, /value="on EYES" aria-pressed="false" aria-label="Eyes, 1"/);
});

testPages('replies to a removed comment are shown below its placeholder', async (web) => {
  const id = await web.makePost('Dark mode');
  const write = async (text: string, parentId?: string) => {
    return (await web.api.createComment({ postId: id, text, parentId })).id;
  };
  const [spam, deleted] = [await write('Buy my pills'), await write('Never mind')];
  await write('Please do not', spam);
  await write('But why?', deleted);
  await web.api.changeCommentModerationStatus({ id: spam, moderationStatus: 'REJECTED' });
  await web.api.deleteComment({ id: deleted });
  const { payload } = await web.makeVisitor().get(POST);
  assert.doesNotMatch(payload, /pills|Never mind/);
  const removed = 'This comment was removed';
  assert.match(payload, new RegExp(`${removed}.*Please do not.*${removed}.*But why\\?`, 's'));
});

testWeb('the idea to merge into is found by words or by its number, with the votes of both', async (web) => {
  const [id, other] = [await web.makePost('Dark mode'), await web.makePost('Export as CSV')];
  await web.makePost('A dark theme for the evening mode');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  for (const as of ['amy', 'ben']) await web.makeUser(as);
  for (const as of ['amy', 'ben']) {
    await web.api.as(as).upvotePost({ postId: id });
  }
  await web.api.as('amy').upvotePost({ postId: other });
  const found = async (words: string) => {
    const { payload } = await mo.get(`${POST}?merge=${encodeURIComponent(words)}`);
    return [...payload.matchAll(/name="target".*?<bdi>(.*?)<\/bdi><small>(.*?)<\/small>/gs)].map((match) =>
      match.slice(1),
    );
  };
  const theme = ['A dark theme for the evening mode', '0 → 2 votes in total'];
  assert.deepEqual(await found(''), [theme]);
  assert.deepEqual(await found('csv'), [['Export as CSV', '1 → 2 votes in total']]);
  assert.deepEqual(await found('#3'), [theme]);
  assert.deepEqual(await found('nothing at all'), []);
  assert.doesNotMatch((await web.makeVisitor().get(`${POST}?merge=`)).payload, /name="target"/);
});

testPages('the team sets when an idea is expected; its page and the roadmap show it', async (web) => {
  await web.makePost('Dark mode');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const page = (await mo.get(POST)).payload;
  const [, expected = ''] = /<option value="(\d{4}-Q\d)">/.exec(page) ?? [];
  const [, planned = ''] = /<option value="([\w-]{36})"[^>]*>Planned</.exec(page) ?? [];
  await mo.post(POST, { intent: 'status', status: planned, expected });
  const name = expected.replace(/(\d+)-(Q\d)/, '$2 $1');
  const visitor = web.makeVisitor();
  assert.match((await visitor.get(POST)).payload, new RegExp(`<dt[^>]*>Expected</dt><dd>${name}</dd>`));
  assert.match((await visitor.get('/b/acme/roadmap')).payload, new RegExp(`Expected: </span>${name}`));
  await web.makePost('Light mode');
  await mo.post('/b/acme/posts/2', { intent: 'status', status: planned, expected: '' });
  const roadmap = (await visitor.get('/b/acme/roadmap')).payload;
  assert.match(roadmap, new RegExp(`${name}</p>.*>Dark mode<.*No date yet</p>.*>Light mode<`, 's'));
  await mo.post(POST, { intent: 'status', status: planned, expected: '2027-01' });
  assert.match((await visitor.get(POST)).payload, /<dd>Jan 2027<\/dd>/);
  await mo.post(POST, { intent: 'status', status: planned, expected: '' });
  assert.doesNotMatch((await visitor.get(POST)).payload, /Expected/);
});
