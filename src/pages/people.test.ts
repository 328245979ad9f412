import assert from 'node:assert/strict';
import { finish } from '../../test/support/erasing.ts';
import { addUsers } from '../../test/support/notifying.ts';
import { signUp, type TestWeb, testPages, testWeb, type WebVisitor } from '../../test/support/web.ts';
import { makeId } from '../platform/lib/ids.ts';

const LIST = '/b/acme/people';

/** The path of a user's page. */
async function pageOf({ db, board }: Pick<TestWeb, 'db' | 'board'>, name: string): Promise<string> {
  const query = db.read.selectFrom('users').select('id').where('board_id', '=', board.id).where('name', '=', name);
  return `${LIST}/${(await query.executeTakeFirstOrThrow()).id}`;
}

/** The names on a page of the list, in their order. */
async function namesOn(visitor: WebVisitor, path: string): Promise<string[]> {
  const { statusCode, payload } = await visitor.get(path);
  assert.equal(statusCode, 200, payload);
  return [...payload.matchAll(/<a dir="auto" href="\/b\/acme\/people\/[^"]+"[^>]*>([^<]*)/g)].map(
    ([, name = '']) => name,
  );
}

testWeb('the team finds people by name or address, with what they did, the newest first', async (web) => {
  const id = await web.makePost('Dark mode');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  await addUsers(web, 'kim', 'max');
  await web.api.updateUser({ ssoId: 'kim', attributes: { company: 'Initech', nested: { a: 1 } } });
  await web.api.as('kim').upvotePost({ postId: id });
  for (let n = 0; n < 2; n++) await web.api.as('kim').createComment({ postId: id, text: 'Please **do**.' });
  const { payload } = await mo.get(LIST);
  assert.match(
    payload,
    /kim<\/a>.*?kim@example\.com<.*?company: Initech<.*?Ideas"[^>]*>0<.*?Votes"[^>]*>1<.*?Comments"[^>]*>2</s,
  );
  assert.match(payload, /Last active"><time.*?Member</s);
  assert.deepEqual((await namesOn(mo, LIST)).slice(0, 2), ['max', 'kim']);
  assert.deepEqual(await namesOn(mo, `${LIST}?q=KIM`), ['kim']);
  assert.deepEqual(await namesOn(mo, `${LIST}?q=max%40EXAMPLE`), ['max']);
  for (const words of ['%25', '_', 'nobody', '%00', 'x'.repeat(5_000)]) {
    assert.match((await mo.get(`${LIST}?q=${words}`)).payload, /No one found/, words);
  }
});

testWeb('the page of a person shows their profile and their activity, by kind', async (web) => {
  const [vera, mo] = [await signUp(web, 'Vera'), await web.makeMember('Mo', 'MODERATOR')];
  const id = await web.makePost('Dark mode');
  await vera.post('/b/acme?index', { title: 'Light mode', comment: '' });
  await vera.post('/b/acme/votes/1', {});
  await vera.post('/b/acme/posts/1', { intent: 'comment', text: 'Please **do**.' });
  const page = await pageOf(web, 'Vera');
  const ideas = (await mo.get(page)).payload;
  assert.match(ideas, /<h1[^>]*>Vera<.*vera@example\.com.*Signing up.*Light mode/s);
  assert.doesNotMatch(ideas, /Dark mode/);
  assert.match((await mo.get(`${page}?show=votes`)).payload, /Dark mode<\/a>.*Light mode<\/a>/s);
  const comments = (await mo.get(`${page}?show=comments`)).payload;
  assert.match(comments, /href="\/b\/acme\/posts\/1\/dark-mode#comment-[^"]+"[^>]*>Dark mode<.*Please do\./s);
  await web.api.deletePost({ postId: id });
  for (const show of ['votes', 'comments']) {
    assert.doesNotMatch((await mo.get(`${page}?show=${show}`)).payload, /Dark mode/, show);
  }
  await addUsers(web, 'kim');
  assert.match((await mo.get(await pageOf(web, 'kim'))).payload, /Your product.*SSO · kim.*Nothing yet/s);
});

testWeb('moderators see and count nothing of ideas that are hidden from them', async (web) => {
  const [mo, ann] = [await web.makeMember('Mo', 'MODERATOR'), await web.makeMember('Ann', 'ADMIN')];
  await addUsers(web, 'kim');
  const id = await web.makePost('Secret', { as: 'kim' });
  await web.api.as('kim').upvotePost({ postId: id });
  await web.api.as('kim').createComment({ postId: id, text: 'Hm.' });
  const hidden = web.db.transaction(async (tx) => {
    const { status_id } = await tx
      .selectFrom('posts')
      .select('status_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await tx.updateTable('statuses').set({ post_visibility: 'HIDDEN' }).where('id', '=', status_id).execute();
  });
  await hidden;
  const counts = async (visitor: WebVisitor) =>
    [...(await visitor.get(`${LIST}?q=kim`)).payload.matchAll(/(?:Ideas|Votes|Comments)"[^>]*>(\d)</g)].map(
      ([, n]) => n,
    );
  assert.deepEqual(
    [await counts(mo), await counts(ann)],
    [
      ['0', '0', '0'],
      ['1', '1', '1'],
    ],
  );
  const page = await pageOf(web, 'kim');
  for (const show of ['ideas', 'votes', 'comments']) {
    assert.doesNotMatch((await mo.get(`${page}?show=${show}`)).payload, /Secret/, show);
    assert.match((await ann.get(`${page}?show=${show}`)).payload, /Secret/, show);
  }
});

testPages('only the team sees people, and only those of its board', async (web) => {
  await web.makeMember('Olga', 'OWNER');
  const [mo, vera] = [await web.makeMember('Mo', 'MODERATOR'), await signUp(web, 'Vera')];
  await vera.post('/b/acme?index', { title: 'Light mode', comment: '' });
  const page = await pageOf(web, 'Vera');
  for (const path of [LIST, page]) {
    assert.equal((await web.makeVisitor().get(path)).statusCode, 302, path);
    assert.equal((await vera.get(path)).statusCode, 403, path);
    assert.equal((await vera.post(path, { intent: 'note', text: 'Hm.' })).statusCode, path === page ? 403 : 405, path);
  }
  const board = await web.makeBoard();
  await web.makeUser('else', undefined, { key: await web.makeKey({}, board) });
  const { id } = await web.db.read
    .selectFrom('users')
    .select('id')
    .where('sso_id', '=', 'else')
    .executeTakeFirstOrThrow();
  assert.doesNotMatch((await mo.get(LIST)).payload, new RegExp(id));
  for (const unknown of [id, makeId(), 'x', '%00', "'"]) {
    assert.equal((await mo.get(`${LIST}/${unknown}`)).statusCode, 404, unknown);
    const answer = await mo.post(`${LIST}/${unknown}`, { intent: 'note', text: 'Hm.' });
    assert.ok([404, 422].includes(answer.statusCode), unknown);
  }
  for (const path of [`${LIST}?after=x`, `${page}?after=x`, `${page}?show=votes&after=x`]) {
    assert.equal((await mo.get(path)).statusCode, 400, path);
  }
});

testWeb('people come in pages', async (web) => {
  const mo = await web.makeMember('Mo', 'MODERATOR');
  await addUsers(web, ...Array.from({ length: 51 }, (_, n) => `user${n}`));
  const first = await mo.get(`${LIST}?q=user`);
  const next = /href="[^"]*(\?q=user&amp;after=[^"]+)"/.exec(first.payload)?.[1] ?? assert.fail('no next page');
  assert.equal((await namesOn(mo, `${LIST}?q=user`)).length, 50);
  assert.deepEqual(await namesOn(mo, LIST + next.replaceAll('&amp;', '&')), ['user0']);
});

testPages('the team trusts and blocks a person on their page, and takes it back', async (web) => {
  const [vera, mo] = [await signUp(web, 'Vera'), await web.makeMember('Mo', 'MODERATOR')];
  await vera.post('/b/acme?index', { title: 'Light mode', comment: '' });
  const page = await pageOf(web, 'Vera');
  const { headers } = await mo.post(page, { intent: 'standing', standing: 'BLOCKED' });
  assert.match(String(headers.location), /\?done=saved&operation=/);
  assert.match((await mo.get(page)).payload, /Member · Blocked.*value="NORMAL"[^>]*>Unblock</s);
  assert.match((await mo.get(LIST)).payload, /Vera<\/a>.*?Member · Blocked/s);
  assert.equal((await vera.post('/b/acme/posts/1', { intent: 'comment', text: 'Hm.' })).statusCode, 403);
  await mo.post(page, { intent: 'standing', standing: 'NORMAL' });
  assert.doesNotMatch((await mo.get(page)).payload, /Blocked/);
  const own = await mo.get(await pageOf(web, 'Mo'));
  assert.doesNotMatch(own.payload, /value="BLOCKED"/);
});

testWeb('notes on a person are for the team; their author and admins delete them', async (web) => {
  const [mo, eve] = [await web.makeMember('Mo', 'MODERATOR'), await web.makeMember('Eve', 'MODERATOR')];
  const ann = await web.makeMember('Ann', 'ADMIN');
  await addUsers(web, 'kim');
  const page = await pageOf(web, 'kim');
  const write = (visitor: WebVisitor, text: string) => visitor.post(page, { intent: 'note', text });
  assert.equal((await write(mo, 'Renews in May.')).statusCode, 302);
  assert.equal((await write(eve, '<b>Large</b>')).statusCode, 302);
  assert.match((await mo.get(page)).payload, /&lt;b&gt;Large.*Eve<.*Renews in May\..*Mo</s);
  for (const text of ['', ' \u200b', 'x'.repeat(2_001)]) assert.equal((await write(mo, text)).statusCode, 422);
  const notes = await web.db.read.selectFrom('user_notes').selectAll().orderBy('id').execute();
  const [renews = '', large = ''] = notes.map(({ id }) => id);
  const remove = async (visitor: WebVisitor, id: string) =>
    (await visitor.post(page, { intent: 'delete-note', id })).statusCode;
  assert.deepEqual([await remove(mo, large), await remove(mo, makeId()), await remove(mo, renews)], [403, 422, 302]);
  for (const id of ['\0', 'x', '']) assert.equal(await remove(mo, id), 422);
  assert.equal(await remove(ann, large), 302);
  assert.doesNotMatch((await ann.get(page)).payload, /Large|Renews/);
});

testWeb('a person has a hundred notes at most', async (web) => {
  const mo = await web.makeMember('Mo', 'MODERATOR');
  await addUsers(web, 'kim');
  const page = await pageOf(web, 'kim');
  const note = { board_id: web.board.id, user_id: page.split('/').at(-1) ?? '', author_id: null, date_created: 0 };
  const rows = Array.from({ length: 100 }, () => ({ ...note, id: makeId(), text: 'Hm.' }));
  await web.db.transaction((tx) => tx.insertInto('user_notes').values(rows).execute());
  const refused = await mo.post(page, { intent: 'note', text: 'One more' });
  assert.equal(refused.statusCode, 422);
  assert.match(refused.payload, /A person can have 100 notes: delete one first.*One more<\/textarea>/s);
});

testWeb('notes are in the copy of their data that people download, and go when they are erased', async (web) => {
  const [vera, mo] = [await signUp(web, 'Vera'), await web.makeMember('Mo', 'MODERATOR')];
  await vera.post('/b/acme?index', { title: 'Light mode', comment: '' });
  await addUsers(web, 'kim');
  await mo.post(await pageOf(web, 'Vera'), { intent: 'note', text: 'Renews in May.' });
  await mo.post(await pageOf(web, 'kim'), { intent: 'note', text: 'Asks often.' });
  const read = async (visitor: WebVisitor) => {
    const [acme] = JSON.parse((await visitor.get('/b/acme/settings/data/file')).payload).boards;
    return [acme.notes, acme.writtenNotes].map((list) => list.map(({ text }: { text: string }) => text));
  };
  assert.deepEqual(await read(vera), [['Renews in May.'], []]);
  assert.deepEqual(await read(mo), [[], ['Renews in May.', 'Asks often.']]);
  const idOf = async (name: string) => (await pageOf(web, name)).split('/').at(-1);
  for (const name of ['Vera', 'Mo']) await web.api.deleteUser({ ssoId: (await idOf(name)) ?? '' });
  await finish(web);
  const left = await web.db.read.selectFrom('user_notes').select(['author_id', 'text']).execute();
  assert.deepEqual(left, [{ author_id: null, text: 'Asks often.' }]);
});
