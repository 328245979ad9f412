import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { comment, type ReceivedEvent, testWebhooks, type WebhookApp } from '../../../test/support/webhooks.ts';
import { HOUR_MS, SECOND_MS } from '../../platform/lib/clock.ts';

const PER_SECOND = 5;
const SECONDS = 30;
const STEP_MS = 5 * SECOND_MS;

/** Whether a receiver that fails for this share of its attempts fails for this one: always the same. */
function fails(share: number, { id, attempt }: ReceivedEvent): boolean {
  return Number.parseInt(hash('sha256', `${id} ${attempt}`).slice(0, 8), 16) / 2 ** 32 < share;
}

/** The share of attempts that fail, and how many events may still wait after an hour. */
for (const [share, most] of [
  [0.1, 0],
  [0.2, 0],
  [0.5, 0],
  [0.8, 75],
] as const) {
  const percent = share * 100;
  testWebhooks(
    `a receiver that fails for ${percent} % of its attempts gets every event, and no other waits`,
    async (app, t) => {
      await app.ask('mutation { createUser(ssotype: "SSO", userId: "ada", email: "ada@acme.example") { id } }');
      const half = await app.makeWebhook({ events: ['comment.created'] });
      const healthy = await app.makeWebhook({ url: `${half.url}?healthy`, events: ['comment.created'] });
      app.reply((event) => (!event.request.url.includes('healthy') && fails(share, event) ? 500 : 200));
      const posts = await Promise.all(Array.from({ length: 20 }, (_, n) => app.makePost(`Post ${n}`)));
      for (let n = 0; n < PER_SECOND * SECONDS; n++) {
        await comment(app, posts[n % posts.length] ?? '', `Comment ${n}`);
        if (n % PER_SECOND === 0) await app.pass(SECOND_MS);
      }
      await app.pass();
      assert.equal(await countWaiting(app, healthy.id), 0);
      let waitedMs = 0;
      for (; (await countWaiting(app, half.id)) > 0 && waitedMs < HOUR_MS; waitedMs += STEP_MS) await app.pass(STEP_MS);
      const waiting = await countWaiting(app, half.id);
      const mails = app.mailServer.mails.map(({ headers }) => headers.subject);
      t.diagnostic(
        `${percent} %: ${waiting} wait ${waitedMs / SECOND_MS} s after the last event; ${mails.length} mails`,
      );
      // What is left of the last has few beside it that succeed, and is tried on the usual schedule.
      assert.ok(waiting <= most, `${waiting} wait`);
      const others = (await app.deliveries(half.id)).filter(({ state }) => state !== 'waiting');
      assert.ok(others.every(({ state }) => state === 'delivered'));
      assert.ok(mails.length <= 2, mails.join());
    },
  );
}

async function countWaiting(app: WebhookApp, webhookId: string): Promise<number> {
  return (await app.deliveries(webhookId)).filter(({ state }) => state === 'waiting').length;
}
