import assert from 'node:assert/strict';
import { testCipher } from '../../test/support/sender.ts';
import { testPages } from '../../test/support/web.ts';
import { insertWebhook } from '../webhooks/webhook/webhooks.ts';

testPages('the page of webhooks warns when no owner has an email address', async (web) => {
  const { db, board, clock, makeMember } = web;
  const adam = await makeMember('Adam', 'ADMIN');
  const list = async () => (await adam.get('/b/acme/settings/webhooks')).payload;
  const hint = /No owner of this board has an email address/;
  assert.doesNotMatch(await list(), hint);
  const config = { verifyToken: null, signingSecret: null, events: null };
  const address = { url: 'https://example.com/hook', host: 'example.com' };
  await insertWebhook({ db, clock, board, baseUrl: 'http://board.test' }, testCipher, address, config);
  assert.match(await list(), hint);
  await makeMember('Olivia', 'OWNER');
  assert.doesNotMatch(await list(), hint);
});
