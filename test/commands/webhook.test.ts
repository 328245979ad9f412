import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventTypes } from '../../src/feedback/event-log/event-types.ts';
import { runHere, testCommandLine } from '../support/command-line.ts';
import { type Received, startReceiver } from '../support/receiver.ts';

/** A receiver that confirms and accepts unless a test tells it otherwise. */
async function startTalkative(t: TestContext) {
  const says = { get: (challenge: string): [number, string] => [200, challenge], post: 200 };
  const { origin, received } = await startReceiver(t, ({ method, url }, response) => {
    const challenge = new URL(url, 'http://receiver').searchParams.get('hub.challenge') ?? '';
    const [status, body] = method === 'GET' ? says.get(challenge) : [says.post, ''];
    response.writeHead(status).end(body);
  });
  const posts = () => received.filter(({ method }: Received) => method === 'POST');
  return { url: `${origin}/in`, says, received, posts };
}

testCommandLine('a webhook is created disabled, listed, shown, changed and deleted', async ({ run, json }, t) => {
  const { url, received } = await startTalkative(t);
  await json('board', 'create', '--name', 'Acme');
  assert.deepEqual(await json('webhook', 'list'), { items: [] });
  assert.match((await run('webhook', 'list')).stdout, /No webhooks yet/);

  const created = await json('webhook', 'create', '--url', `${url}#part`, '--events', 'post.created, comment.created');
  assert.match(created.id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(
    [created.url, created.state, created.events],
    [url, 'disabled', ['post.created', 'comment.created']],
  );
  assert.match(created.warning, /^Without https/);
  assert.ok(!('verification' in created));
  assert.deepEqual((await json('webhook', 'list')).items, [created]);
  assert.deepEqual(await json('webhook', 'show', created.id), created);
  assert.match(
    (await run('webhook', 'show', created.id)).stdout,
    /disabled\n {2}to http.*\n {2}events: post.created, /,
  );

  const changed = await json('webhook', 'update', created.id, '--url', `${url}/2`, '--events', eventTypes.join(','));
  assert.deepEqual([changed.url, changed.events], [`${url}/2`, [...eventTypes]]);
  assert.equal((await json('webhook', 'create', '--url', url)).events.length, eventTypes.length);
  assert.match((await run('webhook', 'list')).stdout, /127\.0\.0\.1 {2}disabled {2}.*never\n/);
  assert.equal((await json('webhook', 'delete', created.id)).id, created.id);
  assert.deepEqual(await run('webhook', 'show', created.id), { status: 1, stdout: '', stderr: 'Webhook not found\n' });
  assert.equal(received.length, 0);
});

testCommandLine('a chat is greeted, takes filters by name, and keeps its URL to itself', async ({ run, json }, t) => {
  const { url, posts } = await startTalkative(t);
  await json('board', 'create', '--name', 'Acme');
  const secret = `${url}/T0SECRET/B0SECRET/abcdefghijklmnop`;
  const kind = ['--kind', 'slack', '--statuses', 'Planned, In progress'];
  const created = await json('webhook', 'create', '--url', secret, ...kind, '--enable');
  assert.deepEqual(
    [created.kind, created.state, created.statusIds.length, created.tagIds],
    ['SLACK', 'active', 2, null],
  );
  assert.match(created.url, /^http:\/\/127\.0\.0\.1:\d+\/\*\*\*mnop$/);
  assert.match(posts()[0]?.body.toString() ?? '', /Earshot is connected to Acme/);
  const changed = await json('webhook', 'update', created.id, '--statuses', 'all', '--events', 'comment.created');
  assert.deepEqual([changed.statusIds, changed.events], [null, ['comment.created']]);
  const shown = await run('webhook', 'show', created.id, '--json');
  assert.doesNotMatch(JSON.stringify([created, shown.stdout]), /T0SECRET|abcdefgh/);
  const unknown = await run('webhook', 'update', created.id, '--tags', 'Nowhere');
  assert.deepEqual([unknown.status, unknown.stderr], [1, 'tags: the board has no "Nowhere"\n']);
  assert.equal((await run('webhook', 'create', '--url', url, '--kind', 'fax')).status, 2);
});

testCommandLine(
  '--enable and enable verify: success enables, a failure reports the reason and ends with status 1',
  async ({ run, json }, t) => {
    const { url, says, received } = await startTalkative(t);
    await json('board', 'create', '--name', 'Acme');
    const enabled = await json('webhook', 'create', '--url', url, '--verify-token', 'sesame', '--enable');
    assert.deepEqual(
      [enabled.state, enabled.verification.ok, enabled.verification.outcome],
      ['active', true, 'verified'],
    );
    assert.equal((await json('webhook', 'disable', enabled.id)).state, 'disabled');
    assert.equal((await json('webhook', 'enable', enabled.id)).verification.ok, true);
    const again = await json('webhook', 'enable', enabled.id);
    assert.deepEqual([again.state, again.verification.ok, received.length], ['active', true, 3]);

    says.get = (challenge) => [200, JSON.stringify(challenge)];
    const create = ['webhook', 'create', '--url', `${url}/2`, '--verify-token', 'sesame', '--enable', '--json'];
    const failed = await run(...create);
    const { id, state, verification } = JSON.parse(failed.stdout);
    assert.deepEqual([failed.status, state, verification.ok], [1, 'disabled', false]);
    assert.equal(verification.outcome, 'answered 200 with quotes');
    assert.match(verification.reason, /^It sent the challenge inside JSON quotes: /);
    assert.match(verification.request.url, /hub\.verify_token=•••$/);
    assert.deepEqual([verification.answer.status, verification.answer.body.length], [200, 45]);
    assert.equal(typeof verification.timings.total, 'number');
    const next = `Once that is fixed: \`webhook enable ${id}\``;
    const sentence = `The verification failed, so the webhook stays disabled. ${verification.reason} ${next}\n`;
    assert.equal(failed.stderr, sentence);
    const inWords = await run('webhook', 'enable', id);
    assert.deepEqual([inWords.status, inWords.stderr], [1, sentence]);
    const repeated = await run(...create);
    assert.deepEqual([repeated.status, repeated.stdout], [1, '']);
    assert.match(repeated.stderr, new RegExp(`^There is already a disabled webhook with this URL: .*${id}`));
    assert.equal((await json('webhook', 'list')).items.length, 2, 'a try that failed leaves one webhook');

    const moved = await run('webhook', 'update', enabled.id, '--url', `${url}/new`, '--json');
    assert.deepEqual([moved.status, JSON.parse(moved.stdout).url], [1, url]);
    assert.match(moved.stderr, /^The verification failed, so nothing was changed\. It sent/);
  },
);

testCommandLine(
  'a test reports its result; its delivery is in the log and cannot be replayed',
  async ({ run, json }, t) => {
    const { url, says, posts } = await startTalkative(t);
    await json('board', 'create', '--name', 'Acme');
    const { id } = await json('webhook', 'create', '--url', url, '--signing-secret', 'first', '--enable');
    const tested = await json('webhook', 'test', id);
    assert.deepEqual([tested.ok, tested.outcome, tested.status], [true, 'delivered', 200]);
    assert.match(tested.reason, /^It answered 200 after /);
    assert.deepEqual(
      [posts()[0]?.headers['x-earshot-event'], JSON.parse(`${posts()[0]?.body}`).event],
      ['test', 'test'],
    );

    says.post = 503;
    const failed = await run('webhook', 'test', id, '--json');
    assert.deepEqual([failed.status, JSON.parse(failed.stdout).ok, JSON.parse(failed.stdout).status], [1, false, 503]);
    assert.match(failed.stderr, /^answered 503: It answered 503: [^\n]+\n$/);
    const { items } = await json('webhook', 'deliveries', id);
    assert.deepEqual(
      items.map(({ event, state, attempts, outcome }: Record<string, unknown>) => [event, state, attempts, outcome]),
      [
        ['test', 'given_up', 1, 'answered 503'],
        ['test', 'delivered', 1, 'delivered'],
      ],
    );
    assert.equal(items[1].id, tested.id);
    assert.match((await run('webhook', 'replay', tested.id)).stderr, /This was a test: send a new one/);
    await json('webhook', 'disable', id);
    assert.match((await run('webhook', 'test', id)).stderr, /The webhook is disabled: enable it first/);
  },
);

testCommandLine('what waits is listed and filtered, and what was skipped is replayed', async ({ run, json }, t) => {
  const { url } = await startTalkative(t);
  await json('board', 'create', '--name', 'Acme');
  const { id } = await json('webhook', 'create', '--url', url, '--events', 'post.created', '--enable');
  await json('seed', '--posts', '3');
  const { items } = await json('webhook', 'deliveries', id);
  assert.equal(items.length, 3);
  assert.deepEqual(Object.keys(items[0]).slice(0, 7), [
    'id',
    'event',
    'eventId',
    'postId',
    'state',
    'attempts',
    'outcome',
  ]);
  assert.deepEqual([items[0].state, items[0].attempts, items[0].outcome], ['waiting', 0, null]);
  const listed = async (...filter: string[]) => (await json('webhook', 'deliveries', id, ...filter)).items.length;
  assert.deepEqual(
    [await listed('--state', 'delivered'), await listed('--event', 'post.created'), await listed('--event', 'test')],
    [0, 3, 0],
  );
  const [first, ...rest] = items.map((item: { id: string }) => item.id);
  const page = (await json('webhook', 'deliveries', id, '--before', first, '--limit', '1')).items;
  assert.deepEqual(
    page.map((item: { id: string }) => item.id),
    rest.slice(0, 1),
  );

  await json('webhook', 'disable', id);
  assert.match((await run('webhook', 'replay', first)).stderr, /The webhook is disabled: enable it first/);
  await json('webhook', 'enable', id, '--backlog', 'skip');
  assert.equal(await listed('--state', 'skipped'), 3);
  const replayed = await json('webhook', 'replay', first);
  assert.deepEqual([replayed.id, replayed.state], [first, 'waiting']);
  assert.deepEqual(await json('webhook', 'replay', id, '--missed', '--since', '2999-01-01'), { replayed: 0 });
  assert.deepEqual(await json('webhook', 'replay', id, '--missed'), { replayed: 2 });
  assert.equal(await listed('--state', 'waiting'), 3);
  const missing = await run('webhook', 'replay', 'nope');
  assert.deepEqual(missing, { status: 1, stdout: '', stderr: 'Delivery not found\n' });
});

testCommandLine('mistakes are reported in one line', async ({ run, json }) => {
  await json('board', 'create', '--name', 'Acme');
  const url = 'http://127.0.0.1:9/in';
  const cases: [args: string[], words: RegExp][] = [
    [
      ['create', '--url', url, '--events', 'post.liked'],
      /^There is no event "post.liked"; the events are post.created, /,
    ],
    [['create', '--url', url, '--events', ''], /^There is no event ""/],
    [
      ['create', '--url', url, '--events', `post.created,${'x'.repeat(51)}`],
      /^There is no event "x{49}…"; the events are /,
    ],
    [['create', '--url', url, '--verify-token', ''], /^verifyToken must have 1 to 200 characters; it has 0/],
    [['create', '--url', url, '--signing-secret', 'x'.repeat(201)], /^signingSecret must have .* it has 201/],
    [['create', '--url', url, '--signing-secret', 'a\nb'], /^signingSecret must not contain control characters/],
    [['create', '--url', url, '--board', 'nope'], /^There is no board nope/],
    [['show', 'nope'], /^Webhook not found/],
    [['deliveries', '01a1fca3-3336-7723-96f3-a2fb29dd7632'], /^Webhook not found/],
  ];
  for (const [args, words] of cases) {
    const { status, stdout, stderr } = await run('webhook', ...args);
    assert.deepEqual([status, stdout], [1, ''], args.join(' '));
    assert.match(stderr, words);
    assert.equal(stderr.split('\n').length, 2, stderr);
  }
  for (let n = 0; n < 20; n++) await json('webhook', 'create', '--url', url);
  assert.match((await run('webhook', 'create', '--url', url)).stderr, /^A board has at most 20 webhooks/);
});

test('wrong usage of webhook ends with status 2, and every command of it has a help text', async () => {
  const wrong = [
    [],
    ['nope'],
    ['create'],
    ['show'],
    ['enable', 'id', '--backlog', 'burn'],
    ['deliveries', 'id', '--state', 'lost'],
    ['deliveries', 'id', '--event', 'post.creatd'],
    ['deliveries', 'id', '--limit', '0'],
    ['replay'],
    ['replay', 'id', '--missed', '--since', 'yesterday'],
    ['replay', 'id', '--missed', '--since', '2026-02-30'],
  ];
  for (const args of wrong) {
    const { status, stdout, stderr } = await runHere(['webhook', ...args], {});
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    assert.match(stderr, /--help|Usage/);
  }
  const commands = 'create list show update enable disable test delete deliveries replay'.split(' ');
  for (const command of commands) {
    const { status, stdout } = await runHere(['webhook', command, '--help'], {});
    assert.equal(status, 0);
    assert.match(stdout, /^Usage: earshot webhook/);
  }
});
