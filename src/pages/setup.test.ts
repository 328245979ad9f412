import assert from 'node:assert/strict';
import { readMail, testWeb } from '../../test/support/web.ts';

const TEAM = '/b/acme/setup/4';

testWeb('the set-up invites colleagues and proposes mails, which are stored when the step is sent', async (web) => {
  const { db } = web;
  const olga = await web.makeMember('Olga', 'OWNER');
  // Where a set-up of a version without this step stopped before its last one.
  const reach = (setup_step: number) => db.transaction((tx) => tx.updateTable('boards').set({ setup_step }).execute());
  await reach(4);
  const mails = async () => {
    const columns = ['mail_frequency', 'email_on_new_post', 'email_on_moderation', 'email_on_status'] as const;
    const query = db.read.selectFrom('users').select(columns).where('name', '=', 'Olga');
    return Object.values(await query.executeTakeFirstOrThrow());
  };
  const invited = () => db.read.selectFrom('invitations').select('role').where('email', 'like', 'm%').execute();
  const isProposed = async () => {
    const { payload } = await olga.get(TEAM);
    return /value="DAILY" selected/.test(payload) && /name="onNewPost" checked/.test(payload);
  };
  assert.ok(await isProposed());
  assert.equal((await olga.post(TEAM, { skip: 'on', emails: 'max@example.com' })).headers.location, '/b/acme/setup/5');
  assert.deepEqual(await mails(), ['AT_ONCE', 0, 0, 1]);
  assert.deepEqual(await invited(), []);
  assert.ok(!(await isProposed()), 'the user has decided');

  await reach(4);
  const form = { role: 'ADMIN', frequency: 'DAILY', onNewPost: 'on' };
  const refused = await olga.post(TEAM, { ...form, emails: 'max@example.com, nowhere' });
  assert.equal(refused.statusCode, 422);
  assert.deepEqual(await mails(), ['AT_ONCE', 0, 0, 1]);
  const sent = await olga.post(TEAM, { ...form, emails: 'max@example.com;\r\nmia@example.com' });
  assert.equal(sent.headers.location, '/b/acme/setup/5?done=invited');
  assert.deepEqual(await mails(), ['DAILY', 1, 0, 1]);
  for (const email of ['max@example.com', 'mia@example.com']) {
    assert.match((await readMail(web, email)).path, /^\/join\//);
  }
  assert.deepEqual(await invited(), [{ role: 'ADMIN' }, { role: 'ADMIN' }]);
});
