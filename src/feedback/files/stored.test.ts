import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { testBoth } from '../../../test/support/app.ts';
import { upload } from '../../../test/support/files.ts';
import { storedFiles } from './stored.ts';

testBoth('the files whose bytes are kept are those of boards and the pictures of accounts, each once', async (app) => {
  const { id, size } = await upload(app, { bytes: 'Bytes' });
  const pictures = Array.from({ length: 1_100 }, (_, n) => ({ id: `picture ${n}`, size: n }));
  await app.db.transaction(async (tx) => {
    for (const { id, size } of pictures) {
      const account = sql`insert into accounts (id, email, name, is_email_verified, date_created, date_updated)
        values (${id}, ${id}, '', 1, 0, 0)`;
      await account.execute(tx);
      const picture = { id, account_id: id, token: '', content_type: 'image/png', size, date_created: 0 };
      await tx.insertInto('account_pictures').values(picture).execute();
    }
  });
  const stored = await Array.fromAsync(storedFiles(app.db.read));
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  assert.deepEqual(stored.sort(byId), [...pictures, { id, size }].sort(byId));
});
