import assert from 'node:assert/strict';
import { readMail, testPages } from '../../test/support/web.ts';

testPages('an invited moderator arrives at triage, which explains what to do', async (web) => {
  const olga = await web.makeMember('Olga', 'OWNER');
  const invitation = { intent: 'invite', email: 'mo@example.com', role: 'MODERATOR' };
  await olga.post('/b/acme/settings/members', invitation);
  const { path } = await readMail(web, 'mo@example.com');
  const mo = web.makeVisitor();
  const joined = await mo.post(path, { name: 'Mo', password: 'a long password of Mo' });
  assert.equal(joined.headers.location, '/b/acme/triage/unanswered?welcome');
  const { statusCode, payload } = await mo.get('/b/acme/triage/unanswered?welcome');
  assert.equal(statusCode, 200);
  assert.match(payload, /Welcome to the team of Acme.*Everything can be undone for 30 days/s);
  const later = (await mo.get('/b/acme/triage/unanswered')).payload;
  assert.match(later, /Choose an idea from the list/);
  assert.doesNotMatch(later, /Welcome to the team/);
});
