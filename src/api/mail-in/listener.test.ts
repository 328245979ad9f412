import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createTransport } from 'nodemailer';
import { onEnd } from '../../../test/support/cleanup.ts';
import { DOMAIN, type MailIn, plainMail, setBoard, testMailIn } from '../../../test/support/mail-in.ts';
import { addUsers } from '../../../test/support/notifying.ts';
import { until } from '../../../test/support/until.ts';
import { createBoard } from '../../operations/boards/create.ts';
import { listenForMail } from './listener.ts';

const TO = `acme@${DOMAIN}`;
const START = `EHLO client.example.com\r\nMAIL FROM:<lina@example.com>\r\nRCPT TO:<${TO}>\r\nDATA\r\n`;

const certificate = (() => {
  const file = fileURLToPath(new URL('../../../test/support/certificates/good.pem', import.meta.url));
  return { certFile: file, keyFile: file };
})();

async function listen(t: TestContext, { deps }: MailIn, more: { sessionMs?: number; isEncrypted?: boolean } = {}) {
  const { isEncrypted, ...rest } = more;
  const settings = { host: '127.0.0.1', port: 0, certificate: isEncrypted ? certificate : null, ...rest };
  const listener = await listenForMail(deps, settings);
  onEnd(t, () => listener.close());
  return listener.port;
}

const titles = async ({ app }: MailIn) => {
  const rows = await app.db.read.selectFrom('posts').select('title').orderBy('title').execute();
  return rows.map(({ title }) => title);
};

/** A client that writes what it is told, and keeps what it is answered. */
function talk(t: TestContext, port: number) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  onEnd(t, async () => void socket.destroy());
  const client = { socket, said: '', isClosed: false };
  socket.on('error', () => {});
  socket.on('data', (text: string) => {
    client.said += text;
  });
  socket.on('close', () => {
    client.isClosed = true;
  });
  return client;
}

/** As `talk`, once it is greeted. */
async function greeted(t: TestContext, port: number) {
  const client = talk(t, port);
  await until('the greeting', () => client.said !== '' || client.isClosed);
  return client;
}

/** The text of a mail that tries to end before its end, and to go on with another one. */
const smuggling = (end: string) =>
  `${plainMail('Hello', { Subject: `Outer ${JSON.stringify(end)}` }).replaceAll('\n', '\r\n')}${end}` +
  `MAIL FROM:<eve@example.net>\r\nRCPT TO:<${TO}>\r\nDATA\r\nFrom: eve@example.net\r\nSubject: Smuggled\r\n\r\nx\r\n.\r\n`;

testMailIn('a mail ends with a dot between whole line ends, and with nothing else', async (mailIn, t) => {
  const port = await listen(t, mailIn);
  for (const end of ['\n.\n', '\n.\r\n', '\r\n.\n', '\r.\r', '\r\n.\r', '\n.\r']) {
    const client = await greeted(t, port);
    client.socket.write(`${START}${smuggling(end)}QUIT\r\n`);
    await once(client.socket, 'close');
    assert.equal(client.said.match(/^354 /gm)?.length, 1, JSON.stringify(end));
  }
  const found = await titles(mailIn);
  assert.deepEqual(
    found.filter((title) => !title.startsWith('Outer')),
    [],
  );
});

testMailIn('a mail that is cut off is not taken, and comes again', async (mailIn, t) => {
  const port = await listen(t, mailIn);
  const mail = plainMail('x', { Subject: 'Cut' }).replaceAll('\n', '\r\n');
  const cut = await greeted(t, port);
  cut.socket.write(START + mail);
  await until('the mail is awaited', () => /^354 /m.test(cut.said));
  cut.socket.destroy();
  const whole = await greeted(t, port);
  whole.socket.write(`${START}${mail}.\r\nQUIT\r\n`);
  await once(whole.socket, 'close');
  assert.match(whole.said, /^250 .*Taken/m);
  assert.deepEqual(await titles(mailIn), ['Cut']);
});

testMailIn('who sends a byte at a time is cut off, and keeps no one else waiting', async (mailIn, t) => {
  // Long enough for the quick client, also on a busy machine.
  const port = await listen(t, mailIn, { sessionMs: 8_000 });
  const slow = await Promise.all(Array.from({ length: 8 }, () => greeted(t, port)));
  for (const { socket } of slow) socket.write(START);
  const drip = setInterval(() => slow.forEach(({ socket }) => void socket.write('x')), 50);
  onEnd(t, async () => clearInterval(drip));
  const quick = await greeted(t, port);
  quick.socket.write(`${START}${plainMail('x', { Subject: 'Quick' }).replaceAll('\n', '\r\n')}.\r\nQUIT\r\n`);
  await once(quick.socket, 'close');
  assert.deepEqual(await titles(mailIn), ['Quick']);
  await until('slow clients are cut off', () => slow.every(({ isClosed }) => isClosed));
});

testMailIn('five hundred connections at once are answered, and the listener goes on', async (mailIn, t) => {
  const port = await listen(t, mailIn);
  const many = Array.from({ length: 500 }, () => talk(t, port));
  await until('each is answered', () => many.every(({ said }) => /^(220|421) /.test(said)));
  assert.ok(many.filter(({ said }) => said.startsWith('220')).length <= 10);
  for (const { socket } of many) socket.destroy();
  await until('another is greeted', async () => (await greeted(t, port)).said.startsWith('220'));
});

testMailIn('addresses can be guessed a few times in one connection', async (mailIn, t) => {
  const port = await listen(t, mailIn);
  const client = await greeted(t, port);
  const guesses = Array.from({ length: 20 }, (_, n) => `RCPT TO:<board${n}@${DOMAIN}>\r\n`).join('');
  client.socket.write(`EHLO client.example.com\r\nMAIL FROM:<lina@example.com>\r\n${guesses}`);
  await once(client.socket, 'close');
  assert.equal(client.said.match(/^550 /gm)?.length, 5);
  assert.match(client.said, /^421 /m);
});

testMailIn('a mail to two boards is an idea on each, over TLS too', async (mailIn, t) => {
  await addUsers(mailIn.app, 'lina');
  const other = await createBoard(mailIn.app.db, mailIn.app.clock, { name: 'Other' });
  await setBoard({ ...mailIn.app, board: other }, { is_mail_in_enabled: 1 });
  const port = await listen(t, mailIn, { isEncrypted: true });
  const transport = createTransport({ host: '127.0.0.1', port, requireTLS: true, tls: { rejectUnauthorized: false } });
  onEnd(t, async () => transport.close());
  const to = [TO, `${other.pid}@${DOMAIN}`];
  const { accepted } = await transport.sendMail({ from: 'lina@example.com', to, subject: 'Both', text: 'x' });
  assert.deepEqual(accepted, to);
  assert.deepEqual(await titles(mailIn), ['Both', 'Both']);
});
