import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { type Client, createClient, type EarshotError } from '../../sdk/src/index.ts';
import { startServer } from '../crash/server.ts';
import { onEnd } from '../support/cleanup.ts';
import { makeCommandLine } from '../support/command-line.ts';
import { makeWayTo } from '../support/cut-off.ts';
import { startReceiver } from '../support/receiver.ts';
import { engines, makeStorePlace, type StorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';

const LOST = 4;
const BUSY = 6;
/** Long enough for a server on this machine. */
const LIMIT_MS = 1_000;
const LONGEST_MESSAGE = 4_000_000;

/** A store that a test can make unavailable to its server. */
async function makeFailingPlace(t: TestContext, place: StorePlace) {
  if (place.databaseUrl !== null) {
    const way = await makeWayTo(t, place.databaseUrl);
    return { place: { ...place, databaseUrl: way.url }, fail: way.cut, recover: way.restore };
  }
  const open = () => new DatabaseSync(join(place.dataDir, 'earshot.db'));
  let lock: DatabaseSync | null = null;
  return {
    place,
    fail() {
      lock = open();
      lock.exec('begin immediate');
    },
    recover: () => lock?.close(),
  };
}

/** Follows the events until the signal, and collects their titles. */
async function collectTitles(earshot: Client, signal: AbortSignal, titles: string[]): Promise<unknown> {
  try {
    for await (const event of earshot.follow({ signal })) {
      if (event.event === 'post.created') titles.push(event.data.post.title ?? '');
    }
    return null;
  } catch (error) {
    return error;
  }
}

// They wait most of the time.
describe('a client that lasts', { concurrency: true }, () => {
  for (const engine of engines) {
    test(`what is lost, refused or interrupted is repeated, and done once; followers miss and repeat nothing [${engine}]`, async (t) => {
      const { place, fail, recover } = await makeFailingPlace(t, await makeStorePlace(t, engine));
      const line = makeCommandLine(place);
      await line.json('board', 'create', '--name', 'Acme');
      const { key } = await line.json('key', 'create', '--name', 'all', '--rate', 'none');
      const { key: limited } = await line.json('key', 'create', '--name', 'limited', '--rate', '3/s');
      const server = await startServer(t, place);
      const way = await makeWayTo(t, server.url);
      let retried: string[] = [];
      const options = { url: way.url, as: 'ada', retries: 20, onRetry: ({ code }: EarshotError) => retried.push(code) };
      const earshot = createClient({ ...options, apiKey: key });
      await earshot.createUser({ ssoType: 'SSO', ssoId: 'ada', name: 'Ada' }, { id: true });
      const created: string[] = [];
      const post = (title: string, by = earshot) => {
        created.push(title);
        return by.createPost({ title }, { id: true, title: true });
      };
      const stop = new AbortController();
      onEnd(t, () => stop.abort());
      const followed: string[] = [];
      const following = collectTitles(
        createClient({ ...options, apiKey: key, onRetry: undefined }),
        stop.signal,
        followed,
      );
      await post('First');
      await until('the stream is open', () => followed.length === 1);

      for (let n = 0; n < LOST; n++) {
        way.loseNext(1);
        assert.equal((await post(`Lost ${n}`)).title, `Lost ${n}`);
      }
      assert.ok(retried.length >= LOST - 1, 'one loss may hit the stream');
      assert.deepEqual(new Set(retried), new Set(['NO_RESPONSE']));

      retried = [];
      const busy = createClient({ ...options, apiKey: limited });
      await Promise.all(Array.from({ length: BUSY }, (_, n) => post(`Busy ${n}`, busy)));
      assert.deepEqual(new Set(retried), new Set(['RATE_LIMIT_EXCEEDED']));

      retried = [];
      fail();
      const duringFailure = post('Unavailable');
      await until('the server says so', () => retried.includes('SERVICE_UNAVAILABLE'));
      recover();
      assert.equal((await duringFailure).title, 'Unavailable');

      retried = [];
      const stopping = server.stop();
      const before = Array.from({ length: 5 }, (_, n) => post(`Stopping ${n}`));
      await stopping;
      const after = Array.from({ length: 5 }, (_, n) => post(`Stopped ${n}`));
      await until('it is gone', () => retried.length >= after.length);
      await startServer(t, place, { port: Number(new URL(server.url).port) });
      await Promise.all([...before, ...after]);
      assert.deepEqual(new Set(retried), new Set(['NO_RESPONSE']));

      way.cut();
      way.restore();
      await post('Last');
      await until('all events have come', () => followed.length >= created.length);
      stop.abort();
      assert.equal(((await following) as Error).name, 'AbortError');
      const inOrder = [];
      for await (const { data } of earshot.each.events({ limit: 7 }, { data: true })) {
        inOrder.push((data as { post: { title: string } }).post.title);
      }
      assert.deepEqual(inOrder.toSorted(), created.toSorted());
      assert.deepEqual(followed, inOrder);
    });
  }
});

test('a client refuses an empty key and an invalid URL', () => {
  for (const url of ['', 'feedback.example.com', 'localhost:4000', '/api', 'ftp://a.example', undefined as never]) {
    const expected = { name: 'TypeError', message: /^url must be a URL such as https:/ };
    assert.throws(() => createClient({ url, apiKey: 'esk_' }), expected);
  }
  for (const apiKey of ['', undefined as never]) {
    const expected = { name: 'TypeError', message: 'apiKey is empty or missing' };
    assert.throws(() => createClient({ url: 'http://a.example', apiKey }), expected);
  }
});

test('a client gives up after its number of attempts, and at once when it is aborted', async () => {
  const away = { url: 'http://127.0.0.1:1', apiKey: 'esk_none' };
  const failed: string[] = [];
  const onRetry = ({ code, cause }: EarshotError) => failed.push(`${code} ${cause instanceof Error}`);
  const refused = createClient({ ...away, retries: 1, onRetry }).board({ name: true });
  await assert.rejects(refused, ({ code, status, cause }: EarshotError) => {
    assert.deepEqual([code, status, cause instanceof Error], ['NO_RESPONSE', undefined, true]);
    return true;
  });
  assert.deepEqual(failed, ['NO_RESPONSE true']);
  const patient = createClient({ ...away, retries: 1_000 });
  const gone = new Error('The visitor has left');
  const ended = patient.board({ name: true }, { signal: AbortSignal.abort(gone) });
  await assert.rejects(ended, gone);
  const controller = new AbortController();
  const waiting = patient.board({ name: true }, { signal: controller.signal });
  setTimeout(() => controller.abort(gone), 50);
  await assert.rejects(waiting, gone);
});

test('what a proxy responds in place of the server is repeated if it passes, and otherwise reported', async (t) => {
  const say = (status: number, headers: Record<string, string> = {}, body = '<h1>Sorry</h1>') => {
    return (response: ServerResponse) => response.writeHead(status, headers).end(body);
  };
  let answers: ((response: ServerResponse) => unknown)[] = [];
  const { origin, received } = await startReceiver(t, (_, response) => answers.shift()?.(response));
  const waits: number[] = [];
  const onRetry = (_: EarshotError, seconds: number) => waits.push(seconds);
  const earshot = createClient({ url: origin, apiKey: 'esk_', retries: 3, onRetry });
  const soon = new Date(Date.now() + 1_500).toUTCString();
  answers = [say(502), say(503, { 'retry-after': soon }), say(200, {}, '{"data":{"board":{"name":"Acme"}}}')];
  assert.deepEqual(await earshot.board({ name: true }), { name: 'Acme' });
  const [first = 0, second = 0] = waits;
  assert.ok(first >= 0.25 && first <= 0.5 && second > 0 && second < 2, `${waits}`);
  const failures: [(response: ServerResponse) => unknown, Partial<EarshotError>][] = [
    [say(404), { code: 'UNEXPECTED_RESPONSE', status: 404 }],
    [say(200, {}, '{"errors":[{"message":"Not Earshot"}]}'), { code: 'UNEXPECTED_RESPONSE', message: 'Not Earshot' }],
    [say(302, { location: 'https://a.example/' }), { message: 'The server redirects to https://a.example/' }],
    [say(429, { 'retry-after': '3600' }), { code: 'UNEXPECTED_RESPONSE', retryAfter: 3_600 }],
    [() => {}, { code: 'NO_RESPONSE', message: `No response within ${LIMIT_MS} ms` }],
  ];
  for (const [answer, expected] of failures) {
    answers = [answer];
    const before = received.length;
    const retries = expected.code === 'NO_RESPONSE' ? 0 : 3;
    await assert.rejects(earshot.board({ name: true }, { timeoutMs: LIMIT_MS, retries }), expected);
    assert.equal(received.length, before + 1);
  }
});

test('a stream that is not one of the server is waited for within limits, and no event is skipped', async (t) => {
  let answer: (response: ServerResponse) => unknown;
  const { origin, received } = await startReceiver(t, (_, response) => answer(response));
  const say = (text: string) => (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
  /** What was read, how it ended, and the first pause if there was one. */
  const follow = async (saying: typeof answer, apiKey = 'esk_') => {
    answer = saying;
    const stop = new AbortController();
    let pause: number | undefined;
    const onRetry = (_: EarshotError, seconds: number) => {
      pause = seconds;
      stop.abort();
    };
    const stream = createClient({ url: origin, apiKey, onRetry }).follow({ signal: stop.signal });
    const events: unknown[] = [];
    try {
      for await (const event of stream) events.push(event);
      throw new Error('The stream ended');
    } catch (failure) {
      return { events, pause, failure: failure as EarshotError, cursor: stream.cursor };
    }
  };
  const busy = (seconds: string) => (response: ServerResponse) =>
    response.writeHead(429, { 'retry-after': seconds }).end();
  const pauses: [typeof answer, number, number][] = [
    [say('retry: x\n\n'), 1.5, 3],
    [say('retry: 4000\nretry: -1\n\n'), 2, 4],
    [say('retry: 99999999999999\n\n'), 15, 60],
    [busy('59'), 59, 71],
    [busy('60'), 60, 72],
    [busy('61'), 60, 72],
    [busy('9999999999'), 60, 72],
  ];
  for (const [saying, least, most] of pauses) {
    const { pause = -1 } = await follow(saying);
    assert.ok(pause >= least && pause <= most, `${pause} is not from ${least} to ${most}`);
  }

  const before = received.length;
  const invalid = await follow(say(''), 'esk_\n1');
  assert.deepEqual([invalid.failure instanceof TypeError, invalid.pause], [true, undefined]);
  assert.equal(received.length, before);

  const broken = await follow(say('id: c1\ndata: {"event":"test"}\n\nid: c2\ndata: {"event\n\n'));
  assert.deepEqual(broken.events, [{ event: 'test', cursor: 'c1' }]);
  assert.deepEqual([broken.failure.code, broken.cursor, broken.pause], ['UNEXPECTED_RESPONSE', 'c1', undefined]);
  assert.equal(broken.failure.message, 'The event after cursor c1 is not JSON');

  for (const length of [LONGEST_MESSAGE - 1, LONGEST_MESSAGE]) {
    assert.equal((await follow(say(':'.repeat(length)))).failure.name, 'AbortError');
  }
  const { failure } = await follow(say(':'.repeat(LONGEST_MESSAGE + 1)));
  assert.deepEqual(
    [failure.code, failure.message],
    ['UNEXPECTED_RESPONSE', 'A message has more than 4000000 characters'],
  );
});
