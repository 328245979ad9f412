import assert from 'node:assert/strict';
import { testPages, testWeb } from '../../test/support/web.ts';
import { listStatuses } from '../feedback/statuses/statuses.ts';

const PAGE = '/b/acme/settings/boards';

testPages('an owner creates another board, sets it up and switches between them', async (web) => {
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

testPages('a board begins with statuses in the language that its setup chooses, and keeps them', async (web) => {
  const olga = await web.makeMember('Olga', 'OWNER');
  await olga.post(PAGE, { intent: 'create', name: 'Ideen' });
  const statuses = async (pid: string) => {
    const { id } = await web.db.read.selectFrom('boards').select('id').where('pid', '=', pid).executeTakeFirstOrThrow();
    return (await listStatuses(web.db.read, id)).map(({ name }) => name);
  };
  const english = ['Open', 'Planned', 'In progress', 'Completed', 'Archived', 'Merged'];
  assert.deepEqual(await statuses('ideen'), english);
  const setUp = (locale: string) => olga.post('/b/ideen/setup/2', { name: 'Ideen', pid: 'ideen', locale });
  assert.equal((await setUp('../de')).statusCode, 422);
  assert.deepEqual(await statuses('ideen'), english);
  await setUp('ja');
  const [planned] = await web.db.read.selectFrom('statuses').select('id').where('name', '=', '計画中').execute();
  await olga.post('/b/ideen/settings/statuses', { intent: `edit:${planned?.id}`, name: 'Next', color: '#123456' });
  await setUp('de');
  assert.deepEqual(await statuses('ideen'), [
    'Offen',
    'Next',
    'In Arbeit',
    'Umgesetzt',
    'Archiviert',
    'Zusammengeführt',
  ]);
  await olga.post('/b/ideen/setup/3', { color: '#112233' });
  await olga.post('/b/ideen/setup/4', { skip: 'on' });
  await olga.post('/b/ideen/setup/5', { intent: 'skip' });
  await setUp('en');
  assert.deepEqual((await statuses('ideen'))[0], 'Offen', 'a board that is set up keeps its names');
  await setUp('de');
  await olga.post('/b/ideen/settings/boards', { intent: 'create', name: 'Mehr' });
  assert.equal((await statuses('mehr'))[0], 'Offen', 'and another begins in its language');
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
