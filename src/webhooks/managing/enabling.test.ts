import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { startDelivering } from '../../../test/support/delivering.ts';
import { type Received, startReceiver } from '../../../test/support/receiver.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { VERIFICATIONS_PER_MINUTE } from '../verification/verification-log.ts';
import { deleteWebhook, requireWebhook } from '../webhook/webhooks.ts';
import { createWebhook, updateWebhook } from './changing.ts';
import { disableWebhook, enableWebhook } from './enabling.ts';
import { testWebhook } from './testing.ts';

const PLAIN = { verifyToken: null, signingSecret: null, events: null };

/** What a receiver confirms and accepts; a test changes it as it goes. */
type Policy = { confirms: boolean; status: (request: Received) => number; wait?: Promise<void> };

/** A receiver with a policy, and the sender of an app. */
async function startBoth(t: TestContext, app: TestApp) {
  const policy: Policy = { confirms: true, status: () => 200 };
  const { origin, received } = await startReceiver(t, async (request, response) => {
    if (request.method === 'POST') return response.writeHead(policy.status(request)).end();
    await policy.wait;
    const challenge = new URL(request.url, 'http://receiver').searchParams.get('hub.challenge');
    response.writeHead(policy.confirms ? 200 : 403).end(challenge);
  });
  const delivering = startDelivering(t, app);
  const { context, sender } = delivering;
  const ofMethod = (method: string) => received.filter((request) => request.method === method);
  return {
    ...delivering,
    origin,
    policy,
    gets: () => ofMethod('GET'),
    posts: () => ofMethod('POST'),
    show: (id: string) => requireWebhook(context.db.read, context.board.id, id),
    create: (config: Partial<Parameters<typeof createWebhook>[2]> = {}) =>
      createWebhook(context, sender, { url: `${origin}/in`, ...PLAIN, ...config }),
    enable: (id: string) => enableWebhook(context, sender, id, 'deliver'),
    update: (id: string, changes: Parameters<typeof updateWebhook>[3]) => updateWebhook(context, sender, id, changes),
  };
}

testBoth(
  'the address is asked as it was saved: its path, its query, its own hub parameters, no fragment',
  async (app, t) => {
    const { origin, create, enable, gets, posts, settled } = await startBoth(t, app);
    const { id } = await create({ url: `${origin}/größe?a=%2f+b&hub.topic=x#part`, verifyToken: 'a b&c/ü' });
    assert.equal((await enable(id)).webhook.state, 'active');
    const path = '/gr%C3%B6%C3%9Fe?a=%2f+b&hub.topic=x';
    const asked = /^(.*)&hub\.mode=subscribe&hub\.challenge=[\w-]{43}&hub\.verify_token=(.*)$/.exec(
      gets()[0]?.url ?? '',
    );
    assert.deepEqual(asked?.slice(1), [path, 'a%20b%26c%2F%C3%BC']);
    await app.makePost('Post');
    await settled();
    assert.equal(posts()[0]?.url, path);
  },
);

testBoth('without a verify token the parameter is omitted', async (app, t) => {
  const { create, enable, gets } = await startBoth(t, app);
  await enable((await create()).id);
  assert.match(gets()[0]?.url ?? '', /^\/in\?hub\.mode=subscribe&hub\.challenge=[\w-]{43}$/);
});

testBoth('nothing is posted before the address has confirmed, whatever happens on the board', async (app, t) => {
  const { policy, create, enable, posts, show, settled, context, sender } = await startBoth(t, app);
  policy.confirms = false;
  const { id } = await create({ verifyToken: 'token' });
  await app.makePost('Before');
  const { webhook, verification } = await enable(id);
  assert.deepEqual([webhook.state, verification?.word], ['disabled', 'verify token refused']);
  await app.makePost('Still before');
  await assert.rejects(testWebhook(context, sender, id), { code: 'CONFLICT' });
  await settled();
  assert.deepEqual([posts().length, (await show(id)).state], [0, 'disabled']);
  policy.confirms = true;
  await enable(id);
  await app.makePost('After');
  await settled();
  const titles = posts().map(({ body }) => JSON.parse(body.toString()).data.post.title);
  assert.deepEqual(titles, ['After']);
});

testBoth('two attempts to enable a webhook at once enable it once, and the other is a conflict', async (app, t) => {
  const { policy, create, enable, show, gets } = await startBoth(t, app);
  const { id } = await create();
  const gate = Promise.withResolvers<void>();
  policy.wait = gate.promise;
  const both = [enable(id), enable(id)];
  while (gets().length < 2) await delay(1);
  gate.resolve();
  const results = await Promise.allSettled(both);
  const codes = results.map((result) =>
    result.status === 'fulfilled' ? result.value.webhook.state : result.reason.code,
  );
  assert.deepEqual(codes.sort(), ['CONFLICT', 'active']);
  assert.deepEqual([(await show(id)).state, gets().length], ['active', 2]);
});

testBoth('an enabled webhook is verified at every attempt to enable it, and stays enabled', async (app, t) => {
  const { policy, create, enable, show, gets } = await startBoth(t, app);
  const { id } = await create();
  await enable(id);
  const before = await show(id);
  assert.equal((await enable(id)).verification?.kind, 'verified');
  policy.confirms = false;
  const { webhook, verification } = await enable(id);
  assert.deepEqual([webhook.state, verification?.kind, gets().length], ['active', 'failed', 3]);
  assert.deepEqual(await show(id), before);
});

testBoth('an address of this server is no receiver, whichever of its names it has', async (app, t) => {
  const { context, sender, origin } = await startBoth(t, app);
  await app.db.transaction((tx) => tx.updateTable('boards').set({ domain: 'ideas.acme.example' }).execute());
  const at = (baseUrl: string, url: string) => createWebhook({ ...context, baseUrl }, sender, { url, ...PLAIN });
  const own = ['http://board.example:4000', 'http://board.example:4000/x'];
  const refused = [
    own,
    ['https://board.example', 'http://board.example/x'],
    ['http://x.example', 'https://ideas.acme.example'],
  ];
  for (const [base = '', url = ''] of refused) await assert.rejects(at(base, url), /URL of the board itself/, url);
  const { port } = new URL(origin);
  for (const url of [origin, `http://127.0.0.1:${port}/b`]) await at('http://127.0.0.1', url);
});

testBoth('a webhook that is disabled, changed or deleted during its verification is not enabled', async (app, t) => {
  const { policy, create, enable, update, show, gets, context } = await startBoth(t, app);
  const changes: ((id: string) => Promise<unknown>)[] = [
    (id) => disableWebhook(context, id),
    (id) => update(id, { url: 'http://127.0.0.2:9/other' }),
    (id) => deleteWebhook(context, id),
  ];
  for (const happens of changes) {
    const { id } = await create();
    const gate = Promise.withResolvers<void>();
    policy.wait = gate.promise;
    const before = gets().length;
    const enabling = enable(id);
    while (gets().length === before) await delay(1);
    await happens(id);
    gate.resolve();
    await assert.rejects(enabling, /changed in the meantime|not found/);
    assert.notEqual((await show(id).catch(() => null))?.state, 'active');
  }
});

testBoth('while enabled, another address or token counts only once it is verified', async (app, t) => {
  const { origin, policy, addWebhook, update, show, gets, posts, settled } = await startBoth(t, app);
  const { id } = await addWebhook({ url: `${origin}/old` });
  policy.confirms = false;
  const refused = await update(id, { url: `${origin}/new` });
  assert.deepEqual([refused.verification?.kind, refused.webhook.url], ['failed', `${origin}/old`]);
  assert.equal((await update(id, { verifyToken: 'new' })).verification?.kind, 'failed');
  assert.deepEqual([(await show(id)).state, (await show(id)).verify_token], ['active', null]);
  policy.confirms = true;
  assert.equal((await update(id, { url: `${origin}/new`, verifyToken: 'new' })).verification?.kind, 'verified');
  assert.match(gets().at(-1)?.url ?? '', /^\/new\?.*&hub\.verify_token=new$/);
  await app.makePost('Post');
  await settled();
  assert.deepEqual(
    posts().map(({ url }) => url),
    ['/new'],
  );
  const asked = gets().length;
  await update(id, { events: ['comment.created'] });
  assert.equal(gets().length, asked, 'other changes send no verification');
});

testBoth('changes to a disabled webhook send no verification; enabling does', async (app, t) => {
  const { origin, create, update, gets, enable } = await startBoth(t, app);
  const { id } = await create();
  const { verification, webhook } = await update(id, { url: `${origin}/new`, verifyToken: 't', signingSecret: 's' });
  assert.deepEqual(
    [verification, webhook.url, webhook.pending_secret, gets().length],
    [null, `${origin}/new`, null, 0],
  );
  assert.equal((await enable(id)).webhook.state, 'active');
});

testBoth(
  'a board has ten verifications in a minute, those of deleted webhooks and at one time included',
  async (app, t) => {
    const { origin, create, enable, gets, context } = await startBoth(t, app);
    for (let n = 0; n < VERIFICATIONS_PER_MINUTE - 5; n++) {
      const { id } = await create();
      await enable(id);
      await deleteWebhook(context, id);
    }
    const ids: string[] = [];
    for (let n = 0; n < 8; n++) ids.push((await create({ url: `${origin.replace('0.0.1', `0.0.${n + 2}`)}/in` })).id);
    const results = await Promise.allSettled(ids.map((id) => enable(id)));
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    assert.deepEqual(refusals, Array(3).fill('RATE_LIMIT_EXCEEDED'));
    assert.ok(gets().length <= VERIFICATIONS_PER_MINUTE);
    app.clock.advance(MINUTE_MS);
    assert.equal((await enable((await create()).id)).webhook.state, 'active');
  },
);

testBoth(
  'a host is asked ten times in a minute by all boards together, also for a change that fails',
  async (app, t) => {
    const { origin, policy, create, enable, gets, context, sender } = await startBoth(t, app);
    const elsewhere = origin.replace('127.0.0.1', '127.0.0.9');
    const { id } = await create({ url: elsewhere });
    await enable((await create()).id);
    const other = { ...context, board: await app.makeBoard() };
    const moved = await createWebhook(other, sender, { url: `${origin}/in`, ...PLAIN });
    await enableWebhook(other, sender, moved.id, 'deliver');
    policy.confirms = false;
    for (let n = 2; n < VERIFICATIONS_PER_MINUTE; n++)
      await updateWebhook(other, sender, moved.id, { url: `${origin}/${n}` });
    assert.equal(gets().length, VERIFICATIONS_PER_MINUTE);
    await assert.rejects(enable((await create()).id), { code: 'RATE_LIMIT_EXCEEDED' });
    assert.equal(gets().length, VERIFICATIONS_PER_MINUTE);
    assert.equal((await enable(id)).verification?.word, 'connection refused', 'another host has its own limit');
  },
);
