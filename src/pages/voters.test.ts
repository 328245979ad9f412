import assert from 'node:assert/strict';
import { finish } from '../../test/support/erasing.ts';
import { jsonOf } from '../../test/support/export.ts';
import { addUsers } from '../../test/support/notifying.ts';
import { testPages, testWeb } from '../../test/support/web.ts';

const PAGE = '/b/acme/voters/1';

testWeb('the team reads who voted, downloads it, and adds the vote of someone who asked elsewhere', async (web) => {
  const id = await web.makePost('Dark mode');
  const ada = await web.makeMember('Ada', 'ADMIN');
  await addUsers(web, 'kim', '=cmd', 'max');
  await web.api.updateUser({ ssoId: 'kim', attributes: { company: 'Initech', seats: 40, nested: { a: 1 } } });
  assert.match((await ada.get(PAGE)).payload, /No one has voted for this idea yet/);
  for (const as of ['kim', '=cmd']) {
    await web.api.as(as).upvotePost({ postId: id });
  }
  assert.match((await ada.get('/b/acme/posts/1')).payload, /href="\/b\/acme\/voters\/1"/);
  assert.equal((await ada.post(PAGE, { email: 'MAX@example.com' })).statusCode, 302);
  const { payload } = await ada.get(PAGE);
  assert.match(
    payload,
    /kim<\/a><\/th>.*kim@example\.com<.*company: Initech, seats: 40<.*max<\/a><\/th>.*Added by Ada/s,
  );
  const unknown = await ada.post(PAGE, { email: 'nobody@example.com' });
  assert.equal(unknown.statusCode, 422);
  assert.match(unknown.payload, /No user of this board has this email address/);
  const file = await ada.get(`${PAGE}/file`);
  assert.match(String(file.headers['content-disposition']), /acme-1-voters\.csv/);
  const [header, ...rows] = file.payload.trimEnd().split('\r\n');
  assert.match(header ?? '', /^\ufeffUser ID,Name,E-mail,/);
  assert.deepEqual(
    rows.map((row) => row.split(',')[1]),
    ['kim', "'=cmd", 'max'],
  );
});

testPages('only the team sees who voted, and votes for others', async (web) => {
  const postId = await web.makePost('Dark mode');
  await web.makeMember('Olga', 'OWNER');
  await addUsers(web, 'kim');
  for (const path of [PAGE, `${PAGE}/file`]) assert.notEqual((await web.makeVisitor().get(path)).statusCode, 200, path);
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const { payload } = await mo.get(PAGE);
  assert.match(payload, /Who asked for it/);
  assert.match(payload, /Vote for someone/);
  assert.equal((await mo.post(PAGE, { email: 'kim@example.com', evidence: 'Call of Monday' })).statusCode, 302);
  assert.match((await mo.get(PAGE)).payload, /kim@example\.com.*Added by Mo.*Call of Monday/s);
  await web.makeUser('mod', 'MODERATOR');
  // The API takes any names, also for programs: there it needs more.
  const vote = 'mutation($id: String!) { upvotePost(postId: $id, voter: { ssotype: "SSO", userId: "kim" }) { id } }';
  await assert.rejects(
    web.ask(vote, { id: postId }, { as: 'mod' }),
    /Only admins and API users can act for another user/,
  );
  assert.equal((await mo.get('/b/acme/voters/2')).statusCode, 404);
  assert.equal((await mo.get(`${PAGE}?after=x`)).statusCode, 400);
});

testWeb('only the team and the voter see where a vote on behalf was asked for', async (web) => {
  const id = await web.makePost('Dark mode');
  const ada = await web.makeMember('Ada', 'ADMIN');
  await addUsers(web, 'kim', 'max', 'mia');
  const add = (name: string, evidence: string) => ada.post(PAGE, { email: `${name}@example.com`, evidence });
  const link = 'https://crm.example.com/calls/7?a=1';
  assert.equal((await add('kim', ` ${link} `)).statusCode, 302);
  assert.equal((await add('max', 'javascript:alert(1) <b>')).statusCode, 302);
  assert.equal((await add('mia', '')).statusCode, 302);
  const long = await add('mia', 'x'.repeat(501));
  assert.equal(long.statusCode, 422);
  assert.match(long.payload, /500 characters.*501/);
  const { payload } = await ada.get(PAGE);
  assert.match(payload, /Added by Ada<div[^>]*><a href="https:\/\/crm\.example\.com\/calls\/7\?a=1" rel="nofollow ugc/);
  assert.match(payload, /<div[^>]*>javascript:alert\(1\) &lt;b&gt;<\/div>/);
  const votes = async () => (await ada.get(`${PAGE}/file`)).payload.trim().split('\r\n').slice(1);
  const evidence = async () => (await votes()).map((row) => row.split(',').at(-1));
  assert.deepEqual(await evidence(), [link, 'javascript:alert(1) <b>', '']);
  await add('mia', 'Asked at the fair');
  assert.deepEqual(await evidence(), [link, 'javascript:alert(1) <b>', 'Asked at the fair']);
  const [kept] = await votes();
  await add('kim', '');
  assert.equal((await votes())[0], kept);
  for (const [as, seen] of [
    ['ada', true],
    ['max', false],
  ] as const) {
    const rows = (await jsonOf(web, { as, query: 'votes=true' })).filter(({ row }) => row === 'vote');
    assert.deepEqual([rows.length, rows.some((row) => row.evidence === link)], [3, seen], as);
  }
  await web.api.as('mia').removeVote({ postId: id });
  await web.api.as('mia').upvotePost({ postId: id });
  assert.deepEqual((await evidence()).at(-1), '');
});

testWeb('the team sees how many votes are by programs, apart in the numbers', async (web) => {
  const id = await web.makePost('Dark mode');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  await addUsers(web, 'kim', 'max');
  await web.api.createUser({ ssoType: 'SSO', ssoId: 'bot', isApiUser: true });
  for (const as of ['kim', 'max']) await web.api.as(as).upvotePost({ postId: id });
  const panel = async (visitor = mo) => (await visitor.get('/b/acme/posts/1')).payload;
  assert.doesNotMatch(await panel(), /by programs|by a program/);
  await web.api.as('bot').upvotePost({ postId: id });
  assert.match(await panel(), /3 votes<.*1 by a program/s);
  assert.doesNotMatch(await panel(web.makeVisitor()), /by a program/);
  web.clock.advance(1);
  const numbers = (await mo.get('/b/acme/settings/numbers')).payload.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  assert.match(numbers, /Votes per week .* Week of Votes By programs .* 2 1 /);
});

testWeb('where a vote was asked for moves with merged ideas, and is erased with its voter', async (web) => {
  const [id, target] = [await web.makePost('Dark mode'), await web.makePost('Themes')];
  const ada = await web.makeMember('Ada', 'ADMIN');
  await addUsers(web, 'kim');
  await ada.post(PAGE, { email: 'kim@example.com', evidence: 'Call of Kim' });
  await web.api.mergePosts({ sourceIds: [id], targetId: target });
  assert.match((await ada.get('/b/acme/voters/2')).payload, /Call of Kim/);
  await web.api.deleteUser({ ssoId: 'kim' });
  await finish(web);
  const votes = await web.db.read.selectFrom('votes').select('evidence').execute();
  assert.ok(votes.length >= 2 && votes.every(({ evidence }) => evidence === null));
});

testWeb('voters come in pages', async (web) => {
  const id = await web.makePost('Dark mode');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const names = Array.from({ length: 51 }, (_, n) => `user${n}`);
  await addUsers(web, ...names);
  for (const as of names) await web.api.as(as).upvotePost({ postId: id });
  const { payload } = await mo.get(PAGE);
  const next =
    /href="(\/b\/acme\/voters\/1\?after=[^"]+|\?after=[^"]+)"/.exec(payload)?.[1] ?? assert.fail('no next page');
  assert.doesNotMatch(payload, /user50@/);
  const path = next.startsWith('?') ? PAGE + next : next;
  const second = (await mo.get(path)).payload;
  assert.match(second, /user50@/);
  assert.doesNotMatch(second, /user49@/);
  assert.equal((await mo.get(`${PAGE}/file`)).payload.trim().split('\r\n').length, 52);
});
