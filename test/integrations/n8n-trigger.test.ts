import assert from 'node:assert/strict';
import { BoardError } from '../../integrations/n8n/nodes/shared/asking.ts';
import { EVENT_TYPES, MAX_PAGES, PAGE_SIZE, readSamples } from '../../integrations/n8n/nodes/shared/polling.ts';
import { removeOldEvents } from '../../src/events/retention.ts';
import { eventTypes } from '../../src/feedback/event-log/event-types.ts';
import { DAY_MS, HOUR_MS } from '../../src/platform/lib/clock.ts';
import { testBoth, testOnce } from '../support/app.ts';
import { connectTo, Flow } from './n8n-support.ts';

testBoth('a flow that was off for an hour gets everything since, in order and once', async (app) => {
  const { ask } = await connectTo(app);
  await app.makePost('Before');
  const flow = new Flow(ask, { types: ['post.created'] });
  assert.deepEqual(await flow.poll(), []);
  await app.makePost('Running');
  assert.deepEqual(await flow.poll(), ['Running']);
  app.clock.advance(HOUR_MS);
  const titles = Array.from({ length: 200 }, (_, n) => `Idea ${n}`);
  for (const title of titles) await app.makePost(title);
  assert.deepEqual(await flow.poll(), titles);
  assert.deepEqual(await flow.poll(), []);
  assert.equal(new Set(flow.received.map(({ id }) => id)).size, 201);
});

testOnce('a poll reads a limited number of pages, and the next one continues there', async (app) => {
  const { ask } = await connectTo(app);
  const flow = new Flow(ask);
  await flow.poll();
  const wanted = PAGE_SIZE * MAX_PAGES + 7;
  for (let n = 0; n < wanted; n += 20) {
    const fields = Array.from(
      { length: Math.min(20, wanted - n) },
      (_, m) => `p${m}: createPost(title: "${n + m}") { id }`,
    );
    await app.ask(`mutation { ${fields.join(' ')} }`);
  }
  const [first, second] = [await flow.poll(), await flow.poll()];
  assert.deepEqual([first.length, second.length], [PAGE_SIZE * MAX_PAGES, 7]);
  assert.deepEqual(
    [...first, ...second],
    Array.from({ length: wanted }, (_, n) => String(n)),
  );
});

testOnce('a poll that has no more time leaves the next page to the next one', async (app) => {
  const { ask } = await connectTo(app);
  const flow = new Flow(ask, { hasTime: () => false });
  await flow.poll();
  for (let n = 0; n < PAGE_SIZE + 1; n++) await app.makePost(`${n}`);
  assert.deepEqual([(await flow.poll()).length, (await flow.poll()).length], [PAGE_SIZE, 1]);
});

testOnce('what was read before an error is handed over, and the rest comes with the next poll', async (app) => {
  const played = await connectTo(app);
  const flow = new Flow(played.ask);
  await flow.poll();
  for (let n = 0; n < PAGE_SIZE + 1; n++) await app.makePost(`${n}`);
  const { send } = played.connection;
  let requests = 0;
  played.connection.send = (...args) => {
    requests++;
    if (requests === 1) return send(...args);
    return requests === 2 ? Promise.reject(new Error('socket hang up')) : send(...args);
  };
  assert.equal((await flow.poll()).length, PAGE_SIZE);
  assert.deepEqual(await flow.poll(), [`${PAGE_SIZE}`]);
});

testOnce(
  'a cursor whose events are no longer kept is an error that says so, or is passed over by choice',
  async (app) => {
    const { ask } = await connectTo(app);
    const flow = new Flow(ask);
    await flow.poll();
    await app.makePost('Lost');
    app.clock.advance(40 * DAY_MS);
    await app.makePost('Kept');
    await removeOldEvents(app.db, app.clock.now(), 30);
    await assert.rejects(flow.poll(), (error) => {
      assert.ok(error instanceof BoardError);
      assert.deepEqual([error.code, /off for longer/.test(error.help)], ['CURSOR_EXPIRED', true]);
      return true;
    });
    const continuing = new Flow(ask, { continuesAfterGap: true });
    continuing.cursor = flow.cursor;
    assert.deepEqual([await continuing.poll(), await continuing.poll()], [['Kept'], []]);
  },
);

testOnce('a flow waits as long as the rate limit asks', async (app) => {
  const key = await app.makeKey({ rateRules: [{ seconds: 60, limit: 1 }] });
  const { ask, pauses } = await connectTo(app, 'ada', key);
  const flow = new Flow(ask);
  await flow.poll();
  await app.makePost('Dark mode');
  assert.deepEqual(await flow.poll(), ['Dark mode']);
  assert.ok(pauses.length === 1 && Number(pauses[0]) <= 60_000);
});

testOnce('the samples of a flow are what has happened last, of the types it wants', async (app) => {
  const { ask } = await connectTo(app);
  const id = await app.makePost('Dark mode');
  app.clock.advance(1_000);
  await app.api.createComment({ postId: id, text: 'Please!' });
  const types = async (wanted: string[]) => (await readSamples(ask, { types: wanted })).map(({ event }) => event);
  assert.deepEqual(await types([]), ['comment.created', 'post.created']);
  assert.deepEqual(await types(['post.created']), ['post.created']);
});

testOnce('the trigger offers the events that there are', async () => {
  assert.deepEqual(Object.keys(EVENT_TYPES).sort(), [...eventTypes].sort());
});
