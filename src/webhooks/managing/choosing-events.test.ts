import assert from 'node:assert/strict';
import { testWeb } from '../../../test/support/web.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { listWebhooks } from '../webhook/webhooks.ts';

testWeb('a form with an unknown event type creates no webhook and names the known ones', async (web) => {
  const owner = await web.makeMember('Mona', 'OWNER');
  const path = `/b/${web.board.pid}/settings/webhooks/new`;
  const form = {
    id: makeId(),
    url: 'https://receiver.example/in',
    events: 'some',
    signingSecretHow: 'none',
    verifyTokenHow: 'none',
  };
  const refused = await owner.post(path, { ...form, 'event:post.created': 'on', 'event:post.creatd': 'on' });
  assert.equal(refused.statusCode, 422);
  assert.match(refused.body, /There is no event (&quot;|&#34;|")post\.creatd/);
  assert.match(refused.body, /the events are post\.created, post\.deleted/);
  assert.deepEqual(await listWebhooks(web.db.read, web.board.id), []);
  const made = await owner.post(path, { ...form, 'event:comment.created': 'on', 'event:post.created': 'on' });
  assert.equal(made.statusCode, 302);
  const [webhook, ...more] = await listWebhooks(web.db.read, web.board.id);
  assert.deepEqual([webhook?.events, more], [',post.created,comment.created,', []]);
});
