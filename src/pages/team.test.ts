import assert from 'node:assert/strict';
import { PASSWORD, readMail, testPages, testWeb } from '../../test/support/web.ts';
import { makeSetupLink } from '../identity/team/inviting.ts';

testPages('only an address that a link was mailed to counts as confirmed', async (web) => {
  const { makeVisitor, db, clock, board } = web;
  const olga = makeVisitor();
  const link = await makeSetupLink({ db, clock, baseUrl: 'http://board.test', board });
  const joined = { name: 'Olga', email: 'olga@example.com', password: PASSWORD };
  await olga.post(new URL(link).pathname, joined);
  const isProven = async (email: string) => {
    const query = db.read.selectFrom('accounts').select('is_email_verified').where('email', '=', email);
    return (await query.executeTakeFirstOrThrow()).is_email_verified;
  };
  assert.equal(await isProven('olga@example.com'), 0);
  assert.match((await olga.get('/b/acme/settings/account')).payload, /This address is not confirmed yet/);
  const confirm = await readMail(web, 'olga@example.com');
  assert.match(confirm.path, /^\/change-email\//);
  await olga.post('/b/acme/setup/2', { name: 'Ideas', pid: 'ideas', locale: 'en' });
  const confirmed = await olga.post(confirm.path, {});
  assert.equal((await olga.get(String(confirmed.headers.location))).headers.location, '/b/ideas');
  assert.equal(await isProven('olga@example.com'), 1);
  assert.doesNotMatch((await olga.get('/b/ideas/settings/account')).payload, /This address is not confirmed yet/);

  await olga.post('/b/ideas/settings/members', { intent: 'invite', email: 'max@example.com', role: 'ADMIN' });
  const invited = await readMail(web, 'max@example.com');
  await makeVisitor().post(invited.path, { name: 'Max', email: 'someone@example.com', password: PASSWORD });
  assert.equal(await isProven('max@example.com'), 1, 'whatever the form says');
});

testWeb('a key names who made it, and that they may not manage keys any more', async (web) => {
  const [olga, adam] = [await web.makeMember('Olga', 'OWNER'), await web.makeMember('Adam', 'ADMIN')];
  const nonce = 'n'.repeat(43);
  await adam.post('/b/acme/settings/apis/new', { nonce, name: 'Sync', read: 'on' });
  assert.match((await olga.get('/b/acme/settings/apis')).payload, /<td data-label="Created by"><bdi>Adam<\/bdi><\/td>/);
  const query = web.db.read.selectFrom('users').select('id').where('name', '=', 'Adam');
  const { id } = await query.executeTakeFirstOrThrow();
  const change = (role: string) => olga.post('/b/acme/settings/members', { intent: `role-${id}`, id, role });
  assert.equal((await change('ROOT')).statusCode, 400);
  await change('MEMBER');
  assert.match((await olga.get('/b/acme/settings/apis')).payload, /Adam, who can no longer manage keys/);
  const adams = web.db.read.selectFrom('users').select('role').where('id', '=', id);
  assert.equal((await adams.executeTakeFirstOrThrow()).role, 'MEMBER');
});
