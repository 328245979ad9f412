import assert from 'node:assert/strict';
import { signUp, type TestWeb, testPages, testWeb, type WebVisitor } from '../../test/support/web.ts';

const POST = '/b/acme/posts/1';
const READ = `{ post: posts { nodes {
  title upvoteCount commentCount isLocked isPinned status { name } moderationStatus
  comments { nodes { id text type user { name } parent { id } } }
} } }`;

type Comment = { id: string; text: string; type: string; user: { name: string } | null; parent: { id: string } | null };

const read = async ({ ask }: TestWeb) => (await ask(READ)).post.nodes[0];
const commentsOf = async (web: TestWeb): Promise<Comment[]> => (await read(web)).comments.nodes.slice(1);

testPages('people comment, reply, edit and delete; only their own', async (web) => {
  await web.makePost('Dark mode');
  const [vera, bob] = [await signUp(web, 'Vera'), await signUp(web, 'Bob')];
  const first = await vera.post(POST, { intent: 'comment', text: 'Please **soon**.' });
  const [comment] = await commentsOf(web);
  assert.equal(first.headers.location, `/b/acme/posts/1/dark-mode?done=commented#comment-${comment?.id}`);
  web.clock.advance(1_000);
  await bob.post(POST, { intent: `reply:${comment?.id}`, text: 'Yes.' });
  const page = (await web.makeVisitor().get(POST)).payload;
  assert.match(page, /Please <strong>soon<\/strong>\..*<ol class="replies">.*Yes\./s);
  assert.deepEqual(
    (await commentsOf(web)).map(({ text, user, parent }) => [text, user?.name, parent?.id]),
    [
      ['Please **soon**.', 'Vera', undefined],
      ['Yes.', 'Bob', comment?.id],
    ],
  );
  const edit = { intent: `edit-comment:${comment?.id}`, id: comment?.id ?? '', text: 'Changed.' };
  const remove = { intent: `delete-comment:${comment?.id}`, id: comment?.id ?? '' };
  assert.equal((await bob.post(POST, edit)).statusCode, 403);
  assert.equal((await bob.post(POST, remove)).statusCode, 403);
  assert.equal((await vera.post(POST, { ...edit, text: '' })).statusCode, 422);
  assert.equal((await vera.post(POST, edit)).statusCode, 302);
  assert.match((await vera.get(POST)).payload, /edited/);
  assert.equal((await vera.post(POST, remove)).statusCode, 302);
  assert.deepEqual(
    (await commentsOf(web)).map(({ text }) => text),
    ['Yes.'],
  );
});

testWeb('a comment that is sent twice is there once', async (web) => {
  await web.makePost('Dark mode');
  const vera = await signUp(web, 'Vera');
  const formId = /name="formId" value="([\w-]{36})"/.exec((await vera.get(POST)).payload)?.[1] ?? '';
  const form = { intent: 'comment', formId, text: 'Please.' };
  await Promise.all([vera.post(POST, form), vera.post(POST, form)]);
  await vera.post(POST, form);
  assert.equal((await commentsOf(web)).length, 1);
  await vera.post(POST, { ...form, text: 'Please!' });
  assert.equal((await commentsOf(web)).length, 2);
});

testPages('a comment of an anonymous visitor, or after the session ended, waits until they sign in', async (web) => {
  await web.makePost('Dark mode');
  const vera = await signUp(web, 'Vera');
  const session = new Map(vera.cookies);
  vera.cookies.clear();
  const kept = await vera.post(POST, { intent: 'comment', text: 'A long thought.' });
  assert.equal(kept.headers.location, '/sign-in?next=%2Fb%2Facme%2Fcontinue');
  for (const [name, value] of session) vera.cookies.set(name, value);
  const applied = await vera.get('/b/acme/continue');
  const [comment] = await commentsOf(web);
  assert.deepEqual([comment?.text, comment?.user?.name], ['A long thought.', 'Vera']);
  assert.equal(applied.headers.location, `/b/acme/posts/1/dark-mode?done=commented#comment-${comment?.id}`);
});

testPages('authors bring back the comment that they have just deleted, and none that the team deleted', async (web) => {
  await web.makePost('Dark mode');
  const [vera, otto] = [await signUp(web, 'Vera'), await signUp(web, 'Otto')];
  const mo = await web.makeMember('Mo', 'MODERATOR');
  await vera.post(POST, { intent: 'comment', text: 'A long thought.' });
  const id = (await commentsOf(web))[0]?.id ?? '';
  const deleted = await vera.post(POST, { intent: 'delete-comment', id });
  const [address = ''] = String(deleted.headers.location).split('#');
  assert.match((await vera.get(address)).payload, /class="toast".*value="restore-comment".*>Undo</s);
  assert.equal((await commentsOf(web)).length, 0);
  assert.doesNotMatch((await otto.get(address)).payload, /restore-comment/);
  const restore = { intent: 'restore-comment', id };
  assert.equal((await otto.post(POST, restore)).statusCode, 403);
  assert.equal((await vera.post(POST, restore)).statusCode, 302);
  assert.equal((await vera.post(POST, restore)).statusCode, 302, 'twice is once');
  assert.equal((await commentsOf(web))[0]?.text, 'A long thought.');

  const byTeam = await mo.post(POST, { intent: 'delete-comment', id });
  const [its = ''] = String(byTeam.headers.location).split('#');
  assert.match((await mo.get(its)).payload, /class="toast".*name="operation".*>Undo</s);
  assert.equal((await vera.post(POST, restore)).statusCode, 403);
});

testPages('the forms of the team are for the team', async (web) => {
  const id = await web.makePost('Dark mode');
  await web.makePost('Night theme');
  const vera = await signUp(web, 'Vera');
  await vera.post('/b/acme/votes/1', { vote: 'up', next: '/b/acme' });
  const forms: Record<string, string>[] = [
    { intent: 'edit', title: 'Stolen', comment: '' },
    { intent: 'status', status: (await web.ask('{ statuses: listStatuses { id } }')).statuses[1].id, comment: '' },
    { intent: 'tags' },
    { intent: 'lock' },
    { intent: 'pin' },
    { intent: 'moderate', moderationStatus: 'REJECTED' },
    { intent: 'merge', target: '2' },
    { intent: 'delete' },
    { intent: 'comment', text: 'We say', type: 'OFFICIAL' },
    { intent: 'comment', text: 'Secret', type: 'INTERNAL' },
  ];
  for (const form of forms) {
    assert.equal((await vera.post(POST, form)).statusCode, 403, String(form.intent));
    const anonymous = await web.makeVisitor().post(POST, form);
    assert.equal(anonymous.statusCode, 401, String(form.intent));
  }
  assert.equal((await vera.post(POST, { intent: 'nothing' })).statusCode, 400);
  assert.equal((await vera.post('/b/acme?index', { intent: 'restore', id })).statusCode, 403);
  assert.equal((await vera.get('/b/acme/moderation')).statusCode, 403);
  const page = (await vera.get(POST)).payload;
  assert.doesNotMatch(page, /Change status|Official answer|Internal note/);
  const { nodes } = await web.api.posts({}, { nodes: { title: true } });
  assert.equal(nodes.length, 2);
});

testPages('a moderator looks after an idea', async (web) => {
  await web.makePost('Dark mode');
  await web.makePost('Night theme');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const { statuses } = await web.ask('{ statuses: listStatuses { id name } }');
  const planned = statuses.find(({ name }: { name: string }) => name === 'Planned');
  const tag = await web.api.createTag({ name: 'Look' });
  const send = async (form: Record<string, string>) => assert.equal((await mo.post(POST, form)).statusCode, 302);
  await send({ intent: 'status', status: planned.id, comment: 'Next month.' });
  await send({ intent: 'tags', [`tag:${tag.id}`]: 'on' });
  await send({ intent: 'comment', text: 'We do it.', type: 'OFFICIAL' });
  await send({ intent: 'comment', text: 'Ask design first.', type: 'INTERNAL' });
  await send({ intent: 'pin', to: 'on' });
  await send({ intent: 'lock', to: 'on' });
  const seen = (await web.makeVisitor().get(POST)).payload;
  assert.match(seen, /Planned.*Look.*<h2 id="answer">Answer from Acme<\/h2>.*We do it\..*Next month\./s);
  assert.match(seen, /Comments are closed/);
  assert.doesNotMatch(seen, /Ask design first/);
  assert.match((await mo.get(POST)).payload, /Ask design first/);
  await send({ intent: 'lock', to: 'off' });
  await send({ intent: 'moderate', moderationStatus: 'PENDING' });
  assert.equal((await web.makeVisitor().get(POST)).statusCode, 404);
  assert.match((await mo.get('/b/acme/moderation')).payload, /Dark mode.*Pending approval/s);
  const approved = await mo.post(POST, {
    intent: 'moderate',
    moderationStatus: 'APPROVED',
    next: '/b/acme/moderation',
  });
  assert.equal(approved.headers.location, '/b/acme/moderation');
  const missed = await mo.post(POST, { intent: 'merge', target: '9999' });
  assert.match(missed.payload, /This idea does not exist/);
  await send({ intent: 'merge', target: '2' });
  assert.match((await web.makeVisitor().get(POST)).payload, /merged into.*Night theme/s);
  await send({ intent: 'unmerge' });
  const gone = await mo.post(POST, { intent: 'delete' });
  assert.match(gone.headers.location ?? '', /^\/b\/acme\?deleted=/);
  assert.equal((await mo.get(POST)).statusCode, 404);
  const note = await mo.get(gone.headers.location ?? '');
  assert.match(note.payload, /Idea deleted/);
  const id = gone.headers.location?.split('=')[1] ?? '';
  const back = await mo.post('/b/acme?index', { intent: 'restore', id });
  assert.equal(back.headers.location, '/b/acme/posts/1/dark-mode?done=saved');
  const { nodes } = (await web.ask('{ posts { nodes { title isPinned isLocked status { name } } } }')).posts;
  const post = nodes.find(({ title }: { title: string }) => title === 'Dark mode');
  assert.deepEqual([post.isPinned, post.isLocked, post.status.name], [true, false, 'Planned']);
});

testWeb('comments are held back and let through, in the queue too', async (web) => {
  await web.makePost('Dark mode');
  const [vera, mo] = [await signUp(web, 'Vera'), await web.makeMember('Mo', 'MODERATOR')];
  await vera.post(POST, { intent: 'comment', text: 'Buy my pills.' });
  const [comment] = await commentsOf(web);
  const moderate = { intent: `moderate-comment:${comment?.id}`, id: comment?.id ?? '' };
  assert.equal((await vera.post(POST, { ...moderate, moderationStatus: 'APPROVED' })).statusCode, 403);
  assert.equal((await mo.post(POST, { ...moderate, moderationStatus: 'REJECTED' })).statusCode, 302);
  assert.doesNotMatch((await web.makeVisitor().get(POST)).payload, /Buy my pills/);
  assert.match((await vera.get(POST)).payload, /Buy my pills/);
  assert.match((await mo.get('/b/acme/moderation')).payload, /Comment on Dark mode.*Buy my pills.*Rejected/s);
  assert.equal((await mo.post(POST, { ...moderate, moderationStatus: 'APPROVED' })).statusCode, 302);
  assert.match((await web.makeVisitor().get(POST)).payload, /Buy my pills/);
  assert.match((await mo.get('/b/acme/moderation')).payload, /All caught up/);
});

testPages('people follow an idea and stop', async (web) => {
  const postId = await web.makePost('Dark mode');
  const vera = await signUp(web, 'Vera');
  const followers = () =>
    web.db.read
      .selectFrom('subscriptions')
      .select('user_id')
      .where('post_id', '=', postId)
      .where('date_ended', 'is', null)
      .execute();
  assert.match((await vera.get(POST)).payload, />Follow</);
  await vera.post(POST, { intent: 'follow' });
  assert.match((await vera.get(POST)).payload, /Stop following/);
  assert.equal((await followers()).length, 2);
  await vera.post(POST, { intent: 'unfollow' });
  assert.equal((await followers()).length, 1);
});

testPages('a preview is for those who could send the comment, within the same limits', async (web) => {
  const id = await web.makePost('Dark mode');
  const vera = await signUp(web, 'Vera');
  const ask = (visitor: WebVisitor, text: string) => visitor.post(POST, { intent: 'preview', form: 'comment', text });
  const anonymous = await ask(web.makeVisitor(), 'A *long* thought.');
  assert.equal(anonymous.statusCode, 403);
  assert.match(anonymous.payload, /Sign in to see a preview; your text stays here.*A \*long\* thought\.<\/textarea>/s);
  assert.doesNotMatch(anonymous.payload, /<em>long|value="preview"/);
  assert.match((await vera.get(POST)).payload, /value="preview"/);
  const texts = [
    ...['x', 'x'.repeat(19_999), 'x'.repeat(20_000)].map((text) => [text, 200] as const),
    ...['', 'x'.repeat(20_001), 'x'.repeat(100_000)].map((text) => [text, 422] as const),
  ];
  for (const [text, status] of texts) assert.equal((await ask(vera, text)).statusCode, status, String(text.length));
  assert.match((await ask(vera, 'x'.repeat(20_001))).payload, /This must have 1 to 20,000 characters; it has 20,001/);
  assert.deepEqual(await web.db.read.selectFrom('users').select('id').where('name', '=', 'Vera').execute(), []);
  await web.api.updatePost({ id, isLocked: true });
  const locked = await ask(vera, 'x');
  assert.deepEqual([locked.statusCode, /This idea is locked/.test(locked.payload)], [422, true]);
});

testWeb('pages show mentions by the current name, and as typed in the form that edits them', async (web) => {
  await web.makePost('Dark mode');
  const [vera, bob] = [await signUp(web, 'Vera'), await signUp(web, 'Bob')];
  await bob.post(POST, { intent: 'comment', text: 'Me too' });
  const text = 'And you, @bob? <b>@Nobody</b>';
  const preview = await vera.post(POST, { intent: 'preview', form: 'comment', text });
  assert.match(preview.payload, /And you, <span class="mention"[^>]*>@Bob<\/span>\?/);
  await vera.post(POST, { intent: 'comment', text });
  const mention = (await commentsOf(web)).at(-1);
  await web.db.transaction((tx) => tx.updateTable('users').set({ name: 'Robert' }).where('name', '=', 'Bob').execute());
  assert.match((await vera.get(POST)).payload, /And you, <span class="mention">@Robert<\/span>\?/);
  assert.match((await vera.get(`${POST}?edit=${mention?.id}`)).payload, /And you, @Robert\? /);
  const anonymous = web.makeVisitor();
  assert.equal((await anonymous.get('/b/acme/mentions?post=1')).statusCode, 403);
  const suggested = async (query: string) =>
    JSON.parse((await vera.get(`/b/acme/mentions${query}`)).payload).map(({ name }: { name: string }) => name);
  assert.deepEqual(await suggested('?post=1'), ['Robert', 'ada']);
  assert.deepEqual(await suggested(''), ['ada'], 'the team');
});

testWeb('a member changes posts 60 times in a quarter of an hour, and the team is not held up by that', async (web) => {
  await web.makePost('Dark mode');
  const [vera, mo] = [await signUp(web, 'Vera'), await web.makeMember('Mo', 'MODERATOR')];
  const follow = async (n: number) => (await vera.post(POST, { intent: n % 2 ? 'follow' : 'unfollow' })).statusCode;
  for (let n = 1; n <= 60; n++) assert.equal(await follow(n), 302, String(n));
  assert.equal(await follow(61), 429);
  for (let n = 1; n <= 61; n++) {
    assert.equal(
      (await mo.post(POST, { intent: 'edit', title: `Title ${n}`, comment: '' })).statusCode,
      302,
      String(n),
    );
  }
  web.clock.advance(15 * 60_000);
  assert.equal(await follow(1), 302);
});

testPages('a user gets at most 120 previews in a quarter of an hour', async (web) => {
  await web.makePost('Dark mode');
  const [vera, bob] = [await signUp(web, 'Vera'), await signUp(web, 'Bob')];
  const ask = async (visitor: WebVisitor) =>
    (await visitor.post(`${POST}.data`, { intent: 'preview', form: 'comment', text: 'x' })).statusCode;
  for (let n = 1; n <= 120; n++) assert.equal(await ask(vera), 200, String(n));
  assert.equal(await ask(vera), 429);
  assert.equal(await ask(bob), 200);
  web.clock.advance(15 * 60_000);
  assert.equal(await ask(vera), 200);
});

testPages('Markdown is previewed before it is sent, and is harmless', async (web) => {
  await web.makePost('Dark mode');
  const vera = await signUp(web, 'Vera');
  const text = '**bold** <img src=x onerror=alert(1)> [x](javascript:alert(1)) </script><script>alert(1)</script>';
  const shown = await vera.post(POST, { intent: 'preview', form: 'comment', text });
  assert.equal(shown.statusCode, 200);
  assert.match(shown.payload, /<strong>bold<\/strong>/);
  assert.deepEqual(await commentsOf(web), []);
  await vera.post(POST, { intent: 'comment', text });
  const [comment] = await commentsOf(web);
  for (const page of [
    shown.payload,
    (await vera.get(POST)).payload,
    (await vera.get(`${POST}?edit=${comment?.id}`)).payload,
  ]) {
    assert.doesNotMatch(page, /<img|<script>alert|href="javascript/);
  }
});

testWeb('a roadmap has the board’s own statuses, the most wanted ideas first, unless it is off', async (web) => {
  const ids = [await web.makePost('Dark mode'), await web.makePost('Export'), await web.makePost('Import')];
  const { statuses } = await web.ask('{ statuses: listStatuses { id name } }');
  const planned = statuses.find(({ name }: { name: string }) => name === 'Planned').id;
  for (const id of ids.slice(0, 2)) {
    await web.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: planned });
  }
  await web.api.upvotePost({ postId: ids[1] ?? '' });
  const { payload } = await web.makeVisitor().get('/b/acme/roadmap');
  assert.match(payload, /Planned.*Export.*Dark mode.*In progress.*No ideas yet.*Completed/s);
  assert.doesNotMatch(payload.replace(/<script.*?<\/script>/gs, ''), /Import/);
  await web.db.transaction((tx) => tx.updateTable('boards').set({ is_roadmap_enabled: 0 }).execute());
  assert.equal((await web.makeVisitor().get('/b/acme/roadmap')).statusCode, 404);
});

testPages('the discussion is named for its comments, and an idea without any says nothing of them', async (web) => {
  const id = await web.makePost('Dark mode');
  const heading = async () => /<h2 id="comments">(.*?)<\/h2>/s.exec((await web.makeVisitor().get(POST)).payload)?.[1];
  assert.equal(await heading(), undefined);
  await web.api.createComment({ postId: id, text: 'We do it.', type: 'OFFICIAL' });
  assert.equal(await heading(), 'Activity');
  await web.api.createComment({ postId: id, text: '+1' });
  assert.equal(await heading(), '2 comments');
});
