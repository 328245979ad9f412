import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { START } from '../../../test/support/app.ts';
import { onEnd } from '../../../test/support/cleanup.ts';
import { startMailServer } from '../../../test/support/mail-server.ts';
import { openPostOffice, startMailWorker } from '../../../test/support/post-office.ts';
import { findFreePort } from '../../../test/support/postgres.ts';
import { testCipher } from '../../../test/support/sender.ts';
import { engines } from '../../../test/support/store.ts';
import { PATIENCE_MS, until } from '../../../test/support/until.ts';
import { createBoard } from '../../operations/boards/create.ts';
import { type Db, StoreUnavailableError } from '../db/db.ts';
import { statements } from '../db/migrations/0014-mail-bodies.ts';
import { makeCipher } from '../lib/cipher.ts';
import { MINUTE_MS } from '../lib/clock.ts';
import { claimMail, decryptBody, LEASE_MS, listMails, queueMail, recordAttempt } from './mails.ts';
import { type MailTransport, makeTransport } from './transport.ts';

for (const engine of engines) {
  test(`the text of a mail is encrypted while it waits, and gone once it is done [${engine}]`, async (t) => {
    const server = await startMailServer(t);
    const post = await openPostOffice(t, engine);
    const body = 'Sign in:\n\nhttp://board.test/sign-in/link/secret-token\n';
    const id = await post.queue({ body });
    const waiting = await post.mailRow(id);
    assert.deepEqual(
      [/secret-token|Sign in/.test(JSON.stringify(waiting)), decryptBody(testCipher, waiting)],
      [false, body],
    );
    assert.throws(() => decryptBody(testCipher, { ...waiting, id: 'another mail' }), /cannot be decrypted/);
    await post.work({ smtpUrl: server.url }).settled();
    assert.match(server.mails[0]?.text ?? '', /sign-in\/link\/secret-token/);
    const { state, body: left, recipient, subject } = await post.mailRow(id);
    assert.deepEqual([state, left, recipient, subject], ['sent', '', 'ada@example.com', 'A subject']);
  });

  test(`a mail that another key has encrypted waits for that key, and then goes [${engine}]`, async (t) => {
    const server = await startMailServer(t);
    const post = await openPostOffice(t, engine);
    const id = await post.queue();
    const transport = makeTransport({ smtpUrl: server.url, mailFrom: 'a@example.com', dataDir: '' });
    const wrong = startMailWorker(t, { db: post.db, clock: post.clock, transport, cipher: makeCipher('another key') });
    await wrong.settled();
    const failed = await post.mailRow(id);
    assert.deepEqual([failed.state, server.mails.length], ['waiting', 0]);
    assert.match(failed.last_error ?? '', /SECRET_KEY is not the one/);
    await wrong.stop();
    post.clock.advance(MINUTE_MS);
    await post.work({ smtpUrl: server.url }).settled();
    assert.equal((await post.mailRow(id)).state, 'sent');
  });

  test(`the step of the schema leaves of mails that are done the greeting alone [${engine}]`, async (t) => {
    const post = await openPostOffice(t, engine);
    const ids = [await post.queue(), await post.queue(), await post.queue()];
    const body = 'Hello Ada,\n\nhttp://board.test/reset-password/secret\n';
    const write = (id: string | undefined, set: object) =>
      post.db.transaction((tx) =>
        tx
          .updateTable('mails')
          .set(set)
          .where('id', '=', id ?? '')
          .execute(),
      );
    await write(ids[0], { body, state: 'sent' });
    await write(ids[1], { body: 'One line', state: 'given_up' });
    await write(ids[2], { body });
    await post.db.transaction(async (tx) => {
      for (const statement of statements(engine)) await sql.raw(statement).execute(tx);
    });
    const bodies = await Promise.all(ids.map(async (id) => (await post.mailRow(id)).body));
    assert.deepEqual(bodies, ['Hello Ada,\n', '', body]);
  });

  test(`what an earlier version has queued in plain text is sent, and emptied [${engine}]`, async (t) => {
    const server = await startMailServer(t);
    const post = await openPostOffice(t, engine);
    const id = await post.queue();
    await post.db.transaction((tx) =>
      tx.updateTable('mails').set({ body: 'Plain text' }).where('id', '=', id).execute(),
    );
    await post.work({ smtpUrl: server.url }).settled();
    assert.deepEqual([server.mails[0]?.text?.trim(), (await post.mailRow(id)).body], ['Plain text', '']);
  });

  test(`two workers on one store send each mail once [${engine}]`, async (t) => {
    const server = await startMailServer(t);
    const post = await openPostOffice(t, engine);
    const ids: string[] = [];
    for (let n = 0; n < 40; n++) ids.push(await post.queue({ subject: `Mail ${n}` }));
    const workers = [post.work({ smtpUrl: server.url }), post.work({ smtpUrl: server.url }, post.openAgain())];
    await Promise.all(workers.map((worker) => worker.settled()));
    const sent = server.mails.map(({ headers }) => headers['message-id']?.slice(1).split('@')[0]);
    assert.deepEqual(sent.sort(), ids.sort());
  });

  test(`a mail is sent soon after it is queued, and none that was undone [${engine}]`, async (t) => {
    const server = await startMailServer(t);
    const post = await openPostOffice(t, engine);
    const worker = post.work({ smtpUrl: server.url });
    await worker.settled();
    const undone = post.db.transaction(async (tx) => {
      await queueMail(tx, testCipher, { boardId: post.boardId, recipient: 'a@b', subject: 'undone', body: '' }, START);
      throw new Error('no');
    });
    await assert.rejects(undone, /^Error: no$/);
    const start = performance.now();
    for (let n = 1; n <= 8; n++) {
      await post.queue({ subject: 'kept' });
      await until('the mail is sent', () => server.mails.length === n);
    }
    assert.deepEqual(new Set(server.mails.map(({ headers }) => headers.subject)), new Set(['kept']));
    assert.ok(performance.now() - start < 20_000, 'each waited for the next look, five seconds later');
  });

  test(`while the server is down a mail waits, is tried again ever later, and arrives once it is up [${engine}]`, async (t) => {
    const port = await findFreePort();
    const post = await openPostOffice(t, engine);
    const id = await post.queue();
    const worker = post.work({ smtpUrl: `smtp://127.0.0.1:${port}` });
    const waits = [1, 5, 30, 120, 360].map((minutes) => minutes * MINUTE_MS);
    for (const [n, wait] of waits.entries()) {
      await worker.settled();
      const { state, tries, last_error, date_due } = await post.mailRow(id);
      assert.deepEqual([state, tries, date_due - post.clock.now()], ['waiting', n + 1, wait]);
      assert.match(last_error ?? '', /ECONNREFUSED/);
      post.clock.advance(wait - 1);
      await worker.settled();
      assert.equal((await post.mailRow(id)).tries, n + 1);
      post.clock.advance(1);
    }
    const server = await startMailServer(t, { port });
    await worker.settled();
    const { state, tries } = await post.mailRow(id);
    assert.deepEqual([state, tries, server.mails.length], ['sent', 6, 1]);
  });

  test(`characters that the store or a mail cannot hold are removed or replaced [${engine}]`, async (t) => {
    const post = await openPostOffice(t, engine);
    const id = await post.queue({ subject: `a\0b\ud800 ${'c'.repeat(300)}`, body: 'a\0b\u001b[31m\r\nc\ud800' });
    const mail = await post.mailRow(id);
    const { subject } = mail;
    assert.match(subject, /^a b\ufffd c+…$/);
    assert.deepEqual([[...subject].length, decryptBody(testCipher, mail)], [200, 'ab[31m\nc\ufffd']);
  });

  test(`a mail whose sender died is sent again under the same id when the lease is over [${engine}]`, async (t) => {
    const server = await startMailServer(t);
    const post = await openPostOffice(t, engine);
    const id = await post.queue();
    const dead = await claimMail(post.db, post.clock.now());
    assert.equal(dead?.id, id);
    const worker = post.work({ smtpUrl: server.url });
    post.clock.advance(LEASE_MS - 1);
    await worker.settled();
    assert.equal(server.mails.length, 0);
    post.clock.advance(1);
    await worker.settled();
    assert.equal(server.mails[0]?.headers['message-id'], `<${id}@localhost>`);
    assert.equal(await recordAttempt(post.db, dead ?? fail(), new Error('too late'), post.clock.now()), null);
    const { state, last_error } = await post.mailRow(id);
    assert.deepEqual([state, last_error], ['sent', null]);
  });

  test(`a store that is gone for a while costs no mail and sends none twice [${engine}]`, async (t) => {
    const server = await startMailServer(t);
    const post = await openPostOffice(t, engine);
    const faults = { left: 0 };
    const id = await post.queue();
    const db: Db = {
      ...post.db,
      transaction(work) {
        if (faults.left-- > 0) return Promise.reject(new StoreUnavailableError('gone'));
        return post.db.transaction(work);
      },
    };
    const sending: MailTransport = makeTransport({ smtpUrl: server.url, mailFrom: 'a@b', dataDir: '' });
    faults.left = 1; // to claim it
    const transport: MailTransport = {
      ...sending,
      async send(mail) {
        await sending.send(mail);
        faults.left = 1; // to record it
      },
    };
    const worker = startMailWorker(t, { db, clock: post.clock, transport });
    while ((await post.mailRow(id)).state === 'waiting') await worker.settled();
    assert.equal(server.mails.length, 1);
  });

  test(`the mails of a board are listed, the newest first, page by page, and no other's [${engine}]`, async (t) => {
    const post = await openPostOffice(t, engine);
    const other = await createBoard(post.db, post.clock, { name: 'Other' });
    await post.queue({ boardId: other.id });
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift(await post.queue());
    const listed: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listMails>> = await listMails(post.db.read, post.boardId, {
        cursor,
        limit: 2,
      });
      listed.push(...page.nodes.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor !== null);
    assert.deepEqual(listed, ids);
  });
}

test('a refused recipient does not delay other mail', async (t) => {
  const server = await startMailServer(t, {
    onRcptTo: ({ address }, _, done) => done(address === 'nobody@example.com' ? new Error('no such user') : null),
  });
  const post = await openPostOffice(t, 'sqlite');
  const refused = await post.queue({ recipient: 'nobody@example.com' });
  for (let n = 0; n < 20; n++) await post.queue();
  await post.work({ smtpUrl: server.url }).settled();
  assert.equal(server.mails.length, 20);
  const { state, last_error, body } = await post.mailRow(refused);
  assert.deepEqual([state, body], ['bounced', '']);
  assert.match(last_error ?? '', /no such user/);
});

test('stopping waits for what is being sent, and not for a server that never answers', async (t) => {
  const post = await openPostOffice(t, 'sqlite');
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  onEnd(t, () => silent.close());
  await new Promise((resolve) => silent.once('listening', resolve));
  const id = await post.queue();
  const worker = post.work({ smtpUrl: `smtp://127.0.0.1:${(silent.address() as { port: number }).port}` });
  while (sockets.length === 0) await delay(5);
  const start = performance.now();
  await worker.stop(200);
  assert.ok(performance.now() - start < PATIENCE_MS);
  const { state, tries, lease_token } = await post.mailRow(id);
  assert.deepEqual([state, tries, lease_token], ['waiting', 1, null]);

  const slow = await startMailServer(t, { onRcptTo: (_, __, done) => setTimeout(done, 200) });
  post.clock.advance(MINUTE_MS);
  const other = post.work({ smtpUrl: slow.url });
  while ((await post.mailRow(id)).tries < 2) await delay(5);
  await other.stop();
  assert.equal((await post.mailRow(id)).state, 'sent');
  await post.queue();
  await delay(100);
  assert.equal(slow.mails.length, 1);
});

function fail(): never {
  throw new Error('nothing came');
}
