import assert from 'node:assert/strict';
import type { ReceivedMail } from '../../test/support/mail-server.ts';
import { addUsers, prefer, startNotifying, statusId } from '../../test/support/notifying.ts';
import { until } from '../../test/support/until.ts';
import { testWeb } from '../../test/support/web.ts';
import { MINUTE_MS } from '../platform/lib/clock.ts';

const to = (mails: readonly ReceivedMail[], name: string) =>
  mails.find((mail) => mail.to[0] === `${name}@example.com`) ?? assert.fail(`no mail to ${name}`);
const names = (mails: readonly ReceivedMail[]) => mails.map(({ to }) => to[0]?.split('@')[0]).sort();

testWeb(
  'an anonymous vote counts after a mailed code, and brings mail until each reader unsubscribes',
  async (web, t) => {
    const id = await web.makePost('Dark mode');
    const mo = await web.makeMember('Mo', 'MODERATOR');
    const notifying = await startNotifying(t, web);
    const votes = async () => (await web.api.posts({}, { nodes: { upvoteCount: true } })).nodes[0]?.upvoteCount;

    // The visitor votes on a laptop, and reads the code on a phone.
    const laptop = web.makeVisitor();
    await laptop.post('/b/acme/votes/1', { vote: 'up' });
    await laptop.post('/sign-in', { intent: 'link', email: 'lina@example.com', next: '/b/acme/continue' });
    const received: ReceivedMail[] = [];
    await until('the code came', async () => received.push(...(await notifying.deliver())) > 0);
    const code = /code: (\d{6})$/m.exec(to(received, 'lina').text)?.[1] ?? '';
    assert.equal(await votes(), 0);
    const entered = await laptop.post('/sign-in', { intent: 'code', code, next: '/b/acme/continue' });
    for (let at = entered.headers.location; at; at = (await laptop.get(String(at))).headers.location);
    assert.equal(await votes(), 1);

    // Three others follow the idea as well, of whom one has muted it. The team plans it.
    await addUsers(web, 'jonas', 'kim', 'max');
    await prefer(web, 'jonas', { locale: 'de' });
    for (const name of ['jonas', 'kim', 'max']) await web.api.as(name).upvotePost({ postId: id });
    await web.api.as('max').unsubscribeFromPost({ postId: id });
    const change = (status: string) => mo.post('/b/acme/posts/1', { intent: 'status', status });
    await change(await statusId(web));
    assert.deepEqual(await notifying.deliverAfter(MINUTE_MS - 1), [], 'it can still be stopped');
    await notifying.deliverAfter(1);
    const mails = await notifying.deliverAfter();
    assert.deepEqual(names(mails), ['jonas', 'kim', 'lina']);
    assert.equal(to(mails, 'lina').headers.subject, 'Planned: Dark mode');
    assert.match(to(mails, 'lina').text, /An idea that you follow has a new status:.*because you voted on this idea/s);
    assert.match(
      to(mails, 'jonas').text,
      /Eine Idee, der Sie folgen, hat einen neuen Status:.*weil Sie am 21\. November/s,
    );
    assert.match(to(mails, 'jonas').html, /<html lang="de">/);

    // One leaves by the button of a mail program, one by the link; the third wants one mail a day.
    const visitor = web.makeVisitor();
    const oneClick = /<http:\/\/board\.test(.*)>/.exec(to(mails, 'lina').headers['list-unsubscribe'] ?? '')?.[1] ?? '';
    const fromElsewhere = { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' };
    for (const headers of [{}, fromElsewhere]) {
      assert.equal((await visitor.post(oneClick, { 'List-Unsubscribe': 'One-Click' }, headers)).statusCode, 200);
    }
    const link = /^Abbestellen: http:\/\/board\.test(\S+)$/m.exec(to(mails, 'jonas').text)?.[1] ?? '';
    assert.match((await visitor.get(link)).payload, /value="unsubscribe"/);
    assert.equal((await visitor.post(link, { intent: 'unsubscribe' })).statusCode, 200);
    assert.equal(visitor.cookies.size, 0);
    await prefer(web, 'kim', { frequency: 'DAILY', timeZone: 'Asia/Tokyo' });

    const { statuses } = await web.api.board({ statuses: { id: true, type: true } });
    await change(statuses.find(({ type }) => type === 'COMPLETED')?.id ?? '');
    await notifying.deliverAfter(MINUTE_MS);
    const morning = Date.parse('2026-11-22T08:00:00+09:00');
    assert.deepEqual(await notifying.deliverAfter(morning - web.clock.now() - 1), []);
    const digests = await notifying.deliverAfter(1);
    assert.deepEqual(names(digests), ['kim']);
    assert.equal(to(digests, 'kim').headers.subject, 'One idea on Acme was updated');
    assert.match(to(digests, 'kim').text, /Planned → \S+/);
  },
);
