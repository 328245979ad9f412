import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { SMTPServerOptions } from 'smtp-server';
import type { Engine } from '../../src/platform/db/db.ts';
import { type MailTransport, makeTransport } from '../../src/platform/mail/transport.ts';
import { onEnd } from '../support/cleanup.ts';
import { startMailServer } from '../support/mail-server.ts';
import { environmentFor, runCommand, startServer } from '../support/process.ts';
import { readCertificate } from '../support/raw-receiver.ts';
import { engines, makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { makeTestWeb, type TestWeb, type WebVisitor } from '../support/web.ts';

/** A mail server, what is changed in the URL that leads to it, and what the page of the test mail then says; null: sent. */
type Row = {
  name: string;
  server: SMTPServerOptions | ((socket: Socket) => void);
  url?: (url: string) => string;
  failure: RegExp | null;
};

const selfSigned = readCertificate('self-signed');
const good = readCertificate('good');
const own = { key: selfSigned, cert: selfSigned };
const starttls = { ...own, disabledCommands: [] };
const unchanged = (url: string) => url;
const unchecked = (url: string) => `${url}?tls.rejectUnauthorized=false`;
const OLD = { ...own, secure: true, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
const NOT_TRUSTED =
  /The certificate of 127\.0\.0\.1:\d+ is not trusted: name a file with the certificate of its authority in NODE_EXTRA_CA_CERTS, or add \?tls\.rejectUnauthorized=false to SMTP_URL/;

const connecting: Row[] = [
  { name: 'STARTTLS with a certificate of its own', server: starttls, failure: NOT_TRUSTED },
  { name: 'the same, not checked', server: starttls, url: unchecked, failure: null },
  { name: 'TLS from the start with a certificate of its own', server: { ...own, secure: true }, failure: NOT_TRUSTED },
  { name: 'the same, not checked', server: { ...own, secure: true }, url: unchecked, failure: null },
  {
    name: 'a certificate of an authority of its own',
    server: { key: good, cert: good, secure: true },
    failure: NOT_TRUSTED,
  },
  {
    name: 'smtp:// where TLS is on from the start',
    server: { ...own, secure: true },
    url: (url) => `${url.replace('smtps', 'smtp')}?greetingTimeout=300`,
    failure: /accepted the connection but did not greet: if it expects TLS from the start, use smtps:\/\//,
  },
  {
    name: 'smtps:// where STARTTLS turns TLS on',
    server: starttls,
    url: (url) => url.replace('smtp', 'smtps'),
    failure: /does not begin with TLS: use smtp:\/\/, which turns TLS on by STARTTLS \(TLS: wrong version number\)/,
  },
  {
    name: 'TLS 1.0 only',
    server: OLD,
    url: unchecked,
    failure:
      /has no version of TLS that is allowed here: .*tls\.minVersion=TLSv1(&|&#38;|&amp;)tls\.ciphers=DEFAULT@SECLEVEL=0/,
  },
  {
    name: 'TLS 1.0 only, allowed as the error says',
    server: OLD,
    url: (url) => `${unchecked(url)}&tls.minVersion=TLSv1&tls.ciphers=DEFAULT@SECLEVEL=0`,
    failure: null,
  },
  {
    name: 'a greeting after a second',
    server: {
      onConnect: (_, done) => {
        setTimeout(done, 1_000);
      },
    },
    failure: null,
  },
  {
    name: 'no greeting',
    server: () => {},
    url: (url) => `${url}?greetingTimeout=300`,
    failure: /did not greet/,
  },
  {
    name: 'connections that are closed at once',
    server: (socket) => socket.end(),
    failure:
      /closes connections before it greets: if it expects TLS from the start, use smtps:\/\/, and that it allows/,
  },
  {
    name: 'nothing there',
    server: () => {},
    url: () => 'smtp://127.0.0.1:9',
    failure: /Nothing listens at 127\.0\.0\.1:9: check host and port of SMTP_URL/,
  },
  {
    name: 'a host that does not exist',
    server: () => {},
    url: () => 'smtp://mail.invalid',
    failure: /The host of mail\.invalid:587 was not found: check SMTP_URL|The name servers do not answer/,
  },
  {
    name: 'a greeting that refuses',
    server: (socket) => socket.end('554 5.7.1 Your network is blocked\r\n'),
    failure: /554 5\.7\.1 Your network is blocked/,
  },
];

const PASSWORD = 'p@ss:w/ö#%&? word';
const asMailer = (url: string) =>
  url.replace('//', `//${encodeURIComponent('me@acme')}:${encodeURIComponent(PASSWORD)}@`);

/** A server that takes only this kind of authentication. */
function takesOnly(method: string): SMTPServerOptions {
  return {
    allowInsecureAuth: true,
    authOptional: false,
    authMethods: [method],
    onAuth(auth, _, done) {
      const isRight = auth.method === 'CRAM-MD5' ? auth.validatePassword(PASSWORD) : auth.password === PASSWORD;
      if (isRight && auth.username === 'me@acme') done(null, { user: 'me' });
      else done(new Error(`not ${auth.password ?? 'that'}`));
    },
  };
}

const loggingIn: Row[] = [
  ...['PLAIN', 'LOGIN', 'CRAM-MD5'].flatMap((method): Row[] => [
    { name: `${method} with special characters`, server: takesOnly(method), url: asMailer, failure: null },
    {
      name: `${method} with a wrong password`,
      server: takesOnly(method),
      url: (url) => url.replace('//', '//me%40acme:hunter2@'),
      failure: /does not accept user and password of SMTP_URL; special characters must be percent-encoded/,
    },
  ]),
  {
    name: 'OAuth only',
    server: takesOnly('XOAUTH2'),
    url: asMailer,
    failure: /offers no PLAIN, LOGIN or CRAM-MD5, with which passwords are sent/,
  },
  {
    name: 'no user, where one is wanted',
    server: takesOnly('PLAIN'),
    failure: /wants a user and a password: smtp:\/\/user:password@host \(.*530/,
  },
  {
    name: 'a user without a password',
    server: takesOnly('PLAIN'),
    url: (url) => url.replace('//', '//me@'),
    failure: /SMTP_URL has a user without a password/,
  },
];

const refuse = (responseCode: number, words: string) => Object.assign(new Error(words), { responseCode });

const refusing: Row[] = [
  ...([450, 550, 552] as const).map(
    (code): Row => ({
      name: `a recipient refused with ${code}`,
      server: { onRcptTo: (_, __, done) => done(refuse(code, '5.7.1 not from you')) },
      failure: new RegExp(`${code} 5\\.7\\.1 not from you`),
    }),
  ),
  {
    name: 'a sender that is refused',
    server: { onMailFrom: (_, __, done) => done(refuse(553, '5.7.1 Sender address rejected: not owned by user')) },
    failure: /553 5\.7\.1 Sender address rejected/,
  },
  {
    name: 'a mail refused after it was sent',
    server: {
      onData: (stream, _, done) => {
        stream.resume().once('end', () => done(refuse(554, '5.7.1 looks like spam')));
      },
    },
    failure: /554 5\.7\.1 looks like spam/,
  },
  {
    name: 'a connection that breaks in the middle of a mail',
    server(socket) {
      socket.write('220 mail.example ESMTP\r\n');
      socket.on('data', (bytes) => {
        const line = bytes.toString();
        if (line.startsWith('DATA')) socket.write('354 go\r\n', () => socket.destroy());
        else socket.write('250 ok\r\n');
      });
    },
    failure: /closed|ECONNRESET|EPIPE/i,
  },
  {
    name: 'a server that knows neither 8BITMIME nor SMTPUTF8 nor PIPELINING',
    server: { hideSMTPUTF8: true, hidePIPELINING: true, hide8BITMIME: true, hideSize: true },
    failure: null,
  },
];

for (const engine of engines) {
  for (const [kind, rows] of Object.entries({ connecting, loggingIn, refusing })) {
    test(`the test mail reports what is wrong with a mail server, and what to change: ${kind} [${engine}]`, async (t) => {
      const mail = await openMail(t, engine);
      for (const { name, server, url = unchanged, failure } of rows) {
        const said = await mail.send(await startAt(t, server), url);
        if (failure === null) assert.equal(said, null, name);
        else assert.match(said ?? 'sent', failure, name);
      }
    });
  }
}

/** A board whose owner sends test mails through one server after another. */
async function openMail(t: TestContext, engine: Engine) {
  let current: MailTransport = makeTransport({ smtpUrl: null, mailFrom: '', dataDir: '' });
  const transport: MailTransport = {
    send: (mail) => current.send(mail),
    forget: async () => {},
    close: () => current.close(),
  };
  const from = 'Acme <ideas@acme.example>';
  const web = await makeTestWeb(t, engine, {
    mail: { transport, server: 'mail.example.com', from, folder: '', domainIn: null },
  });
  const owner = await web.makeMember('Olga', 'OWNER');
  return {
    /** @returns what the page says of a failure; null if the mail was sent */
    async send(url: string, change: (url: string) => string): Promise<string | null> {
      current = makeTransport({ smtpUrl: change(url), mailFrom: from, dataDir: '' });
      try {
        return await sendTestMail(web, owner);
      } finally {
        current.close();
      }
    },
  };
}

async function sendTestMail({ db }: TestWeb, owner: WebVisitor): Promise<string | null> {
  const { statusCode, payload } = await owner.post('/b/acme/settings/mail', {});
  const newest = db.read.selectFrom('mails').selectAll().orderBy('id', 'desc').limit(1);
  const { state, last_error } = await newest.executeTakeFirstOrThrow();
  if (statusCode === 302) {
    assert.equal(state, 'sent');
    return null;
  }
  const shown = /role="alert">(.*?)<\/p>/s.exec(payload)?.[1] ?? '';
  assert.ok(shown.length > 0 && last_error !== null, payload);
  for (const secret of [PASSWORD, 'hunter2', Buffer.from('hunter2').toString('base64')]) {
    assert.ok(!payload.includes(secret) && !last_error.includes(secret), secret);
  }
  return shown.replaceAll('<!-- -->', '');
}

/** @returns the URL of a mail server, or of one that is none */
async function startAt(t: TestContext, server: Row['server']): Promise<string> {
  if (typeof server !== 'function') return (await startMailServer(t, server)).url;
  const sockets = new Set<Socket>();
  const listening = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    server(socket);
  }).listen(0, '127.0.0.1');
  onEnd(t, () => {
    for (const socket of sockets) socket.destroy();
    listening.close();
  });
  await new Promise((resolve) => listening.once('listening', resolve));
  const address = listening.address();
  return `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

test('NODE_EXTRA_CA_CERTS makes the server trust an authority of its own, with its name in the certificate', async (t) => {
  const mail = await startMailServer(t, { key: good, cert: good, secure: true });
  const authority = new URL('../support/certificates/authority.pem', import.meta.url).pathname;
  const place = await makeStorePlace(t, 'sqlite');
  const env = { ...environmentFor(place), SMTP_URL: mail.url, MAIL_FROM: 'ideas@acme.example' };
  const server = await startServer(t, { ...env, NODE_EXTRA_CA_CERTS: authority });
  assert.equal((await runCommand(['owner', 'invite', '--email', 'olga@example.com'], env)).status, 0);
  await until('the invitation has arrived', () => mail.mails.length > 0);
  assert.deepEqual(mail.mails[0]?.to, ['olga@example.com']);
  assert.doesNotMatch(server.stderr(), /"level":"warn"/);
});

test('a mail server whose certificate is not checked, or whose port does not suit the scheme, is named at the start', async (t) => {
  for (const [url, words] of [
    [
      'smtps://mail.invalid?tls.rejectUnauthorized=false',
      /mail is sent without checking the certificate of the mail server/,
    ],
    ['smtp://mail.invalid:465', /SMTP_URL has the port 465: there TLS is on from the start, so use smtps:\/\//],
    ['smtps://mail.invalid:587', /SMTP_URL has the port 587: there TLS is turned on by STARTTLS, so use smtp:\/\//],
  ] as const) {
    const env = environmentFor(await makeStorePlace(t, 'sqlite'));
    const server = await startServer(t, { ...env, SMTP_URL: url });
    assert.match(server.stderr(), words);
    await server.end('SIGTERM');
  }
});
