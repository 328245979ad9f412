import type { TestContext } from 'node:test';
import { Notifier } from '../../src/feedback/notifying/notifier.ts';
import { type MailPreferences, setMailPreferences } from '../../src/feedback/notifying/preferences.ts';
import { findUser, setRole, type UserRow } from '../../src/identity/users/users.ts';
import { MINUTE_MS } from '../../src/platform/lib/clock.ts';
import { makeLog } from '../../src/platform/lib/log.ts';
import type { ReplyAddresses } from '../../src/platform/mail/reply-addresses.ts';
import { makeTransport } from '../../src/platform/mail/transport.ts';
import type { Calls } from './api.ts';
import type { TestApp } from './app.ts';
import { onEnd } from './cleanup.ts';
import { type MailServer, type ReceivedMail, startMailServer } from './mail-server.ts';
import { startMailWorker } from './post-office.ts';
import { testCipher } from './sender.ts';
import { statusNamed } from './statuses.ts';

/** What notifies the users of an app: a notifier, a mail worker and a real mail server. */
export type Notifying = {
  server: MailServer;
  notifier: Notifier;
  /** Does all that is due at the clock's time, and gives the mails that came since the last look. */
  deliver(): Promise<ReceivedMail[]>;
  /** Does all that is due once so much time has passed, three minutes unless said otherwise. */
  deliverAfter(milliseconds?: number): Promise<ReceivedMail[]>;
  /** To whom the mails of `deliverAfter` went, by the name in the address. */
  recipients(milliseconds?: number): Promise<string[]>;
};

/** Starts what notifies the users of an app. */
export async function startNotifying(
  t: TestContext,
  app: TestApp,
  server?: MailServer,
  replies?: ReplyAddresses,
): Promise<Notifying> {
  const { db, clock, dataDir } = app;
  const smtp = server ?? (await startMailServer(t));
  const transport = makeTransport({
    smtpUrl: smtp.url,
    mailFrom: 'Earshot <earshot@board.test>',
    dataDir,
    replies: replies ?? null,
  });
  const worker = startMailWorker(t, { db, clock, transport });
  const notifier = new Notifier({
    db,
    clock,
    cipher: testCipher,
    baseUrl: 'http://board.test',
    log: makeLog('silent'),
  });
  notifier.start();
  onEnd(t, () => notifier.stop());
  let seen = 0;
  async function deliver(): Promise<ReceivedMail[]> {
    await notifier.settled();
    await worker.settled();
    const mails = smtp.mails.slice(seen);
    seen = smtp.mails.length;
    return mails;
  }
  const notifying: Notifying = {
    server: smtp,
    notifier,
    deliver,
    async deliverAfter(milliseconds = 3 * MINUTE_MS) {
      await notifier.settled(); // a chunk is expanded at the time of the change
      clock.advance(milliseconds);
      return deliver();
    },
    async recipients(milliseconds) {
      const mails = await notifying.deliverAfter(milliseconds);
      return mails.map(({ to }) => to[0]?.split('@')[0] ?? '').sort();
    },
  };
  return notifying;
}

/** Registers users with an email address, `<name>@example.com`. */
export async function addUsers(app: TestApp, ...names: string[]): Promise<void> {
  for (const id of names)
    await app.api.as(null).createUser({ ssoType: 'SSO', ssoId: id, name: id, email: `${id}@example.com` });
}

/** A user of an app as what acts on its board. */
export async function contextOf({ db, clock, board }: TestApp, ssoId: string) {
  const actor = (await findUser(db.read, board.id, { ssoType: 'SSO', ssoId })) as UserRow;
  return { db, clock, board, baseUrl: 'http://board.test', actor };
}

/** Sets what mail a user of an app gets, when, and in which language. */
export async function prefer(app: TestApp, ssoId: string, preferences: MailPreferences): Promise<void> {
  const { actor, ...context } = await contextOf(app, ssoId);
  await setMailPreferences(context, actor, preferences);
}

const COMMENT = `mutation($id: String!, $text: String = "Hello", $type: CommentType, $parent: String,
  $op: Boolean, $commenters: Boolean, $up: Boolean, $down: Boolean, $followers: Boolean, $date: DateTime) {
  createComment(postId: $id, text: $text, type: $type, parentId: $parent, dateCreated: $date, notifyOP: $op,
    notifyCommenters: $commenters, notifyUpVoters: $up, notifyDownVoters: $down, notifySubscribers: $followers) { id }
}`;

/** The id of the status Planned. */
export const statusId = (app: TestApp) => statusNamed(app, 'Planned');

/** A post by `author`, with one follower of each kind, a `newcomer` and the moderator `mod`. */
export async function makeScene(app: TestApp) {
  const names = ['author', 'up', 'down', 'talker', 'fan', 'newcomer', 'mod'];
  await addUsers(app, ...names);
  await setRole(app, { ssoType: 'SSO', ssoId: 'mod' }, 'MODERATOR');
  const id = await app.makePost('Dark mode', { as: 'author' });
  const act = (name: 'upvotePost' | 'downvotePost' | 'subscribeToPost' | 'unsubscribeFromPost', as: string) =>
    (app.api.as(as)[name] as Calls['upvotePost'])({ postId: id });
  await act('upvotePost', 'up');
  await act('downvotePost', 'down');
  await act('subscribeToPost', 'fan');
  const comment = async (as: string, variables: object = {}): Promise<string> =>
    (await app.ask(COMMENT, { id, ...variables }, { as })).createComment.id;
  const first = await comment('talker', { op: false, commenters: false, followers: false });
  return {
    id,
    act,
    comment,
    first,
    change: async (as = 'mod', { status, comment }: { status?: string; comment?: string } = {}) => {
      const to = { statusType: 'CUSTOM', statusId: status ?? (await statusId(app)) } as const;
      return app.api.as(as).changePostStatus({ postId: id, ...to, comment });
    },
  };
}
