import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { startReceiver } from '../../../test/support/receiver.ts';
import { eventTypes } from '../../feedback/event-log/event-types.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { WEBHOOKS_PER_BOARD } from '../../webhooks/webhook/webhooks.ts';
import { MAX_WAITING } from './call.ts';
import { MAX_WEBHOOK_BYTES } from './route.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
type Reply = { status: number; body: any; code: string | null; field: string | null; headers: Record<string, unknown> };
type Options = { key?: string; headers?: Record<string, string>; raw?: string };
type Ask = (place: string, body?: unknown, options?: Options) => Promise<Reply>;

/** A receiver that confirms while it `isWilling`, and what asks the app with a key that may manage webhooks. */
async function start(t: TestContext, app: TestApp) {
  const how = { isWilling: true, wait: Promise.resolve() };
  const { origin, received } = await startReceiver(t, async ({ method, url }, response) => {
    await how.wait;
    const challenge = new URL(url, origin).searchParams.get('hub.challenge');
    if (method === 'GET') response.writeHead(how.isWilling ? 200 : 403).end(how.isWilling ? challenge : 'no');
    else response.end();
  });
  const own = await app.makeKey({ permissions: ['WEBHOOKS'] });
  const ask: Ask = async (place, body, { key = own, headers = {}, raw } = {}) => {
    const [method = '', path = ''] = place.split(' ');
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await app.app.inject({
      method: method as 'GET',
      url: `/api/v1/webhooks${path}`,
      headers: { apikey: key, ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(payload !== undefined && { payload }),
    });
    const answer = response.payload === '' ? null : response.json();
    const { code = null, field = null } = answer?.errors?.[0].extensions ?? {};
    return { status: response.statusCode, body: answer, code, field, headers: response.headers };
  };
  return { how, url: `${origin}/hook`, received, ask };
}

testBoth('webhooks are managed with a key that may, as a user who may, and only those of its board', async (app, t) => {
  const { ask, url } = await start(t, app);
  const { id } = (await ask('POST ', { url })).body;
  const plain = await app.makeKey();
  const other = await app.makeKey({ permissions: ['WEBHOOKS'] }, await app.makeBoard());
  await app.makeUser('max', 'MODERATOR');
  await app.makeUser('ann', 'ADMIN');
  const as = (ssoid: string) => ({ headers: { ssotype: 'SSO', ssoid } });
  const cases: [Options, number, string | null][] = [
    [{}, 200, null],
    [as('ann'), 200, null],
    [as('max'), 403, 'FORBIDDEN'],
    [as('nobody'), 404, 'NOT_FOUND'],
    [{ key: plain }, 403, 'FORBIDDEN'],
    [{ key: 'esk_x' }, 401, 'UNAUTHENTICATED'],
    [{ key: other }, 404, 'NOT_FOUND'],
  ];
  for (const [options, status, code] of cases) {
    for (const place of [`GET /${id}`, `PATCH /${id}`, `POST /${id}/test`, `GET /${id}/deliveries`]) {
      const reply = await ask(place, place.startsWith('GET') ? undefined : {}, options);
      assert.deepEqual([reply.status, reply.code], [status, code], `${place} ${JSON.stringify(options)}`);
    }
  }
  assert.deepEqual((await ask('GET ', undefined, { key: other })).body, { webhooks: [] });
  assert.equal((await ask(`DELETE /${id}`, undefined, { key: other })).status, 404);
  const { errors } = await app.gql('{ board { id } }', {}, { key: await app.makeKey({ permissions: ['WEBHOOKS'] }) });
  assert.equal(errors[0]?.extensions.code, 'FORBIDDEN');
  const [{ id: delivery }] = (await ask(`GET /${id}/deliveries`)).body.deliveries;
  const second = (await ask('POST ', { url: `${url}-2` })).body.id;
  assert.equal((await ask(`GET /${second}/deliveries/${delivery}`)).status, 404);
  assert.equal((await ask(`POST /${second}/deliveries/${delivery}/resend`)).status, 404);
  assert.equal((await ask(`POST /${id}/deliveries/${delivery}/resend`)).code, 'CONFLICT', 'a test is not sent again');
});

testBoth('a key makes a webhook of a chat, narrowed by names, whose URL is not shown', async (app, t) => {
  const { ask, url, received } = await start(t, app);
  const chat = { url: `${url}/T0SECRET0/abcdefghijklmnop`, kind: 'TEAMS', statuses: ['Planned'] };
  const { body } = await ask('POST ', chat);
  assert.deepEqual(
    [body.kind, body.state, body.statusIds.length, body.tagIds, body.signingSecret, received[0]?.method],
    ['TEAMS', 'active', 1, null, null, 'POST'],
  );
  assert.doesNotMatch(JSON.stringify(body), /SECRET0|abcdefgh/);
  const changed = await ask(`PATCH /${body.id}`, { statuses: null, events: ['comment.created'] });
  assert.deepEqual([changed.body.statusIds, changed.body.events], [null, ['comment.created']]);
  const names = Array.from({ length: 100 }, () => 'Planned');
  assert.equal((await ask(`PATCH /${body.id}`, { statuses: names })).body.statusIds.length, 1);
  for (const refused of [
    { statuses: [...names, 'Planned'] },
    { tags: [] },
    { tags: ['Nowhere'] },
    { events: ['post.deleted'] },
  ]) {
    assert.deepEqual((await ask(`PATCH /${body.id}`, refused)).code, 'BAD_REQUEST');
  }
  assert.equal((await ask(`POST /${body.id}/rotate-secret`, {})).code, 'BAD_REQUEST');
});

testBoth(
  'a webhook that its receiver does not confirm is not enabled or changed, with the reason in the response',
  async (app, t) => {
    const { ask, url, how } = await start(t, app);
    how.isWilling = false;
    const { status, body } = await ask('POST ', { url, verifyToken: 'sesame' });
    assert.deepEqual([status, body.state, body.disabledBy, body.verification.ok], [201, 'disabled', null, false]);
    assert.match(body.verification.reason, /verify token that it expects/);
    assert.ok(!JSON.stringify(body.verification).includes('sesame'));
    const refused = await ask(`POST /${body.id}/enable`);
    assert.deepEqual([refused.status, refused.code], [422, 'VERIFICATION_FAILED']);
    const [{ message, extensions }] = refused.body.errors;
    assert.deepEqual([message, extensions.verification.answer.status], [body.verification.reason, 403]);
    how.isWilling = true;
    assert.equal((await ask(`POST /${body.id}/enable`, { backlog: 'deliver' })).body.state, 'active');
    how.isWilling = false;
    assert.equal((await ask(`PATCH /${body.id}`, { url: `${url}-2` })).status, 422);
    const now = (await ask(`GET /${body.id}`)).body;
    assert.deepEqual([now.url, now.state], [url, 'active']);
    assert.equal((await ask('POST ', { url: `${url}-3`, enable: false })).body.verification, null);
    for (let n = 0; n < 7; n++) await ask(`POST /${body.id}/enable`);
    const limited = await ask(`POST /${body.id}/enable`);
    assert.deepEqual([limited.status, limited.headers['retry-after']], [429, '60']);
    const late = await ask('POST ', { url: `${url}-4` });
    assert.deepEqual([late.status, late.body.verification.outcome], [201, 'not verified']);
    assert.match(late.body.verification.reason, /wait a minute/);
  },
);

testBoth('a creation that is repeated with its idempotency key makes one webhook', async (app, t) => {
  const { ask, url, received } = await start(t, app);
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
  const replies = await Promise.all([1, 2, 3].map(() => ask('POST ', { url }, keyed('a'))));
  const first = replies.find(({ status }) => status === 201)?.body;
  const again = await ask('POST ', { url }, keyed('a'));
  assert.deepEqual([again.status, again.body.id, again.body.state], [201, first.id, 'active']);
  assert.equal(again.body.signingSecret, first.signingSecret);
  await ask(`POST /${first.id}/disable`);
  const before = received.length;
  assert.equal((await ask('POST ', { url }, keyed('a'))).body.state, 'disabled', 'it is not enabled again');
  assert.equal(received.length, before);
  assert.deepEqual((await ask('POST ', { url: `${url}-2` }, keyed('a'))).code, 'CONFLICT');
  assert.equal((await ask('POST ', { url }, keyed('x'.repeat(256)))).field, 'Idempotency-Key');
  assert.equal((await ask('POST ', { url, enable: false }, keyed('x'.repeat(255)))).status, 201);
  assert.equal((await ask('GET ')).body.webhooks.length, 2);
});

testBoth('a creation that is repeated after its webhook was deleted creates none', async (app, t) => {
  const { ask, url, received, how } = await start(t, app);
  const keyed = { headers: { 'idempotency-key': 'a' } };
  how.isWilling = false;
  const { id } = (await ask('POST ', { url }, keyed)).body;
  how.isWilling = true;
  // What no one has enabled is verified again.
  const again = await ask('POST ', { url }, keyed);
  assert.deepEqual([again.status, again.body.id, again.body.state], [201, id, 'active']);
  assert.equal((await ask(`DELETE /${id}`)).status, 204);
  const before = received.length;
  for (let n = 0; n < 2; n++) {
    const late = await ask('POST ', { url }, keyed);
    assert.deepEqual([late.status, late.code], [409, 'CONFLICT']);
    assert.match(late.body.errors[0].message, /was deleted/);
  }
  assert.deepEqual((await ask('GET ')).body, { webhooks: [] });
  assert.equal(received.length, before);
  app.clock.advance(DAY_MS + 1);
  assert.equal((await ask('POST ', { url }, keyed)).status, 201);
});

testBoth('secrets are in the responses to creation and rotation, and nowhere else', async (app, t) => {
  const { ask, url } = await start(t, app);
  const made = await ask('POST ', { url, signingSecret: 'first-secret', verifyToken: 'sesame' });
  assert.deepEqual([made.body.signingSecret, made.body.verifyToken], ['first-secret', 'sesame']);
  const { id } = made.body;
  const typed = await ask(`POST /${id}/rotate-secret`, { signingSecret: 'second-secret' });
  assert.deepEqual([typed.body.signingSecret, typed.body.hasPendingSecret], ['second-secret', true]);
  const others = [
    await ask('GET '),
    await ask(`GET /${id}`),
    await ask(`PATCH /${id}`, { events: ['post.created'] }),
    await ask(`POST /${id}/test`),
    await ask(`POST /${id}/settle-secret`, { use: 'new' }),
    await ask(`POST /${id}/enable`),
    await ask(`POST /${id}/disable`),
  ];
  const [{ id: delivery }] = (await ask(`GET /${id}/deliveries`)).body.deliveries;
  others.push(await ask(`GET /${id}/deliveries/${delivery}`));
  for (const { status, body } of others) {
    assert.equal(status, 200);
    assert.doesNotMatch(JSON.stringify(body), /first-secret|second-secret|sesame/);
  }
  assert.deepEqual(app.logged, [], 'what is done with a key is no reason for a warning');
  assert.equal((await ask(`POST /${id}/rotate-secret`, { signingSecret: null })).body.hasSigningSecret, false);
  const leaked = await ask(`POST /${id}/rotate-secret`, { immediately: true });
  assert.deepEqual([leaked.body.hasPendingSecret, leaked.body.signingSecret.length], [false, 50]);
});

testBoth('everything in a request is limited: at the limit it is taken, above it is refused', async (app, t) => {
  const { ask, url } = await start(t, app);
  const of = (length: number) => `${url}/${'x'.repeat(length - url.length - 1)}`;
  const make = (body: object) => ask('POST ', { enable: false, ...body });
  const padded = (bytes: number) => {
    const text = JSON.stringify({ url, enable: false });
    return { raw: text + ' '.repeat(bytes - text.length) };
  };
  const { id } = (await make({ url })).body;
  const filter = (search: string) => ask(`GET /${id}/deliveries?${search}`);
  const nested = (depth: number) => ({ raw: `{"url":${'['.repeat(depth)}${']'.repeat(depth)}}` });
  const cases: [string, () => Promise<Reply>, number, string | null][] = [
    ['bytes below', () => ask('POST ', null, padded(MAX_WEBHOOK_BYTES - 1)), 201, null],
    ['bytes', () => ask('POST ', null, padded(MAX_WEBHOOK_BYTES)), 201, null],
    ['bytes above', () => ask('POST ', null, padded(MAX_WEBHOOK_BYTES + 1)), 413, null],
    ['url below', () => make({ url: of(2_047) }), 201, null],
    ['url', () => make({ url: of(2_048) }), 201, null],
    ['url above', () => make({ url: of(2_049) }), 400, 'url'],
    ['secret below', () => make({ url, signingSecret: '🔑'.repeat(199) }), 201, null],
    ['secret', () => make({ url, signingSecret: '🔑'.repeat(200) }), 201, null],
    ['secret above', () => make({ url, signingSecret: '🔑'.repeat(201) }), 400, 'signingSecret'],
    ['token above', () => make({ url, verifyToken: 'x'.repeat(201) }), 400, 'verifyToken'],
    ['no secret', () => make({ url, signingSecret: '' }), 400, 'signingSecret'],
    ['events below', () => make({ url, events: eventTypes.slice(1) }), 201, null],
    ['events', () => make({ url, events: eventTypes }), 201, null],
    ['events above', () => make({ url, events: [...eventTypes, 'post.created'] }), 400, 'events'],
    ['no events', () => make({ url, events: [] }), 400, 'events'],
    ['another event', () => make({ url, events: ['post.eaten'] }), 400, 'events'],
    ['nesting', () => ask('POST ', null, nested(1)), 400, 'url'],
    ['deep nesting', () => ask('POST ', null, nested(8_000)), 400, 'url'],
    ['another property', () => make({ url, color: 'red' }), 400, null],
    ['a prototype', () => ask('POST ', null, { raw: `{"url":"${url}","__proto__":{"enable":false}}` }), 400, null],
    ['no object', () => ask('POST ', [1]), 400, null],
    ['an empty list, which stands for none', () => ask('POST ', []), 400, 'url'],
    ['no JSON', () => ask('POST ', null, { raw: '{' }), 400, null],
    ['another type', () => ask('POST ', { url }, { headers: { 'content-type': 'text/plain' } }), 415, 'content-type'],
    ['limit below', () => filter('limit=1'), 200, null],
    ['limit', () => filter('limit=100'), 200, null],
    ['limit above', () => filter('limit=101'), 400, 'limit'],
    ['no limit', () => filter('limit=0'), 400, 'limit'],
    ['a state', () => filter('state=given_up&event=test'), 200, null],
    ['another state', () => filter('state=lost'), 400, 'state'],
    ['another cursor', () => filter('cursor=x'), 400, 'cursor'],
    ['another parameter', () => filter('sort=up'), 400, null],
  ];
  for (const [name, send, status, field] of cases) {
    const reply = await send();
    assert.deepEqual([reply.status, reply.field], [status, field], `${name}: ${JSON.stringify(reply.body)}`);
    if (status === 413) assert.match(reply.body.errors[0].message, /limit of 16 KiB/);
    const size = JSON.stringify(reply.body?.errors?.[0].message ?? '').length;
    assert.ok(size < 600, `${name}: the message is short`);
  }
  const { webhooks } = (await ask('GET ')).body;
  for (let n = webhooks.length; n < WEBHOOKS_PER_BOARD; n++) assert.equal((await make({ url })).status, 201);
  assert.deepEqual((await make({ url })).code, 'CONFLICT');
});

testBoth('a webhook goes where the settings allow, and requests that wait for receivers are few', async (app, t) => {
  const { ask, url, how } = await start(t, app);
  for (const private_ of [
    'http://10.0.0.1/',
    'http://169.254.169.254/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
  ]) {
    const { status, field, body } = await ask('POST ', { url: private_ });
    assert.deepEqual([status, field], [400, 'url'], private_);
    assert.match(body.errors[0].message, /address not allowed/);
  }
  assert.match((await ask('POST ', { url: 'http://board.test/x' })).body.errors[0].message, /URL of the board itself/);
  const { id } = (await ask('POST ', { url })).body;
  let release = () => {};
  how.wait = new Promise((resolve) => {
    release = resolve;
  });
  const tests = Array.from({ length: MAX_WAITING + 1 }, () => ask(`POST /${id}/test`));
  const refused = await Promise.race(tests);
  assert.deepEqual([refused.code, refused.headers['retry-after']], ['RATE_LIMIT_EXCEEDED', '1']);
  assert.equal((await ask(`GET /${id}`)).status, 200, 'what does not wait is answered');
  release();
  const statuses = (await Promise.all(tests)).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), [...Array(MAX_WAITING).fill(200), 429]);
  assert.equal((await ask(`POST /${id}/test`)).status, 200);
});

testBoth('requests about webhooks count against the limits of their key', async (app, t) => {
  const { ask } = await start(t, app);
  const key = await app.makeKey({ permissions: ['WEBHOOKS'], rateRules: [{ seconds: 60, limit: 1 }] });
  const first = await ask('GET ', undefined, { key });
  assert.deepEqual([first.status, first.headers['ratelimit-policy']], [200, '"60s";q=1;w=60']);
  const second = await ask('GET ', undefined, { key });
  assert.deepEqual([second.status, second.code], [429, 'RATE_LIMIT_EXCEEDED']);
  assert.ok(Number(second.headers['retry-after']) > 0);
});
