import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { testCipher } from '../../../test/support/sender.ts';
import { claimMail, listMails } from '../../platform/mail/mails.ts';
import { findUserById } from '../users/users.ts';
import { changeBoard } from './settings.ts';
import { sendTestMail } from './test-mail.ts';

testBoth('a test mail is sent at once and never again, whatever comes of it', async (app) => {
  const { db, clock, board } = app;
  const actor = await findUserById(db.read, board.id, await app.makeUser('max', 'ADMIN'));
  if (!actor) throw new Error('The user is gone');
  const context = { db, clock, board, baseUrl: 'http://board.test', actor };
  const taken: string[] = [];
  const working = {
    send: async ({ recipient }: { recipient: string }) => void taken.push(recipient),
    forget: async () => {},
    close() {},
  };
  const broken = { send: () => Promise.reject(new Error('Connection refused')), forget: async () => {}, close() {} };
  assert.equal(await sendTestMail(context, testCipher, working, 'max@example.com'), null);
  assert.equal(await sendTestMail(context, testCipher, broken, 'max@example.com'), 'Connection refused');
  assert.deepEqual(taken, ['max@example.com']);
  await assert.rejects(sendTestMail(context, testCipher, working, null), { code: 'CONFLICT' });
  const again = () => sendTestMail(context, testCipher, working, 'victim@example.com');
  for (let n = 1; n <= 20; n++) assert.equal(await again(), null);
  await assert.rejects(again(), { code: 'RATE_LIMIT_EXCEEDED' });
  await db.transaction((tx) => tx.deleteFrom('mails').where('recipient', '=', 'victim@example.com').execute());
  const { nodes } = await listMails(db.read, board.id, { cursor: null, limit: 10 });
  assert.deepEqual(
    nodes.map(({ state, last_error }) => [state, last_error]),
    [
      ['given_up', 'Connection refused'],
      ['sent', null],
    ],
  );
  clock.advance(86_400_000);
  assert.equal(await claimMail(db, clock.now()), null);
  assert.throws(() => changeBoard(context, { isApiEnabled: false }), {
    message: /Only owners can turn the API on or off/,
  });
});
