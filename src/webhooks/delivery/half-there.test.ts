import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { isLong } from '../../../test/support/rounds.ts';
import { comment, type ReceivedEvent, testWebhooks, type WebhookApp } from '../../../test/support/webhooks.ts';
import { HOUR_MS, SECOND_MS } from '../../platform/lib/clock.ts';

/** Events a second, and for how long. */
const LOADS = isLong
  ? [
      { perSecond: 5, seconds: 3_600 },
      { perSecond: 50, seconds: 60 },
    ]
  : [{ perSecond: 5, seconds: 30 }];
const STEP_MS = 5 * SECOND_MS;

/** Whether a receiver that fails for this share of its attempts fails for this one: always the same. */
function fails(share: number, { id, attempt }: ReceivedEvent): boolean {
  return Number.parseInt(hash('sha256', `${id} ${attempt}`).slice(0, 8), 16) / 2 ** 32 < share;
}

/** The share of attempts that fail, and what share of the events may still wait after an hour: of many, one fails ten times in a row. */
for (const [share, most] of [
  [0.1, 0],
  [0.2, 0],
  [0.5, 0.02],
  [0.8, 0.5],
] as const) {
  for (const { perSecond, seconds } of LOADS) {
    const load = `${share * 100} % of its attempts at ${perSecond} events/s for ${seconds} s`;
    testWebhooks(`a receiver that fails for ${load} gets every event, and no other waits`, async (app, t) => {
      await app.api.createUser({ ssoType: 'SSO', ssoId: 'ada', email: 'ada@acme.example' });
      const half = await app.makeWebhook({ events: ['comment.created'] });
      const healthy = await app.makeWebhook({ url: `${half.url}?healthy`, events: ['comment.created'] });
      app.reply((event) => (!event.request.url.includes('healthy') && fails(share, event) ? 500 : 200));
      const posts = await Promise.all(Array.from({ length: 20 }, (_, n) => app.makePost(`Post ${n}`)));
      for (let n = 0; n < perSecond * seconds; n++) {
        await comment(app, posts[n % posts.length] ?? '', `Comment ${n}`);
        if (n % perSecond === 0) await app.pass(SECOND_MS);
      }
      await app.pass();
      assert.equal((await stateOf(app, healthy.id)).waiting, 0);
      const { waiting: behind } = await stateOf(app, half.id);
      let waitedMs = 0;
      for (; (await stateOf(app, half.id)).waiting > 0 && waitedMs < HOUR_MS; waitedMs += STEP_MS)
        await app.pass(STEP_MS);
      const { waiting, delivered, others, longestMs } = await stateOf(app, half.id);
      const mails = app.mailServer.mails.map(({ headers }) => headers.subject);
      const { state } = await app.webhook(half.id);
      t.diagnostic(
        `${load}: ${behind} waited after the last event, ${waiting} of ${delivered + waiting} ${waitedMs / SECOND_MS} s later; ` +
          `the longest delay is ${longestMs / SECOND_MS} s; ${mails.length} mails; it is ${state}`,
      );
      // What is left of the last has few beside it that succeed, and is tried on the usual schedule.
      assert.ok(waiting <= most * perSecond * Math.min(seconds, 60), `${waiting} wait`);
      assert.equal(others, 0);
      // A pair an hour.
      assert.ok(mails.length <= 2 * Math.ceil((seconds * SECOND_MS + waitedMs) / HOUR_MS), mails.join());
    });
  }
}

/** How many deliveries of a webhook wait, have arrived or are in any other state; and how long the slowest took. */
async function stateOf({ db }: WebhookApp, webhookId: string) {
  const rows = await db.read
    .selectFrom('deliveries')
    .select((e) => ['state', e.fn.countAll<number>().as('count')])
    .select((e) => e.fn.max<number | null>(e('date_done', '-', e.ref('date_created'))).as('longest'))
    .where('webhook_id', '=', webhookId)
    .groupBy('state')
    .execute();
  const of = (state: string) => Number(rows.find((row) => row.state === state)?.count ?? 0);
  const all = rows.reduce((sum, { count }) => sum + Number(count), 0);
  const [waiting, delivered] = [of('waiting'), of('delivered')];
  const longestMs = Number(rows.find(({ state }) => state === 'delivered')?.longest ?? 0);
  return { waiting, delivered, others: all - waiting - delivered, longestMs };
}
