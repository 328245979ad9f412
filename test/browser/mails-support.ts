import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { NoticeKind } from '../../src/feedback/notices/kinds.ts';
import { setRole } from '../../src/identity/users/users.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/platform/lib/clock.ts';
import { makeTransport } from '../../src/platform/mail/transport.ts';
import { createWebhook } from '../../src/webhooks/managing/changing.ts';
import { enableWebhook } from '../../src/webhooks/managing/enabling.ts';
import { publishNew } from '../support/changelog.ts';
import { onEnd } from '../support/cleanup.ts';
import { startDelivering } from '../support/delivering.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.ts';
import { addUsers, type Notifying, prefer, startNotifying, statusId } from '../support/notifying.ts';
import { startReceiver } from '../support/receiver.ts';
import { makeTestSender } from '../support/sender.ts';
import { until } from '../support/until.ts';
import { makeTestWeb, PASSWORD, type TestWeb, type WebVisitor } from '../support/web.ts';

/** Every kind of mail as an SMTP server got it, by the name of its picture. */
export type Mails = Map<string, ReceivedMail>;

type World = { web: TestWeb; server: MailServer; notifying: Notifying; owner: WebVisitor; mails: Mails };

/** Has every kind of mail sent by the product itself. */
export async function collectMails(t: TestContext): Promise<Mails> {
  const server = await startMailServer(t);
  const transport = makeTransport({ smtpUrl: server.url, mailFrom: 'board@acme.example', dataDir: '' });
  onEnd(t, () => transport.close());
  const mail = { transport, server: 'mail.acme.example', from: 'board@acme.example', folder: '', domainIn: null };
  const web = await makeTestWeb(t, 'sqlite', { mail });
  const owner = await web.makeMember('Olga', 'OWNER');
  const notifying = await startNotifying(t, web, server);
  const world = { web, server, notifying, owner, mails: new Map() };
  await addUsers(web, 'Lina', 'Mona', 'Paul');
  await setRole(web, { ssoType: 'SSO', ssoId: 'Mona' }, 'MODERATOR');
  await collectNotifications(world);
  await collectLetters(world);
  await collectHealth(t, world);
  return world.mails;
}

/** The mails that tell of a change, by its kind. */
export const noticeMails: Record<NoticeKind, string> = {
  STATUS: 'status',
  OFFICIAL: 'answer',
  MENTION: 'mention',
  COMMENT: 'comment',
  SHIPPED: 'shipped',
  MERGE: 'merge',
  NEW_POST: 'new-idea',
  MODERATION: 'review',
};

/** What followers and the team are notified of, as Lina, Paul and Mona read it. */
async function collectNotifications({ web, notifying, mails }: World): Promise<void> {
  const as = (ssoId: string) => ({ as: ssoId });
  async function take(name: string, to: string): Promise<void> {
    const sent = await notifying.deliverAfter();
    mails.set(
      name,
      sent.find((mail) => mail.to[0] === `${to.toLowerCase()}@example.com`) ?? assert.fail(`no mail of ${name}`),
    );
  }
  const id = await web.makePost('Calendar feed per person', as('Lina'));
  const text = `We started this week. Each of you gets a private address to paste into any calendar; it shows your due
dates and nothing else. We hope to ship it in January.`.replace('\n', ' ');
  await web.api
    .as(as('Mona'))
    .changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: await statusId(web), comment: text });
  await take('status', 'Lina');
  await web.api
    .as(as('Mona'))
    .createComment({ postId: id, text: 'It ships in January, for all plans.', type: 'OFFICIAL' });
  await take('answer', 'Lina');
  await web.api.as(as('Paul')).createComment({ postId: id, text: 'Would it work with Outlook, too?' });
  await take('comment', 'Lina');
  await web.api.as(as('Paul')).createComment({ postId: id, text: '@Lina Could it show start dates as well?' });
  await take('mention', 'Lina');
  const target = await web.makePost('Subscribe to due dates', as('Paul'));
  const digested = await web.makePost('Dark mode', as('Lina'));
  await notifying.deliverAfter();
  await web.api.as(as('Mona')).mergePosts({ sourceIds: [id], targetId: target });
  await take('merge', 'Lina');
  const entry = {
    title: 'A calendar for your due dates',
    text: 'Subscribe to them in any calendar.',
    postIds: [target],
  };
  await publishNew(web, entry, as('Mona'));
  await take('shipped', 'Paul');
  await prefer(web, 'Mona', { onNewPost: true, onModeration: true });
  const found = await web.makePost('Export to CSV with filters', as('Paul'));
  await take('new-idea', 'Mona');
  await web.api.changePostModerationStatus({ id: found, moderationStatus: 'FLAGGED' });
  await take('review', 'Mona');
  await prefer(web, 'Lina', { frequency: 'DAILY' });
  await web.api
    .as(as('Mona'))
    .changePostStatus({ postId: digested, statusType: 'CUSTOM', statusId: await statusId(web) });
  for (const text of ['Yes, please.', 'At night it hurts.']) {
    await web.api.as(as('Paul')).createComment({ postId: digested, text });
    await web.api.as(as('Paul')).createComment({ postId: target, text });
  }
  await notifying.deliverAfter();
  web.clock.advance(24 * HOUR_MS);
  await take('digest', 'Lina');
}

/** What people and the team get because of what they do with accounts. */
async function collectLetters({ web, server, notifying, owner, mails }: World): Promise<void> {
  async function take(name: string, to: string, work: () => Promise<unknown>): Promise<void> {
    const before = server.mails.length;
    await work();
    const isTo = (mail: ReceivedMail) => mail.to[0] === to;
    await until(`the mail ${name}`, async () => {
      await notifying.deliver();
      return server.mails.slice(before).some(isTo);
    });
    mails.set(name, server.mails.slice(before).find(isTo) as ReceivedMail);
    web.clock.advance(MINUTE_MS);
  }
  const settings = '/b/acme/settings';
  const olga = 'olga@example.com';
  const visitor = web.makeVisitor();
  const mailLink = (email: string) => visitor.post('/sign-in', { intent: 'link', email });
  await take('sign-in', olga, () => mailLink(olga));
  await take('sign-up', 'new@example.com', () => mailLink('new@example.com'));
  const newcomer = web.makeVisitor();
  const link = /http:\/\/board\.test(\S+)/.exec(mails.get('sign-up')?.text ?? '')?.[1] ?? '';
  await newcomer.post(link, { name: 'Nora', password: PASSWORD });
  await newcomer.post('/b/acme/votes/1', { vote: 'up', next: '/b/acme' });
  const deletion = { intent: 'delete', confirm: 'new@example.com', content: 'keep', currentPassword: PASSWORD };
  await take('account-deleted', 'new@example.com', () => newcomer.post(`${settings}/data`, deletion));
  await take('password', olga, () => visitor.post('/reset-password', { email: olga }));
  const change = { intent: 'email', email: 'olga@acme.example', currentPassword: PASSWORD };
  await take('new-address', 'olga@acme.example', () => owner.post(`${settings}/account`, change));
  mails.set('address-notice', server.mails.findLast(({ to }) => to[0] === olga) as ReceivedMail);
  const invite = { intent: 'invite', email: 'mo@example.com', role: 'MODERATOR' };
  await take('invitation', 'mo@example.com', () => owner.post(`${settings}/members`, invite));
  await take('test', olga, () => owner.post(`${settings}/mail`, {}));
}

/** What owners get when a webhook stops working, and when it works again. */
async function collectHealth(t: TestContext, { web, notifying, mails }: World): Promise<void> {
  let status = 500;
  const { origin } = await startReceiver(t, ({ method, url }, response) => {
    if (method === 'GET') response.end(new URL(url, origin).searchParams.get('hub.challenge'));
    else response.writeHead(status).end();
  });
  const sender = makeTestSender();
  const { context, settled } = startDelivering(t, web, sender);
  const config = { url: `${origin}/hook`, verifyToken: null, signingSecret: 's3cret', events: null };
  const { id } = await createWebhook(context, sender, config);
  await enableWebhook(context, sender, id, 'deliver');
  await web.makePost('Another idea', { as: 'Paul' });
  async function take(name: string, subject: RegExp, stepMs: number): Promise<void> {
    for (let step = 0; step < 100; step++) {
      await settled();
      const found = (await notifying.deliver()).find(({ headers }) => subject.test(headers.subject ?? ''));
      if (found) return void mails.set(name, found);
      web.clock.advance(stepMs);
    }
    assert.fail(`no mail of ${name}`);
  }
  await take('webhook-failing', /is failing/, 30 * SECOND_MS);
  await take('webhook-warning', /will be disabled/, HOUR_MS);
  await take('webhook-disabled', /was disabled/, HOUR_MS);
  await enableWebhook(context, sender, id, 'deliver');
  await web.makePost('Yet another idea', { as: 'Paul' });
  await take('webhook-failing', /is failing/, MINUTE_MS);
  status = 200;
  await take('webhook-recovered', /working again/, MINUTE_MS);
}
