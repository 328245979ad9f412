import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { fetchFile, isEmpty, listBytes, upload } from '../../../test/support/files.ts';
import { deleteBoard } from '../../operations/boards/delete.ts';
import { makeFileFolder } from './folder.ts';
import { cleanFiles, UNUSED_MS } from './removing.ts';
import { receiveFile } from './uploading.ts';

testBoth('an upload that nothing uses goes after a day', async (app) => {
  const { db, clock } = app;
  const folder = makeFileFolder(app.dataDir);
  const { url } = await upload(app, { bytes: 'a' });
  clock.advance(UNUSED_MS - 1);
  await cleanFiles({ db, clock, folder });
  assert.equal((await fetchFile(app, url)).statusCode, 200);
  clock.advance(1);
  await cleanFiles({ db, clock, folder });
  assert.equal((await fetchFile(app, url)).statusCode, 404);
  assert.ok(await isEmpty(app));
});

testBoth('bytes that no row was made for, because the process died, go within two hours', async (app) => {
  const { db, clock, board } = app;
  const folder = makeFileFolder(app.dataDir);
  const context = { db, clock, board, baseUrl: '', actor: null };
  await receiveFile(context, folder, { name: 'a', bytes: Buffer.from('a') });
  await cleanFiles({ db, clock, folder });
  assert.equal(listBytes(app).length, 1);
  clock.advance(2 * 3_600_000);
  await cleanFiles({ db, clock, folder });
  assert.ok(await isEmpty(app));
});

testBoth('a deleted board takes the bytes of its files with it', async (app) => {
  const { db, clock, board } = app;
  for (let n = 0; n < 3; n++) await upload(app, { bytes: 'a' });
  await db.transaction((tx) => deleteBoard(tx, board.id));
  assert.equal(listBytes(app).length, 3);
  await cleanFiles({ db, clock, folder: makeFileFolder(app.dataDir) });
  assert.ok(await isEmpty(app));
});
