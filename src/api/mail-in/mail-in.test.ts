import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createTransport } from 'nodemailer';
import { onEnd } from '../../../test/support/cleanup.ts';
import { FORM_TYPE, makeForm } from '../../../test/support/files.ts';
import {
  DOMAIN,
  type MailIn,
  PRIVATE_KEY,
  plainMail,
  SECRET,
  setBoard,
  sign,
  testMailIn,
} from '../../../test/support/mail-in.ts';
import { addUsers } from '../../../test/support/notifying.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { makeReplyAddresses } from '../../platform/mail/reply-addresses.ts';
import { listenForMail } from './listener.ts';

const TO = `acme@${DOMAIN}`;

async function listen(t: TestContext, { deps }: MailIn) {
  const listener = await listenForMail(deps, { host: '127.0.0.1', port: 0, certificate: null });
  onEnd(t, () => listener.close());
  const dkim = { domainName: 'example.com', keySelector: 's1', privateKey: PRIVATE_KEY };
  const transport = createTransport({ host: '127.0.0.1', port: listener.port, ignoreTLS: true, dkim });
  onEnd(t, async () => transport.close());
  return { port: listener.port, transport };
}

const titles = async ({ app }: MailIn) => {
  const rows = await app.db.read.selectFrom('posts').select(['title', 'moderation_status']).orderBy('number').execute();
  return rows.map(({ title, moderation_status: state }) => [title, state]);
};

testMailIn('a mail by SMTP is an idea before it is answered', async (mailIn, t) => {
  await addUsers(mailIn.app, 'lina');
  const { transport } = await listen(t, mailIn);
  const from = 'Lina Haddad <lina@example.com>';
  const { response } = await transport.sendMail({
    from,
    to: TO,
    subject: 'Größer',
    text: 'Bitte.',
    html: '<p>Bitte.</p>',
    date: new Date(mailIn.app.clock.now()),
  });
  assert.match(response, /^250 /);
  assert.deepEqual(await titles(mailIn), [['Größer', 'APPROVED']]);
  await transport.sendMail({ from: 'eve@spam.example', to: TO, subject: 'Buy', text: 'now' });
  assert.deepEqual((await titles(mailIn))[1], ['Buy', 'PENDING']);
});

testMailIn('the listener relays nothing, and says whether to try again', async (mailIn, t) => {
  await addUsers(mailIn.app, 'lina');
  const { transport, port } = await listen(t, mailIn);
  const mail = { from: 'lina@example.com', subject: 'Hi', text: 'x' };
  const code = (to: string, more = {}) =>
    transport.sendMail({ ...mail, to, ...more }).then(
      () => 250,
      ({ responseCode }: { responseCode: number }) => responseCode,
    );
  assert.equal(await code('ada@example.com'), 550);
  assert.equal(await code(`none@${DOMAIN}`), 550);
  assert.equal(await code(`reply+${'0'.repeat(50)}@${DOMAIN}`), 550);
  assert.equal(await code(TO, { headers: { 'Auto-Submitted': 'auto-replied' } }), 250);
  assert.equal(await code(TO, { text: 'x'.repeat(27_000_000) }), 552);
  await setBoard(mailIn.app, { access: 'MEMBERS' });
  assert.equal(await code(TO, { from: 'eve@spam.example' }), 550);
  for (let n = 0; n < 20; n++) await code(TO, { subject: `${n}` });
  assert.equal(await code(TO), 451);
  const many = await Promise.all(Array.from({ length: 12 }, () => greetingOf(port, t)));
  assert.equal(many.filter((line) => line.startsWith('421')).length > 0, true);
});

function greetingOf(port: number, t: TestContext): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  onEnd(t, async () => void socket.destroy());
  return new Promise((resolve, reject) =>
    socket.once('data', (data) => resolve(data.toString())).once('error', reject),
  );
}

type Sent = { path: string; body: Buffer | string; headers?: Record<string, string> };

async function post({ app }: MailIn, { path, body, headers = {} }: Sent) {
  const response = await app.app.inject({ method: 'POST', url: `/api/v1/mail/${path}`, headers, payload: body });
  return { status: response.statusCode, kinds: response.json().results?.map(({ kind }: { kind: string }) => kind) };
}

function signed({ app }: MailIn, body: Buffer | string, secret = SECRET, now = app.clock.now()) {
  const seconds = Math.floor(now / 1_000);
  const hex = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return { 'earshot-signature': `t=${seconds},v1=${hex}` };
}

testMailIn('a script hands over mails that it signs', async (mailIn) => {
  await addUsers(mailIn.app, 'lina');
  const body = await sign(plainMail('Hello'));
  const headers = { 'content-type': 'message/rfc822', ...signed(mailIn, body) };
  const taken = { status: 200, kinds: ['idea'] };
  assert.deepEqual(await post(mailIn, { path: 'raw', body, headers }), taken);
  assert.deepEqual(await post(mailIn, { path: 'raw', body, headers }), taken, 'the same again is the same');
  const json = JSON.stringify({
    to: TO,
    from: 'lina@example.com',
    raw: (await sign(plainMail('By JSON'))).toString('base64'),
  });
  const type = { 'content-type': 'application/json' };
  assert.deepEqual(
    await post(mailIn, { path: 'raw', body: json, headers: { ...type, ...signed(mailIn, json) } }),
    taken,
  );
  assert.equal((await titles(mailIn)).length, 2);
  const wrong = [
    {},
    signed(mailIn, body, 'another secret of tests'),
    signed(mailIn, `${body}x`),
    signed(mailIn, body, SECRET, mailIn.app.clock.now() - HOUR_MS),
    { 'earshot-signature': 't=1,v1=00' },
  ];
  for (const each of wrong) assert.equal((await post(mailIn, { path: 'raw', body, headers: each })).status, 403);
  const garbage = '{"to":1}';
  const response = await post(mailIn, { path: 'raw', body: garbage, headers: { ...type, ...signed(mailIn, garbage) } });
  assert.equal(response.status, 400);
});

/** https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http */
testMailIn('Mailgun hands over mails, each token for one mail', async (mailIn) => {
  await addUsers(mailIn.app, 'lina');
  const seconds = String(Math.floor(mailIn.app.clock.now() / 1_000));
  const tokens = { a: 'a'.repeat(50), b: 'b'.repeat(50), c: 'c'.repeat(50) };
  const form = (mail: string, token: string, secret = SECRET) =>
    new URLSearchParams({
      recipient: TO,
      sender: 'lina@example.com',
      timestamp: seconds,
      token,
      signature: createHmac('sha256', secret)
        .update(seconds + token)
        .digest('hex'),
      'body-mime': mail,
    }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const send = (body: string) => post(mailIn, { path: 'mailgun/mime', body, headers });
  const one = (await sign(plainMail('One'))).toString();
  assert.deepEqual(await send(form(one, tokens.a)), { status: 200, kinds: ['idea'] });
  assert.deepEqual(await send(form(one, tokens.a)), { status: 200, kinds: ['idea'] });
  for (let n = 0; n < 2; n++) assert.equal((await send(form(plainMail('Other'), tokens.a))).status, 403);
  assert.equal((await send(form(one, tokens.b, 'another secret'))).status, 403);
  const toNone = form(one, tokens.c).replace('recipient=acme', 'recipient=none');
  assert.deepEqual(await send(toNone), { status: 406, kinds: ['refused'] });
  assert.deepEqual(await titles(mailIn), [['An idea', 'APPROVED']]);
});

const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`earshot:${password}`).toString('base64')}`,
});

/** https://postmarkapp.com/developer/webhooks/inbound-webhook */
testMailIn('Postmark hands over mails with a password', async (mailIn) => {
  await addUsers(mailIn.app, 'lina');
  const body = JSON.stringify({
    OriginalRecipient: TO,
    From: 'x',
    RawEmail: (await sign(plainMail('Hello'))).toString(),
  });
  const headers = { 'content-type': 'application/json', ...basic(SECRET) };
  assert.deepEqual(await post(mailIn, { path: 'postmark', body, headers }), { status: 200, kinds: ['idea'] });
  assert.equal((await post(mailIn, { path: 'postmark', body, headers: basic('wrong') })).status, 403);
  assert.equal((await post(mailIn, { path: 'postmark', body })).status, 403);
  const parsed = JSON.stringify({ OriginalRecipient: TO, TextBody: 'Hello' });
  assert.equal((await post(mailIn, { path: 'postmark', body: parsed, headers })).status, 400);
});

/** https://www.twilio.com/docs/sendgrid/for-developers/parsing-email/setting-up-the-inbound-parse-webhook */
testMailIn('SendGrid hands over mails with a password', async (mailIn) => {
  await addUsers(mailIn.app, 'lina');
  const email = await sign(plainMail('Hello'));
  const envelope = JSON.stringify({ to: [TO, 'x@other.example'], from: 'lina@example.com' });
  const body = makeForm([
    { field: 'email', bytes: email },
    { field: 'envelope', bytes: envelope },
  ]);
  const headers = { 'content-type': FORM_TYPE, ...basic(SECRET) };
  assert.deepEqual(await post(mailIn, { path: 'sendgrid', body, headers }), {
    status: 200,
    kinds: ['idea', 'refused'],
  });
  assert.deepEqual(await titles(mailIn), [['An idea', 'APPROVED']]);
  assert.equal((await post(mailIn, { path: 'sendgrid', body, headers: { ...headers, ...basic('') } })).status, 403);
});

test('an address for answers fits into an address, and only its key makes it', () => {
  const id = '01a2225d-a380-7000-8c76-50d8c1859d77';
  const replies = makeReplyAddresses('one key of the tests', DOMAIN);
  const address = replies.addressFor(id);
  assert.ok(address.indexOf('@') <= 64);
  assert.equal(replies.mailOf(address), id);
  assert.equal(replies.mailOf(address.toUpperCase()), id);
  assert.equal(makeReplyAddresses('another key of tests', DOMAIN).mailOf(address), null);
  assert.equal(replies.mailOf(address.replace(DOMAIN, 'other.example')), null);
  for (const id of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])
    assert.equal(replies.mailOf(replies.addressFor(id)), id);
});
