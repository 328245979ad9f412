import assert from 'node:assert/strict';
import { listBytes, PNG } from '../../test/support/files.ts';
import { comeBySso } from '../../test/support/own-account.ts';
import { JPEG, makeSegment, withSegments } from '../../test/support/pictures.ts';
import { readMail, signUp, type TestWeb, testPages, testWeb, type WebVisitor } from '../../test/support/web.ts';
import { makeFileFolder } from '../feedback/files/folder.ts';
import { cleanFiles } from '../feedback/files/removing.ts';
import { joinBoard } from '../identity/team/members.ts';

const PAGE = '/b/acme/settings/profile';

const usersOf = ({ db }: TestWeb, name: string) =>
  db.read.selectFrom('users').selectAll().where('name', '=', name).orderBy('board_id').execute();

async function sendPicture(visitor: WebVisitor, bytes: Uint8Array) {
  return visitor.postForm(PAGE, [
    { field: 'intent', bytes: 'picture' },
    { field: 'picture', filename: 'me.jpg', bytes, type: 'image/jpeg' },
  ]);
}

testWeb(
  'name, language and time zone are those of the account on all its boards, and on the next ones',
  async (web) => {
    const { db, clock } = web;
    const [vera, wilma] = [await signUp(web, 'Vera'), await signUp(web, 'Wilma')];
    for (const visitor of [vera, wilma]) await visitor.post('/b/acme?index', { title: 'Idea', comment: '' });
    const other = await web.makeBoard();
    const account = await db.read
      .selectFrom('accounts')
      .selectAll()
      .where('name', '=', 'Vera')
      .executeTakeFirstOrThrow();
    const contextOf = (board: typeof other) => ({ db, clock, baseUrl: '', board });
    await joinBoard(contextOf(other), account);
    const chosen = { intent: 'profile', name: 'Vera Ö.', locale: 'de', timeZone: 'Europe/Berlin' };
    assert.equal((await vera.post(PAGE, chosen)).headers.location, `${PAGE}?done=saved`);
    const settings = (await usersOf(web, 'Vera Ö.')).map(({ name_folded, locale, time_zone }) => [
      name_folded,
      locale,
      time_zone,
    ]);
    assert.deepEqual(settings, Array(2).fill(['vera ö.', 'de', 'Europe/Berlin']));
    assert.deepEqual((await usersOf(web, 'Wilma'))[0]?.locale, null, 'others keep theirs');
    const third = await web.makeBoard({ name: 'Third' });
    assert.equal((await joinBoard(contextOf(third), account)).locale, 'de');

    const page = (await vera.get('/b/acme')).payload;
    assert.match(page, /<html lang="de"/);
    assert.match((await wilma.get('/b/acme')).payload, /<html lang="en"/);
    assert.match((await web.makeVisitor().get('/b/acme')).payload, /<html lang="en"/);
    const refused = await vera.post(PAGE, { intent: 'profile', name: '' });
    assert.match(refused.payload, /müssen 1 bis 100 Zeichen/);
    await vera.post('/b/acme/settings/account', { intent: 'email', email: 'v@example.com', currentPassword: 'x' });
    await db.transaction((tx) => tx.deleteFrom('mails').execute());
    await web.makeVisitor().post('/reset-password', { email: 'vera@example.com' });
    assert.match((await readMail(web, 'vera@example.com')).body, /Neues Passwort wählen/);
    await vera.post(PAGE, { intent: 'profile', name: 'Vera', locale: '', timeZone: '' });
    assert.deepEqual((await usersOf(web, 'Vera')).map(({ locale, time_zone }) => [locale, time_zone])[0], [null, null]);
  },
);

testWeb('a language chosen at the foot of a page is that of the profile, or kept in the browser', async (web) => {
  const [vera, visitor] = [await signUp(web, 'Vera'), web.makeVisitor()];
  await vera.post('/b/acme?index', { title: 'Idea', comment: '' });
  const choose = (who: WebVisitor, language: string) => who.post('/look', { language, next: '/b/acme?sort=top' });
  for (const who of [vera, visitor]) {
    assert.equal((await choose(who, 'ja')).headers.location, '/b/acme?sort=top');
    for (const wrong of ['xx', '__proto__', 'ja; Path=/']) await choose(who, wrong);
    assert.match((await who.get('/b/acme', { 'accept-language': 'de' })).payload, /<html lang="ja"/);
  }
  assert.deepEqual((await usersOf(web, 'Vera'))[0]?.locale, 'ja');
  await vera.post(PAGE, { intent: 'profile', name: 'Vera', locale: '', timeZone: '' });
  assert.match(
    (await vera.get('/b/acme')).payload,
    /<html lang="en"/,
    'the board’s, although the browser keeps another',
  );
});

testWeb('who joins a board keeps the language in which they have read it', async (web) => {
  const [vera, wilma] = [await signUp(web, 'Vera'), await signUp(web, 'Wilma')];
  await vera.post('/look', { language: 'pl' });
  for (const visitor of [vera, wilma]) await visitor.post('/b/acme?index', { title: 'Idea', comment: '' });
  assert.deepEqual([(await usersOf(web, 'Vera'))[0]?.locale, (await usersOf(web, 'Wilma'))[0]?.locale], ['pl', null]);
});

testPages('unsupported languages and time zones are refused', async (web) => {
  const vera = await signUp(web, 'Vera');
  for (const wrong of [
    { locale: 'xx' },
    { locale: '__proto__' },
    { timeZone: 'Mars/Olympus' },
    { timeZone: 'x'.repeat(100_000) },
    { timeZone: "Europe/Berlin'; drop table users" },
  ]) {
    const { statusCode } = await vera.post(PAGE, { intent: 'profile', name: 'Vera', ...wrong });
    assert.equal(statusCode, 422, JSON.stringify(wrong).slice(0, 50));
  }
  assert.ok((await vera.get(PAGE)).payload.includes('<option value="America/New_York">America/New York</option>'));
});

testWeb('a picture is cleaned, shown to all who have its URL, replaced and removed', async (web) => {
  const [vera, wilma] = [await signUp(web, 'Vera'), await signUp(web, 'Wilma')];
  await vera.post('/b/acme?index', { title: 'Idea', comment: '' });
  const secret = 'where I live';
  const jpeg = withSegments(JPEG, [makeSegment(0xfe, secret)], secret);
  assert.equal((await sendPicture(vera, jpeg)).statusCode, 302);
  const imageOf = async () => (await usersOf(web, 'Vera'))[0]?.image ?? '';
  const image = await imageOf();
  assert.match(image, /^\/pictures\/[\w-]{36}\/[\w-]{32}$/);
  const shown = await web.makeVisitor().get(image);
  assert.deepEqual([shown.statusCode, shown.headers['content-type']], [200, 'image/jpeg']);
  assert.ok(!shown.rawPayload.includes(secret) && shown.rawPayload.includes('ICC_PROFILE'));
  assert.match(String(shown.headers['content-security-policy']), /default-src 'none'.*sandbox/);
  assert.match((await vera.get(PAGE)).payload, new RegExp(`<img class="picture-now" src="${image}"`));
  assert.doesNotMatch((await wilma.get(PAGE)).payload, /picture-now/);
  const page = await web.api.usersPage({ search: 'Vera' }, { nodes: { name: true, image: true } });
  assert.deepEqual(page.nodes, [{ name: 'Vera', image: `http://board.test${image}` }]);
  const [, , id, token = ''] = image.split('/');
  for (const wrong of [`${id}/${token.slice(1)}x`, `${id}/x`, `x/${token}`, `%00/${token}`]) {
    assert.equal((await wilma.get(`/pictures/${wrong}`)).statusCode, 404, wrong);
  }

  await sendPicture(vera, PNG);
  assert.notEqual(await imageOf(), image);
  assert.equal((await wilma.get(image)).statusCode, 404, 'the one before is gone');
  for (const [bytes, words] of [
    [Buffer.from('<svg onload="alert(1)"/>'), /must be a PNG/],
    [Buffer.alloc(0), /must be a PNG/],
    [Buffer.concat([PNG, Buffer.alloc(600_000)]), /at most 512 KiB/],
  ] as const) {
    const refused = await sendPicture(vera, bytes);
    assert.equal(refused.statusCode, 422);
    assert.match(refused.payload, words);
  }
  await wilma.post(PAGE, { intent: 'picture', remove: 'on' });
  assert.notEqual(await imageOf(), '', 'only one’s own is removed');
  await vera.post(PAGE, { intent: 'picture', remove: 'on' });
  assert.equal(await imageOf(), '');
  await cleanFiles({ ...web, folder: makeFileFolder(web.dataDir) });
  assert.deepEqual(listBytes(web), []);
});

testPages('users of single sign-on choose language, time zone and email, and have no more pages', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  const grace = await comeBySso(web, owner, { id: 'g', name: 'Grace', email: 'grace@example.com' });
  assert.match((await grace.get('/b/acme')).payload, new RegExp(`href="${PAGE}"`));
  const { payload } = await grace.get(PAGE);
  assert.match(payload, /come from the site that you sign in with/);
  assert.doesNotMatch(payload, /name="name"|type="file"|settings\/account"|settings\/general"/);
  const chosen = { intent: 'profile', name: 'Mallory', locale: 'de', timeZone: 'Asia/Tokyo' };
  assert.equal((await grace.post(PAGE, chosen)).statusCode, 302);
  assert.equal((await sendPicture(grace, PNG)).statusCode, 302);
  const [user] = await usersOf(web, 'Grace');
  assert.deepEqual([user?.locale, user?.time_zone, user?.image], ['de', 'Asia/Tokyo', null]);
  assert.deepEqual(await usersOf(web, 'Mallory'), []);
  const preferences = { frequency: 'WEEKLY', onComment: 'on', onNewPost: 'on' };
  await grace.post('/b/acme/settings/notifications', { intent: 'save', ...preferences });
  const [saved] = await usersOf(web, 'Grace');
  const kept = [saved?.mail_frequency, saved?.email_on_status, saved?.email_on_comment, saved?.email_on_new_post];
  assert.deepEqual(kept, ['WEEKLY', 0, 1, 0], 'new ideas are for the team');
  assert.match((await grace.get('/b/acme/settings/notifications')).payload, /sendet E-Mails an grace@example\.com/);
  for (const path of ['/b/acme/settings/account', '/b/acme/settings/account?x']) {
    assert.equal((await grace.get(path)).headers.location, PAGE);
    assert.equal((await grace.post(path, { intent: 'password', password: 'a long password' })).headers.location, PAGE);
  }
});
