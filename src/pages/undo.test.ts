import assert from 'node:assert/strict';
import { signUp, testWeb, type WebVisitor } from '../../test/support/web.ts';

const POST = '/b/acme/posts/1';

/** The operation that a toast offers to undo. */
async function offered(visitor: WebVisitor, { headers }: { headers: Record<string, unknown> }): Promise<string | null> {
  const { payload } = await visitor.get(String(headers.location));
  return /<form[^>]*action="\/b\/acme\/undo".*?value="([^"]+)" name="operation"/s.exec(payload)?.[1] ?? null;
}

testWeb('the toast of what the team did undoes it, without scripts too', async (web) => {
  await web.makePost('Dark mode');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const operation = await offered(mo, await mo.post(POST, { intent: 'lock' }));
  assert.ok(operation);
  assert.equal((await web.ask('{ postByNumber(number: 1) { isLocked } }')).postByNumber.isLocked, true);
  const undone = await mo.post('/b/acme/undo', { operation, next: POST });
  assert.equal(undone.headers.location, `${POST}?done=saved`);
  assert.match((await mo.get(String(undone.headers.location))).payload, /Saved/);
  assert.equal((await web.ask('{ postByNumber(number: 1) { isLocked } }')).postByNumber.isLocked, false);
  const again = await mo.post('/b/acme/undo', { operation, next: POST });
  assert.equal(again.statusCode, 422);
  assert.match(again.payload, /This was already undone/);
});

testWeb('members have nothing to undo, and cannot undo what the team did', async (web) => {
  await web.makePost('Dark mode');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const vera = await signUp(web, 'Vera');
  assert.equal(await offered(vera, await vera.post(POST, { intent: 'follow' })), null);
  const operation = (await offered(mo, await mo.post(POST, { intent: 'lock' }))) ?? '';
  assert.equal((await vera.post('/b/acme/undo', { operation, next: POST })).statusCode, 403);
  assert.equal((await web.ask('{ postByNumber(number: 1) { isLocked } }')).postByNumber.isLocked, true);
});
