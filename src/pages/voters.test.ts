import assert from 'node:assert/strict';
import { addUsers } from '../../test/support/notifying.ts';
import { testWeb } from '../../test/support/web.ts';

const PAGE = '/b/acme/voters/1';

testWeb('the team reads who voted, downloads it, and adds the vote of someone who asked elsewhere', async (web) => {
  const id = await web.makePost('Dark mode');
  const ada = await web.makeMember('Ada', 'ADMIN');
  await addUsers(web, 'kim', '=cmd', 'max');
  const update = 'mutation($a: JSON) { updateUser(ssoId: "kim", attributes: $a) { id } }';
  await web.ask(update, { a: { company: 'Initech', seats: 40, nested: { a: 1 } } });
  assert.match((await ada.get(PAGE)).payload, /No one has voted for this idea yet/);
  for (const as of ['kim', '=cmd']) {
    await web.ask('mutation($id: String!) { upvotePost(postId: $id) { id } }', { id }, { as });
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
  const [header, ...rows] = file.payload.trim().split('\r\n');
  assert.match(header ?? '', /^User ID,Name,E-mail,/);
  assert.deepEqual(
    rows.map((row) => row.split(',')[1]),
    ['kim', "'=cmd", 'max'],
  );
});

testWeb('only the team sees who voted, and only admins vote for others', async (web) => {
  await web.makePost('Dark mode');
  await web.makeMember('Olga', 'OWNER');
  await addUsers(web, 'kim');
  for (const path of [PAGE, `${PAGE}/file`]) assert.notEqual((await web.makeVisitor().get(path)).statusCode, 200, path);
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const { payload } = await mo.get(PAGE);
  assert.match(payload, /Who asked for it/);
  assert.doesNotMatch(payload, /Vote for someone/);
  assert.equal((await mo.post(PAGE, { email: 'kim@example.com' })).statusCode, 403);
  assert.equal((await mo.get('/b/acme/voters/2')).statusCode, 404);
  assert.equal((await mo.get(`${PAGE}?after=x`)).statusCode, 400);
});

testWeb('voters come in pages', async (web) => {
  const id = await web.makePost('Dark mode');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const names = Array.from({ length: 51 }, (_, n) => `user${n}`);
  await addUsers(web, ...names);
  for (const as of names) await web.ask('mutation($id: String!) { upvotePost(postId: $id) { id } }', { id }, { as });
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
