import assert from 'node:assert/strict';
import { testWeb } from '../../test/support/web.ts';

const PAGE = '/b/acme/settings/boards';

testWeb('an owner creates another board, sets it up and switches between them', async (web) => {
  const olga = await web.makeMember('Olga', 'OWNER');
  const empty = await olga.post(PAGE, { intent: 'create', name: ' ' });
  assert.equal(empty.statusCode, 422);
  const made = await olga.post(PAGE, { intent: 'create', name: 'Mobile app' });
  assert.equal(made.headers.location, '/b/mobile-app/setup');
  assert.match((await olga.get('/b/mobile-app/setup/2')).payload, /value="Mobile app"/);
  const { payload } = await olga.get('/b/mobile-app/settings/boards');
  assert.match(payload, /href="\/b\/acme".*Acme.*href="\/b\/mobile-app" aria-current="page".*Mobile app/s);
  assert.equal(payload.match(/Owner<!-- --> · <!-- -->0 ideas/g)?.length, 2);
  const other = await olga.post('/b/mobile-app/settings/boards', { intent: 'create', name: 'Mobile app' });
  assert.match(String(other.headers.location), /^\/b\/mobile-app-\w+\/setup$/);
});

testWeb('only owners create boards, and each account ten a day', async (web) => {
  const ada = await web.makeMember('Ada', 'ADMIN');
  assert.doesNotMatch((await ada.get(PAGE)).payload, /Create a board/);
  assert.equal((await ada.post(PAGE, { intent: 'create', name: 'Mine' })).statusCode, 403);
  const mo = await web.makeMember('Mo', 'MODERATOR');
  assert.equal((await mo.get(PAGE)).statusCode, 403);
  const olga = await web.makeMember('Olga', 'OWNER');
  for (let n = 0; n < 10; n++) {
    assert.equal((await olga.post(PAGE, { intent: 'create', name: `Board ${n}` })).statusCode, 302);
  }
  assert.equal((await olga.post(PAGE, { intent: 'create', name: 'One more' })).statusCode, 429);
  const boards = await web.db.read.selectFrom('boards').select('name').execute();
  assert.equal(boards.length, 11);
});
