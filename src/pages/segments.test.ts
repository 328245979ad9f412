import assert from 'node:assert/strict';
import { signUp, testWeb, type WebVisitor } from '../../test/support/web.ts';

const HOME = '/b/acme';
const COMPANIES = `${HOME}/people/companies`;
const SEGMENTS = `${HOME}/people/segments`;

async function textOf(visitor: WebVisitor, path: string): Promise<string> {
  const { payload } = await visitor.get(path);
  return payload
    .replace(/<script.*?<\/script>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}

testWeb('companies and segments are made on pages, and say who is behind an idea', async (web) => {
  const ann = await web.makeMember('Ann', 'ADMIN');
  const made = { intent: 'add', name: 'Acme <b>', externalId: 'acme', plan: 'Pro', revenue: '1200' };
  assert.equal((await ann.post(COMPANIES, made)).statusCode, 302);
  for (const ssoId of ['zoe', 'yan']) await web.api.createUser({ ssoType: 'SSO', ssoId, name: ssoId });
  await web.api.updateUser({ ssoType: 'SSO', ssoId: 'zoe', companies: [{ id: 'acme' }] });
  const post = await web.makePost('Dark mode', { as: 'yan' });
  await web.makePost('Export', { as: 'yan' });
  await web.api.as('zoe').upvotePost({ postId: post });
  assert.match(await textOf(ann, COMPANIES), /Acme &lt;b&gt; 1 person · Pro · 1,200 a month/);
  const condition = { of0: 'COMPANY', attribute0: 'plan', comparison0: 'IS', values0: ' pro \n\nTeam' };
  assert.equal(
    (await ann.post(SEGMENTS, { intent: 'add', name: 'Paying', match: 'ALL', ...condition })).statusCode,
    302,
  );
  assert.match(await textOf(ann, SEGMENTS), /Paying 1 person · What they asked for · plan is pro, Team/);
  const [segment] = await web.api.segments({ id: true, conditions: { values: true } });
  assert.deepEqual(segment?.conditions, [{ values: ['pro', 'Team'] }]);
  const people = await textOf(ann, `${HOME}/people?among=${segment?.id}`);
  assert.match(people, /zoe/);
  assert.doesNotMatch(people, /yan /);
  const ideas = await textOf(ann, `${HOME}?segment=${segment?.id}`);
  assert.match(ideas, /Dark mode/);
  assert.doesNotMatch(ideas, /Export/);
  const sorted = await textOf(ann, `${HOME}?by=revenue`);
  assert.ok(sorted.indexOf('Dark mode') < sorted.indexOf('Export'));
  assert.ok(sorted.indexOf('Export') > 0);
  assert.match(await textOf(ann, `${HOME}/posts/1`), /1 company, 1,200 a month/);
  assert.match(await textOf(ann, `${HOME}/voters/1`), /zoe.* Acme &lt;b&gt;/);
  const file = await ann.get(`${HOME}/voters/1/file`);
  assert.match(file.payload, /"?Companies"?,"?Monthly revenue/);
  assert.match(file.payload, /Acme <b>"?,1200/);
  const [zoe] = (await web.api.usersPage({ segment: segment?.id ?? null }, { nodes: { id: true } })).nodes;
  assert.match(await textOf(ann, `${HOME}/people/${zoe?.id}`), /Companies Acme &lt;b&gt; · Pro/);
  const companyId = (await web.api.companies({}, { nodes: { id: true } })).nodes[0]?.id ?? '';
  assert.match(await textOf(ann, `${HOME}/people?company=${companyId}`), /zoe/);

  const edited = { intent: `edit:${companyId}`, name: 'Acme', plan: 'Free', revenue: '' };
  assert.equal((await ann.post(COMPANIES, edited)).statusCode, 302);
  assert.match(await textOf(ann, SEGMENTS), /Paying 0 people/);
  const removed = await ann.post(SEGMENTS, { intent: `delete:${segment?.id}`, sure: 'on' });
  assert.match(String(removed.headers.location), /done=removed&operation=/);
  assert.match(await textOf(ann, SEGMENTS), /No segments yet/);
});

testWeb('what cannot be is said in the form, and outsiders see nothing of it', async (web) => {
  const ann = await web.makeMember('Ann', 'ADMIN');
  const wrong = await ann.post(SEGMENTS, { intent: 'add', name: 'S', match: 'ALL', attribute0: 'seats', of0: 'USER' });
  assert.equal(wrong.statusCode, 422);
  const none = await ann.post(SEGMENTS, { intent: 'add', name: 'S', match: 'ALL' });
  assert.match(none.payload, /needs at least one condition/);
  const amount = await ann.post(COMPANIES, { intent: 'add', name: 'A', externalId: 'a', revenue: 'many' });
  assert.match(amount.payload, /must be a number/);
  const zoe = await signUp(web, 'Zoe');
  for (const path of [COMPANIES, SEGMENTS]) assert.equal((await zoe.get(path)).statusCode, 403);
  const mo = await web.makeMember('Mo', 'MODERATOR');
  assert.equal((await mo.post(COMPANIES, { intent: 'add', name: 'A', externalId: 'a' })).statusCode, 403);
});
