import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { contextOf, makeScene, startNotifying } from '../../../test/support/notifying.ts';
import { hasNews, listInbox } from './inbox.ts';

const PAGE = { cursor: null, limit: 20 };

testBoth(
  'a kind of notification that only a newer version knows waits for it, and delays no others',
  async (app, t) => {
    const { db } = app;
    const { comment } = await makeScene(app);
    const notifying = await startNotifying(t, app);
    await notifying.deliverAfter();
    const rename = (from: string, to: string) =>
      db.transaction((tx) =>
        tx
          .updateTable('notices')
          .set({ kind: to as 'COMMENT' })
          .where('kind', '=', from as 'COMMENT')
          .where('date_ready', 'is not', null)
          .execute(),
      );

    await notifying.notifier.stop();
    await comment('newcomer', { text: 'Of the newer version' });
    await rename('COMMENT', 'CELEBRATED');
    const worker = await startNotifying(t, app);
    app.clock.advance(1);
    await comment('newcomer', { text: 'Of this version' });
    const [mail, ...others] = await worker.deliverAfter();
    assert.match(mail?.text ?? '', /Of this version/);
    for (const { text } of [mail ?? assert.fail(), ...others]) assert.doesNotMatch(text, /Of the newer version/);
    const waiting = db.read
      .selectFrom('notices')
      .select(['done_up_to', 'date_ready'])
      .where('date_ready', 'is not', null);
    const [row, ...rest] = await waiting.execute();
    assert.deepEqual([row?.done_up_to, rest], ['', []], 'nothing was made of it');

    await rename('CELEBRATED', 'COMMENT');
    const [later] = await worker.deliverAfter();
    assert.match(later?.text ?? '', /Of the newer version/);
  },
);

testBoth('notifications of such a kind wait for their mail, and are not in the inbox', async (app, t) => {
  const { db } = app;
  const { comment } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  await notifying.deliverAfter();
  const author = await contextOf(app, 'author');
  const before = (await listInbox(author, PAGE)).nodes.length;
  const seen = app.clock.now();
  app.clock.advance(1);
  await comment('newcomer', { text: 'Of the newer version' });
  await notifying.deliver();
  const [newest] = await db.read.selectFrom('notices').select('id').orderBy('id', 'desc').limit(1).execute();
  const rename = (kind: string) =>
    db.transaction((tx) =>
      tx
        .updateTable('notices')
        .set({ kind: kind as 'COMMENT' })
        .where('id', '=', newest?.id ?? '')
        .execute(),
    );
  await rename('CELEBRATED');
  assert.equal((await listInbox(author, PAGE)).nodes.length, before);
  assert.equal(await hasNews({ ...author, actor: { ...author.actor, date_inbox_seen: seen } }), false);
  assert.deepEqual(await notifying.deliverAfter(), []);
  await rename('COMMENT');
  const mails = await notifying.deliverAfter();
  assert.match(mails[0]?.text ?? '', /Of the newer version/);
  assert.equal((await listInbox(author, PAGE)).nodes.length, before + 1);
});
