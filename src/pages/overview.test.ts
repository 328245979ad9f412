import assert from 'node:assert/strict';
import { testWeb } from '../../test/support/web.ts';

const PAGE = '/b/acme/settings';

testWeb('the overview has the address to share, and removes sample data at one click', async (web) => {
  const { db } = web;
  const olga = await web.makeMember('Olga', 'OWNER');
  const { payload: overview } = await olga.get(PAGE);
  assert.match(overview, /Share the address of your board:.*http[^<]*\/b\/acme</s);
  assert.match(overview, /aria-label="QR code of the board&#x27;s address"/);
  assert.doesNotMatch((await olga.get(PAGE)).payload, /Remove sample data/);
  await db.transaction((tx) => tx.updateTable('boards').set({ setup_step: 4 }).execute());
  await olga.post('/b/acme/setup/4', { intent: 'sample' });
  const { payload } = await olga.get(PAGE);
  assert.match(payload, /Remove sample data/);
  assert.match(payload, /<a href="\/b\/acme"[^>]*>Post your first idea/, 'somebody else posted those');
  const removed = await olga.post(`${PAGE}?index`, { intent: 'sample' });
  assert.match(String(removed.headers.location), /\?done=removed&operation=/);
  assert.doesNotMatch((await olga.get(PAGE)).payload, /Remove sample data/);
  const left = db.read.selectFrom('posts').select('id').where('date_deleted', 'is', null);
  assert.deepEqual(await left.execute(), []);
  assert.match((await olga.get(PAGE)).payload, /value="add-sample"/);
  await olga.post(`${PAGE}?index`, { intent: 'add-sample' });
  const again = (await olga.get(PAGE)).payload;
  assert.match(again, /Remove sample data/);
  assert.doesNotMatch(again, /value="add-sample"/);
});

testWeb('without a mail server, the team page says where invitations are', async (web) => {
  const olga = await web.makeMember('Olga', 'OWNER');
  assert.match((await olga.get(`${PAGE}/members`)).payload, /invitations are stored as files on the server/);
});
