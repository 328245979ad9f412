import assert from 'node:assert/strict';
import { PNG } from '../../../test/support/files.ts';
import { DOMAIN, type MailIn, plainMail, readMail, setBoard, sign, testMailIn } from '../../../test/support/mail-in.ts';
import { addUsers, startNotifying } from '../../../test/support/notifying.ts';
import { mayEnter } from '../../identity/users/entry.ts';
import { findUserByEmail } from '../../identity/users/users.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { addressOfBoard } from './recipients.ts';

const READ = `query($id: String!) { post(id: $id) {
  title moderationStatus upvoteCount author { name email role } files { name contentType }
  comments { nodes { text isFirst moderationStatus user { name } } } } }`;

const read = async ({ app }: MailIn, id: string) => (await app.ask(READ, { id })).post;
const idOf = (outcome: object): string => ('id' in outcome ? String(outcome.id) : assert.fail(JSON.stringify(outcome)));
const count = async ({ app }: MailIn) =>
  (
    await app.db.read
      .selectFrom('posts')
      .select((e) => e.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n;

const doubtOf = async ({ app }: MailIn, outcome: object) =>
  (await app.db.read.selectFrom('posts').select('doubt').where('id', '=', idOf(outcome)).executeTakeFirstOrThrow())
    .doubt;

testMailIn('a signed mail of a user becomes their idea, with their vote', async (mailIn) => {
  await addUsers(mailIn.app, 'lina');
  const outcome = await mailIn.send(readMail('clients/gmail-web'));
  assert.deepEqual({ ...outcome, id: '' }, { kind: 'idea', id: '', isHeld: false });
  const post = await read(mailIn, idOf(outcome));
  assert.equal(post.title, 'Dark mode');
  assert.equal(post.moderationStatus, 'APPROVED');
  assert.equal(post.upvoteCount, 1);
  assert.equal(post.author.name, 'lina');
  assert.match(post.comments.nodes[0].text, /^Please add a \*\*dark mode\*\*/);
});

testMailIn('an idea of who is not known, or not proven, waits for approval', async (mailIn) => {
  const { app, send } = mailIn;
  await addUsers(app, 'lina');
  const spoofed = await send(plainMail('Buy now'), { isSigned: false });
  assert.deepEqual({ ...spoofed, id: '' }, { kind: 'idea', id: '', isHeld: true });
  const from = '=?utf-8?Q?Zo=C3=AB_O=27Neil?= <zoe@example.com>';
  const unknown = await send(plainMail('Hello', { From: from }));
  const post = await read(mailIn, idOf(unknown));
  assert.equal(post.moderationStatus, 'PENDING');
  assert.deepEqual(post.author, { name: "Zoë O'Neil", email: 'zoe@example.com', role: 'MEMBER' });
  const accounts = await app.db.read.selectFrom('accounts').select('id').execute();
  assert.equal(accounts.length, 0);
  const again = await send(plainMail('One more', { From: from }));
  assert.ok('isHeld' in again && again.isHeld, 'until the team has approved one');
  await app.api.changePostModerationStatus({ id: idOf(unknown), moderationStatus: 'APPROVED' });
  const third = await send(plainMail('And another', { From: from }));
  assert.ok('isHeld' in third && !third.isHeld);
  assert.deepEqual(await Promise.all([spoofed, unknown, third].map((one) => doubtOf(mailIn, one))), [
    'UNPROVEN',
    'UNKNOWN',
    null,
  ]);
});

testMailIn('SPF proves a sender, and a signature only what is addressed to the board', async (mailIn) => {
  const { app, send } = mailIn;
  await addUsers(app, 'lina');
  const isHeld = async (...args: Parameters<MailIn['send']>) => {
    const outcome = await send(...args);
    return 'isHeld' in outcome ? outcome.isHeld : outcome;
  };
  const server = { sender: 'lina@example.com', ip: '203.0.113.5', helo: 'mx.example.com' };
  assert.equal(await isHeld(plainMail('a'), { isSigned: false, envelope: server }), false);
  assert.equal(await isHeld(plainMail('b'), { isSigned: false, envelope: { ...server, ip: '203.0.113.9' } }), true);
  const foreign = { ...server, sender: 'x@other.example' };
  assert.equal(await isHeld(plainMail('c'), { isSigned: false, envelope: foreign }), true);
  const elsewhere = { To: 'eve@other.example' };
  assert.equal(await isHeld(plainMail('d', elsewhere)), true, 'what was written to someone else');
  await setBoard(app, { mail_address: 'eve@other.example' });
  assert.equal(await isHeld(plainMail('e', elsewhere)), false, 'an address that forwards to the board');
  const bySomeone = await sign(plainMail('f'), 'other.example');
  mailIn.records.set('s1._domainkey.other.example', mailIn.records.get('s1._domainkey.example.com') ?? '');
  assert.equal(await isHeld(bySomeone, { isSigned: false }), true, 'signed by another domain');
  const changed = (await sign(plainMail('g'))).toString().replace('An idea', 'Another');
  assert.equal(await isHeld(Buffer.from(changed), { isSigned: false }), true);
  mailIn.records.set('_dmarc.example.com', 'v=DMARC1; p=reject');
  assert.equal(await isHeld(plainMail('h')), false);
  const refused = await send(plainMail('i'), { isSigned: false });
  assert.deepEqual(refused, { kind: 'refused', reason: 'its sender is not who it says' });
});

testMailIn('the same mail again is the same idea, and other mails are others', async (mailIn) => {
  await addUsers(mailIn.app, 'lina');
  const mail = plainMail('Once');
  const [one, two, three] = [await mailIn.send(mail), await mailIn.send(mail), await mailIn.send(plainMail('Once'))];
  assert.deepEqual(one, two);
  assert.notDeepEqual(one, three);
  // Signed once: the time of a signature is part of the bytes, which are what is known of it.
  const withoutId = await sign(plainMail('Nameless', { 'Message-ID': null }));
  const isSigned = false;
  assert.deepEqual(await mailIn.send(withoutId, { isSigned }), await mailIn.send(withoutId, { isSigned }));
  const both = await Promise.all([
    mailIn.send(plainMail('x', { 'Message-ID': '<same@example.com>' })),
    mailIn.send(plainMail('x', { 'Message-ID': '<same@example.com>' })),
  ]);
  assert.deepEqual(both[0], both[1]);
  assert.equal(await count(mailIn), 4);
});

testMailIn('pictures are kept, and nothing else that is attached', async (mailIn) => {
  await addUsers(mailIn.app, 'lina');
  const shown = await read(mailIn, idOf(await mailIn.send(readMail('clients/apple-mail'))));
  assert.deepEqual(shown.files, [{ name: 'shot.png', contentType: 'image/png' }]);
  const part = (type: string, name: string, bytes: Buffer) =>
    `--b\nContent-Type: ${type}\nContent-Disposition: attachment; filename="${name}"\nContent-Transfer-Encoding: base64\n\n${bytes.toString('base64')}\n`;
  const mail = plainMail(
    `--b\nContent-Type: text/plain\n\nSee these\n${part('image/png', '../../etc/a.png', PNG)}${part('application/x-msdownload', 'run.exe', Buffer.from('MZ'))}` +
      `${part('image/png', 'evil.png', Buffer.from('<script>alert(1)</script>'))}${part('image/svg+xml', 'a.svg', Buffer.from('<svg onload="x"/>'))}--b--`,
    { 'Content-Type': 'multipart/mixed; boundary=b', 'MIME-Version': '1.0' },
  );
  const { files } = await read(mailIn, idOf(await mailIn.send(mail)));
  assert.deepEqual(files, [{ name: 'a.png', contentType: 'image/png' }]);
});

testMailIn('mails of programs are taken without doing anything', async (mailIn) => {
  await addUsers(mailIn.app, 'lina');
  const automatic: Record<string, string | null>[] = [
    { 'Auto-Submitted': 'auto-replied' },
    { 'Auto-Submitted': 'auto-generated; owner-email="x@example.com"' },
    { Precedence: 'bulk' },
    { Precedence: 'list' },
    { Precedence: 'junk' },
    { 'X-Auto-Response-Suppress': 'All' },
    { 'X-Autoreply': 'yes' },
    { 'List-Id': '<ideas.example.com>' },
    { 'Return-Path': '<>' },
    { From: 'MAILER-DAEMON@example.com' },
    { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b' },
    { From: 'Acme <earshot@board.test>' },
    { From: `acme@${DOMAIN}` },
    { 'Message-ID': '<0193e1a2-0000-7000-8000-000000000000@board.test>' },
  ];
  for (const headers of automatic) {
    const { kind } = await mailIn.send(plainMail('I am away', headers));
    assert.equal(kind, 'ignored', JSON.stringify(headers));
    mailIn.app.clock.advance(HOUR_MS);
  }
  assert.equal((await mailIn.send(plainMail('x'), { envelope: { sender: '' } })).kind, 'ignored');
  assert.equal((await mailIn.send(plainMail('x', { 'Auto-Submitted': 'no' }))).kind, 'idea');
  assert.equal(await count(mailIn), 1);
});

testMailIn('mails made to do harm do none', async (mailIn) => {
  const { app, send } = mailIn;
  await addUsers(app, 'lina');
  const refuses = async (mail: string | Buffer, reason: RegExp) => {
    const outcome = await send(mail, { isSigned: false });
    assert.equal(outcome.kind, 'refused', JSON.stringify(outcome));
    assert.match('reason' in outcome ? outcome.reason : '', reason);
    app.clock.advance(HOUR_MS);
  };
  const nested = Array.from(
    { length: 200 },
    (_, n) => `--b${n}\nContent-Type: multipart/mixed; boundary=b${n + 1}\n\n`,
  ).join('');
  await refuses(plainMail(nested, { 'Content-Type': 'multipart/mixed; boundary=b0' }), /nested/);
  const parts = '--b\nContent-Type: text/plain\n\nx\n'.repeat(5_000);
  await refuses(plainMail(parts, { 'Content-Type': 'multipart/mixed; boundary=b' }), /too many parts/);
  await refuses(plainMail('x', { 'X-Filler': 'y'.repeat(200_000) }), /headers/);
  await refuses(Buffer.alloc(27_000_000, 'x'), /too large/);
  await refuses(plainMail('x', { From: 'lina@example.com, ada@example.com' }), /no single sender/);
  await refuses(plainMail('x', { From: 'lina@example.com\nFrom: eve@example.com' }), /repeated/);
  await refuses(plainMail('x', { From: null }), /no single sender/);
  await refuses(plainMail('', { Subject: null }), /neither subject nor text/);
  await refuses(Buffer.from([0, 255, 1, 13, 10]), /characters that none may have/);
  await refuses(Buffer.from([255, 1, 13, 10]), /no single sender/);
  assert.equal(await count(mailIn), 0);

  const injected = await send(plainMail('x', { Subject: '=?utf-8?Q?Hi=0D=0ABcc:_eve@example.com=0D=0A=0D=0Abody?=' }));
  assert.equal((await read(mailIn, idOf(injected))).title, 'Hi Bcc: eve@example.com body');
  const html = await send(
    plainMail('<p>Hello<script>alert(1)</script><img src=x onerror=alert(1)></p>', { 'Content-Type': 'text/html' }),
  );
  assert.equal((await read(mailIn, idOf(html))).comments.nodes[0].text, 'Hello');
  const long = await send(plainMail('word '.repeat(20_000), { Subject: 'S'.repeat(900) }));
  const post = await read(mailIn, idOf(long));
  assert.equal([...post.title].length, 200);
  assert.ok([...post.comments.nodes[0].text].length <= 20_000);
});

testMailIn('a mail counts as from no one but who is proven, however it is written', async (mailIn) => {
  const { app, send, records } = mailIn;
  await addUsers(app, 'lina');
  // What eve.example signs is proven to be from there, and from nowhere else.
  records.set('s1._domainkey.eve.example', records.get('s1._domainkey.example.com') ?? '');
  const refuses = async (mail: Buffer, reason: RegExp) => {
    const outcome = await send(mail, { isSigned: false });
    assert.equal(outcome.kind, 'refused', JSON.stringify(outcome));
    assert.match('reason' in outcome ? outcome.reason : '', reason);
    app.clock.advance(HOUR_MS);
  };
  // Another mail of hers, with its signature, in a header that ends in two ways.
  const lunch = (await sign(plainMail('Lunch?', { To: 'friend@example.com' }))).toString('latin1');
  const [hers = ''] = /^From: .*\r\n/m.exec(lunch) ?? [];
  const around = `${hers}To: acme@${DOMAIN}\r\nSubject: Mine\r\nX-A: b\r\n\r\r\nBuy now\r\n`;
  await refuses(Buffer.from(around + lunch.replace(hers, ''), 'latin1'), /end in an unusual way/);
  for (const from of [
    `lina@example.com${' '.repeat(2_000)}<x@eve.example>`,
    '=?utf-8*@eve.example?q?lina=40example.com?=',
    '<lina@example.com/\u00fc.eve.example>',
    '<lina@\uff45xample.com>',
    '"lina@example.com" <"a b"@eve.example>',
  ]) {
    await refuses(await sign(plainMail('x', { From: from }), 'eve.example'), /sender/);
  }
  const signed = await sign(plainMail('Once'));
  assert.equal((await send(signed, { isSigned: false })).kind, 'idea');
  const again = Buffer.concat([Buffer.from('Message-ID: <other@example.com>\r\n'), signed]);
  await refuses(again, /repeated/);
  await refuses(Buffer.concat([Buffer.from('DKIM-Signature: v=1; l=1\r\n'.repeat(20)), signed]), /too many signatures/);
  assert.equal(await count(mailIn), 1);
});

testMailIn(
  'what is proven is so however it comes, and what may be forwarded is not proven by its server',
  async (mailIn) => {
    const { app, send } = mailIn;
    await addUsers(app, 'lina');
    const isHeld = async (...args: Parameters<MailIn['send']>) => {
      const outcome = await send(...args);
      return 'isHeld' in outcome ? outcome.isHeld : outcome;
    };
    const withoutCr = (await sign(plainMail('a'))).toString('latin1').replaceAll('\r', '');
    assert.equal(await isHeld(Buffer.from(withoutCr, 'latin1'), { isSigned: false }), false);
    const old = plainMail('b', { Date: 'Sat, 21 Nov 2020 09:12:04 +0000' });
    assert.equal(await isHeld(old), true, 'a signature of long ago');
    const server = { sender: 'lina@example.com', ip: '203.0.113.5', helo: 'mx.example.com' };
    assert.equal(await isHeld(plainMail('c'), { isSigned: false, envelope: server }), false);
    await setBoard(app, { mail_address: 'ideas@example.com' });
    assert.equal(await isHeld(plainMail('d'), { isSigned: false, envelope: server }), true);
  },
);

testMailIn('who was only named in a mail is sent none, and is no member of a board', async (mailIn) => {
  const { app, send } = mailIn;
  await send(plainMail('x', { From: 'victim@bank.example' }), { isSigned: false });
  const user = await findUserByEmail(app.db.read, app.board.id, 'victim@bank.example');
  assert.equal(user?.mail_frequency, 'OFF');
  assert.equal(mayEnter({ ...app.board, access: 'MEMBERS' }, { user: user ?? null, account: null }), false);
});

testMailIn('boards take mail only if they say so, of whom they let in', async (mailIn) => {
  const { app, send } = mailIn;
  await addUsers(app, 'lina', 'bad');
  const kind = async (...args: Parameters<MailIn['send']>) => (await send(...args)).kind;
  assert.equal(await kind(plainMail('x'), { to: `none@${DOMAIN}` }), 'refused');
  assert.equal(await kind(plainMail('x'), { to: 'acme@other.example' }), 'refused');
  await app.db.transaction((tx) =>
    tx.updateTable('users').set({ standing: 'BLOCKED' }).where('sso_id', '=', 'bad').execute(),
  );
  assert.equal(await kind(plainMail('x', { From: 'bad@example.com' })), 'refused');
  for (const access of ['PUBLIC_READ', 'SIGNED_IN', 'MEMBERS']) {
    await setBoard(app, { access });
    assert.equal(await kind(plainMail('x', { From: 'new@example.com' })), 'refused', access);
    assert.equal(await kind(plainMail('x'), { isSigned: false }), 'refused', access);
    assert.equal(await kind(plainMail('x')), 'idea', access);
  }
  await setBoard(app, { is_mail_in_enabled: 0 });
  assert.equal(await kind(plainMail('x')), 'refused');
  assert.equal(addressOfBoard(app.board, DOMAIN), `acme@${DOMAIN}`);
});

testMailIn('floods of one sender or one board come to an end, and may come again later', async (mailIn) => {
  await addUsers(mailIn.app, 'lina', 'mo');
  for (let n = 0; n < 20; n++) assert.equal((await mailIn.send(plainMail(`${n}`))).kind, 'idea');
  assert.equal((await mailIn.send(plainMail('more', { From: 'Lina <lina+x@example.com>' }))).kind, 'later');
  for (let n = 0; n < 60; n++) {
    await mailIn.send(plainMail('spam', { From: `s${n}@spam.example` }), { isSigned: false });
  }
  assert.equal((await mailIn.send(plainMail('x', { From: 's@spam.example' }), { isSigned: false })).kind, 'later');
  assert.equal((await mailIn.send(plainMail('x', { From: 'mo@example.com' }))).kind, 'idea');
  mailIn.app.clock.advance(HOUR_MS);
  assert.equal((await mailIn.send(plainMail('more'))).kind, 'idea');
});

testMailIn('an answer to a notification becomes a comment of its reader', async (mailIn, t) => {
  const { app, deps, send } = mailIn;
  await addUsers(app, 'lina', 'mo');
  const notifying = await startNotifying(t, app, undefined, deps.replies);
  const postId = await app.makePost('Dark mode', { as: 'lina' });
  await notifying.deliverAfter();
  await app.api.createComment({ postId, text: 'Would grey do?' });
  const [mail] = await notifying.deliverAfter();
  assert.equal(mail?.to[0], 'lina@example.com');
  const to = mail?.headers['reply-to'] ?? '';
  assert.match(to, /^reply\+[0-9a-z]{50}@in\.example\.com$/);

  const answer = await send(
    plainMail('Yes, it would.\n\nOn Sat Acme <earshot@board.test> wrote:\n> Would grey do?', {
      To: to,
      Subject: 'Re: Dark mode',
    }),
    { to: to.toUpperCase() },
  );
  assert.deepEqual({ ...answer, id: '' }, { kind: 'comment', id: '', isHeld: false });
  const spoofed = await send(plainMail('No', { To: to }), { to, isSigned: false });
  assert.ok('isHeld' in spoofed && spoofed.isHeld);
  const { comments } = await read(mailIn, postId);
  const own = comments.nodes.filter(({ isFirst }: { isFirst: boolean }) => !isFirst);
  const written = own.map((comment: { text: string; user: { name: string }; moderationStatus: string }) =>
    [comment.user.name, comment.text, comment.moderationStatus].join(' '),
  );
  assert.deepEqual(written.sort(), ['ada Would grey do? APPROVED', 'lina No PENDING', 'lina Yes, it would. APPROVED']);
  const byOther = await send(plainMail('x', { To: to, From: 'mo@example.com' }), { to });
  assert.deepEqual(byOther, { kind: 'refused', reason: 'answers must come from the address that the mail went to' });
  for (const forged of [
    to.replace(/.@/, (c) => (c === '0@' ? '1@' : '0@')),
    `reply+${'0'.repeat(50)}@${DOMAIN}`,
    `reply+${'z'.repeat(50)}@${DOMAIN}`,
    `reply@${DOMAIN}`,
  ]) {
    assert.equal((await send(plainMail('x', { To: forged }), { to: forged })).kind, 'refused', forged);
  }
  await app.api.deletePost({ postId });
  assert.equal((await send(plainMail('x', { To: to }), { to })).kind, 'refused');
});
