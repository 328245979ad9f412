import assert from 'node:assert/strict';
import { pino } from 'pino';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { startDelivering } from '../../../test/support/delivering.ts';
import { startReceiver } from '../../../test/support/receiver.ts';
import { findUserById } from '../../identity/users/users.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { manageWebhooks } from '../managing/managing.ts';
import { canNotifyOwners } from './health-mail.ts';

type Context = Parameters<Parameters<typeof testBoth>[1]>[1];

/** An enabled webhook whose address and secrets are to stay out of the log, and what the log says of it. */
async function startLogging(t: Context, app: TestApp) {
  const how = { status: 200 };
  const { origin } = await startReceiver(t, ({ method, url }, response) => {
    if (method === 'GET') response.end(new URL(url, origin).searchParams.get('hub.challenge'));
    else response.writeHead(how.status, { location: `${origin}/elsewhere?token=hidden` }).end('It says hidden.');
  });
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) });
  const { context, sender, addWebhook, settled } = startDelivering(t, app, undefined, log);
  const { id } = await addWebhook({
    url: `${origin}/in?token=hidden`,
    signingSecret: 'hidden-too',
    verifyToken: 'hidden',
  });
  const actor = await findUserById(app.db.read, app.board.id, await app.makeUser('max', 'ADMIN'));
  if (!actor) throw new Error('The user is gone');
  await app.makePost('One');
  await settled();
  return {
    how,
    id,
    settled,
    manage: manageWebhooks({ ...context, actor }, sender, log),
    /** What was logged since the last look: `level text from to reason`. */
    take() {
      const taken = lines.splice(0);
      assert.ok(!taken.join('').includes('hidden'), taken.join(''));
      return taken.map((line) => {
        const { level, msg, webhook, board, from = '', to = '', reason = '', mail = '' } = JSON.parse(line);
        assert.deepEqual([webhook, board], [id, app.board.id]);
        return [level, msg.replace(id, '…'), from, to, reason, mail].filter((part) => part !== '').join(' | ');
      });
    },
  };
}

testBoth('each change of a webhook’s state is logged once, without its URL', async (app, t) => {
  const { how, id, take, manage, settled } = await startLogging(t, app);
  assert.deepEqual(take(), []);
  how.status = 302;
  await app.makePost('Two');
  for (let hours = 0; hours < 5; hours++) {
    await settled();
    app.clock.advance(HOUR_MS);
  }
  const unheard = '40 | Webhook …: no owner of the board has an email address for mail about it';
  assert.deepEqual(take(), ['40 | Webhook … is failing | active | failing | redirected', `${unheard} | failing`]);
  how.status = 200;
  app.clock.advance(12 * HOUR_MS);
  await settled();
  assert.deepEqual(take(), ['30 | Webhook … has recovered | failing | active | delivered', `${unheard} | recovered`]);
  await manage.disable(id);
  await manage.disable(id);
  assert.deepEqual(take(), ['30 | Webhook … was disabled | active | disabled | by a person']);
  await manage.enable(id, 'skip');
  assert.deepEqual(take(), ['30 | Webhook … was enabled | disabled | active | by a person']);
  how.status = 410;
  await app.makePost('Three');
  await settled();
  assert.deepEqual(take(), ['40 | Webhook … was disabled | active | disabled | answered 410', `${unheard} | disabled`]);
});

testBoth('with an owner who has an address, a mail is written and the log does not complain', async (app, t) => {
  const { how, take, settled } = await startLogging(t, app);
  assert.equal(await canNotifyOwners(app.db.read, app.board.id), false);
  await app.db.transaction((tx) =>
    tx.updateTable('users').set({ email: 'ada@acme.example' }).where('role', '=', 'OWNER').execute(),
  );
  assert.equal(await canNotifyOwners(app.db.read, app.board.id), true);
  how.status = 410;
  await app.makePost('Two');
  await settled();
  assert.deepEqual(take(), ['40 | Webhook … was disabled | active | disabled | answered 410']);
  const mails = await app.db.read.selectFrom('mails').select('recipient').execute();
  assert.deepEqual(mails, [{ recipient: 'ada@acme.example' }]);
});
