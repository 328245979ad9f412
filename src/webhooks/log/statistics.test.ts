import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testBoth } from '../../../test/support/app.ts';
import { startDelivering } from '../../../test/support/delivering.ts';
import { startReceiver } from '../../../test/support/receiver.ts';
import { testWeb } from '../../../test/support/web.ts';
import { toWords } from '../../cli/webhook/output.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { countBacklog } from '../delivery/backlog.ts';
import { describeWebhook } from '../managing/describing.ts';
import { disableWebhook } from '../managing/enabling.ts';
import { testWebhook } from '../managing/testing.ts';
import { listWebhooks, requireWebhook } from '../webhook/webhooks.ts';
import { countAttempts, countAttemptsByHour, findMedianTime, isSlowMedian, withLastSuccess } from './statistics.ts';

testBoth('the numbers of a webhook are of the attempts of 24 hours, without tests', async (app, t) => {
  const { clock, db, board } = app;
  const answers = { status: 200 };
  const { origin } = await startReceiver(t, ({ method, url }, response) => {
    if (method === 'GET') response.end(new URL(url, origin).searchParams.get('hub.challenge'));
    else response.writeHead(answers.status).end();
  });
  const { context, sender, addWebhook, settled } = startDelivering(t, app);
  const { id } = await addWebhook({ url: `${origin}/hook` });
  const read = async () => ({
    counts: (await countAttempts(db.read, board.id, clock.now())).get(id),
    hours: await countAttemptsByHour(db.read, board.id, id, clock.now()),
    median: await findMedianTime(db.read, board.id, id, clock.now()),
    waiting: await countBacklog(db.read, board.id, id),
  });
  const announce = async (status: number) => {
    answers.status = status;
    await app.makePost('Post');
    await settled();
  };

  assert.deepEqual(await read(), { counts: undefined, hours: [], median: null, waiting: 0 });
  await announce(200);
  clock.advance(3 * HOUR_MS);
  await announce(204);
  await announce(500);
  await testWebhook(context, sender, id);
  const { counts, hours, median, waiting } = await read();
  assert.deepEqual(counts, { attempts: 3, delivered: 2 });
  assert.deepEqual(
    hours.toSorted((a, b) => a.hoursAgo - b.hoursAgo),
    [
      { hoursAgo: 0, attempts: 2, delivered: 1 },
      { hoursAgo: 3, attempts: 1, delivered: 1 },
    ],
  );
  assert.ok(median !== null && median > 0);
  assert.equal(waiting, 1);
  await disableWebhook(context, id);
  clock.advance(DAY_MS);
  assert.deepEqual(await read(), { counts: undefined, hours: [], median: null, waiting: 1 });
});

testBoth('the last success is the latest of all, also within the minute of another', async (app, t) => {
  const { clock, db, board } = app;
  let status = 200;
  const { origin } = await startReceiver(t, ({ method, url }, response) => {
    if (method === 'GET') response.end(new URL(url, origin).searchParams.get('hub.challenge'));
    else response.writeHead(status).end();
  });
  const { context, sender, addWebhook, settled } = startDelivering(t, app);
  const { id } = await addWebhook({ url: `${origin}/hook` });
  const other = await addWebhook({ url: `${origin}/other`, events: ['post.deleted'] });
  const read = async () => {
    const rows = await withLastSuccess(db.read, await listWebhooks(db.read, board.id));
    return new Map(rows.map((row) => [row.id, row.date_last_success]));
  };
  const announce = async (answer: number) => {
    status = answer;
    await app.makePost('Post');
    await settled();
  };

  assert.equal((await read()).get(id), null);
  for (const wait of [0, 1, 58_998, 1, 1, 1, 59_999, 60_000, 60_001]) {
    clock.advance(wait);
    await announce(wait % 2 === 0 ? 200 : 204);
    assert.equal((await read()).get(id), clock.now(), `after ${wait} ms`);
  }
  const last = clock.now();
  clock.advance(SECOND_MS);
  await announce(500);
  status = 200;
  await testWebhook(context, sender, id);
  assert.equal((await read()).get(id), last);
  assert.equal((await read()).get(other.id), null);
});

test('a receiver is slow from a median of half of the time that an attempt has', () => {
  assert.deepEqual([null, 0, 2_499, 2_500, 2_501].map(isSlowMedian), [false, false, false, true, true]);
});

testWeb('the owner is warned of a slow receiver before its attempts fail', async (web, t) => {
  const { origin } = await startReceiver(t, ({ url }, response) =>
    response.end(new URL(url, origin).searchParams.get('hub.challenge')),
  );
  const { addWebhook, settled } = startDelivering(t, web);
  const { id } = await addWebhook({ url: `${origin}/hook` });
  const owner = await web.makeMember('Olga', 'OWNER');
  await web.makePost('Post');
  await settled();
  const page = async () => (await owner.get(`/b/${web.board.pid}/settings/webhooks/${id}`)).body;
  assert.match(await page(), /Median time/);
  assert.doesNotMatch(await page(), /receiver responds slowly/);
  const timings = JSON.stringify({ total: 2_500 });
  await web.db.transaction((tx) => tx.updateTable('attempts').set({ timings }).execute());
  assert.match(await page(), /receiver responds slowly/);
});

testWeb('a webhook of which many deliveries fail is not shown as one that works', async (web, t) => {
  let count = 0;
  const { origin } = await startReceiver(t, ({ method, url }, response) => {
    if (method === 'GET') response.end(new URL(url, origin).searchParams.get('hub.challenge'));
    else response.writeHead(count++ % 2 === 0 ? 200 : 500).end();
  });
  const { addWebhook, settled } = startDelivering(t, web);
  const { id } = await addWebhook({ url: `${origin}/hook` });
  const owner = await web.makeMember('Olga', 'OWNER');
  const list = `/b/${web.board.pid}/settings/webhooks`;
  const pages = async () => [(await owner.get(list)).body, (await owner.get(`${list}/${id}`)).body];
  for (const page of await pages()) assert.match(page, /Active/);
  for (let n = 0; n < 12; n++) {
    await web.makePost(`Post ${n}`);
    await settled();
  }
  const row = await requireWebhook(web.db.read, web.board.id, id);
  const lastDay = (await countAttempts(web.db.read, web.board.id, web.clock.now())).get(id);
  assert.equal(row.state, 'active');
  assert.equal(describeWebhook(row).hasManyFailures, true);
  assert.match(toWords(row, lastDay), /many deliveries fail: 6 of 12 attempts in the last 24 hours/);
  const [inList = '', ofOne = ''] = await pages();
  assert.match(inList, /Many failures/);
  assert.match(ofOne, /Many deliveries fail: 6 of 12 attempts in the last 24 hours/);
});
