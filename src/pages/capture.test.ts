import assert from 'node:assert/strict';
import { testPages } from '../../test/support/web.ts';

const PAGE = '/b/acme/settings/mail-in';

const transport = { send: async () => {}, forget: async () => {}, close() {} };
const mail = { transport, server: null, from: 'board@acme.example', folder: '', domainIn: 'in.acme.example' };

testPages(
  'an owner turns ideas by mail on, and names an address that forwards to the board',
  async (web) => {
    const owner = await web.makeMember('Olga', 'OWNER');
    const before = await owner.get(PAGE);
    assert.match(before.payload, /acme@in\.acme\.example/);
    assert.doesNotMatch(before.payload, /INBOUND_MAIL_DOMAIN|Address for ideas/);
    const wrong = await owner.post(PAGE, { on: 'on', mailAddress: 'ideas' });
    assert.equal(wrong.statusCode, 422);
    assert.match(
      wrong.payload,
      /aria-invalid="true"[^>]*name="mailAddress"|name="mailAddress"[^>]*aria-invalid="true"/,
    );
    assert.equal((await owner.post(PAGE, { on: 'on', mailAddress: 'ideas@acme.example' })).statusCode, 302);
    assert.match((await owner.get(PAGE)).payload, /Address for ideas.*ideas@acme\.example/s);
    const { is_mail_in_enabled, mail_address } = await web.db.read
      .selectFrom('boards')
      .select(['is_mail_in_enabled', 'mail_address'])
      .executeTakeFirstOrThrow();
    assert.deepEqual([is_mail_in_enabled, mail_address], [1, 'ideas@acme.example']);
    const moderator = await web.makeMember('Mo', 'MODERATOR');
    assert.equal((await moderator.get(PAGE)).statusCode, 403);
  },
  { mail },
);

testPages('a server that receives no mail says what it needs', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  const page = await owner.get(PAGE);
  assert.match(page.payload, /INBOUND_MAIL_DOMAIN.*docs\/capture\.md/s);
  assert.doesNotMatch(page.payload, /name="mailAddress"/);
});

testPages('an owner turns Slack on and off with the secret of its app, which is not shown again', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  const page = '/b/acme/settings/chats';
  const secret = '0123456789abcdef0123456789abcdef';
  const first = await owner.get(page);
  assert.match(first.payload, /http:\/\/board\.test\/api\/v1\/chat\/acme\/slack/);
  assert.doesNotMatch(first.payload, />Turn off</);
  const wrong = await owner.post(page, { intent: 'SLACK', secret: 'nothing' });
  assert.equal(wrong.statusCode, 422);
  assert.match(wrong.payload, /not a signing secret or public key/);
  assert.equal((await owner.post(page, { intent: 'SLACK', secret })).statusCode, 302);
  const on = await owner.get(page);
  assert.match(on.payload, />Turn off</);
  assert.ok(!on.payload.includes(secret));
  assert.equal((await owner.post(page, { intent: 'SLACK', off: 'on' })).statusCode, 302);
  assert.doesNotMatch((await owner.get(page)).payload, />Turn off</);
  assert.equal((await owner.post(page, { intent: 'TEAMS', secret })).statusCode, 400);
  const moderator = await web.makeMember('Mo', 'MODERATOR');
  assert.equal((await moderator.get(page)).statusCode, 403);
});
