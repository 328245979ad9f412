import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { START } from '../../../test/support/app.ts';
import { parseMail, startMailServer } from '../../../test/support/mail-server.ts';
import { openPostOffice } from '../../../test/support/post-office.ts';
import { engines } from '../../../test/support/store.ts';
import { HOUR_MS } from '../lib/clock.ts';

for (const engine of engines) {
  test(`a mail arrives with sender, recipient, date, an id of its own, and as made by a machine [${engine}]`, async (t) => {
    const server = await startMailServer(t);
    const post = await openPostOffice(t, engine);
    const id = await post.queue({
      recipient: 'ada@example.com',
      subject: 'Your webhook',
      body: 'It fails.\n.\nReally.\n',
    });
    post.clock.advance(HOUR_MS);
    await post.work({ smtpUrl: server.url, mailFrom: 'Acme, "Inc." <ideas@acme.example>' }).settled();
    const [{ from, to, headers, text } = fail()] = server.mails;
    assert.deepEqual([from, to, server.mails.length], ['ideas@acme.example', ['ada@example.com'], 1]);
    assert.match(headers.from ?? '', /^".*Acme, .*Inc\..*" <ideas@acme\.example>$/);
    assert.equal(headers.to, 'ada@example.com');
    assert.equal(headers.subject, 'Your webhook');
    assert.equal(headers['message-id'], `<${id}@acme.example>`);
    assert.equal(Date.parse(headers.date ?? ''), START);
    assert.equal(headers['auto-submitted'], 'auto-generated');
    assert.match(headers['content-type'] ?? '', /^text\/plain; charset=utf-8/);
    assert.equal(text.trimEnd(), 'It fails.\n.\nReally.');
    const { state, tries, date_done, lease_token } = await post.mailRow(id);
    assert.deepEqual([state, tries, date_done, lease_token], ['sent', 1, START + HOUR_MS, null]);
  });

  test(`after two days a mail is given up, with the last error and never the password [${engine}]`, async (t) => {
    const password = 'hunter2 "%&ü';
    const tellAll = `no: ${password} ${Buffer.from(password).toString('base64')} ${'x'.repeat(2_000)}`;
    const server = await startMailServer(t, {
      onAuth: (_, __, done) => done(new Error(tellAll)),
      allowInsecureAuth: true,
    });
    const post = await openPostOffice(t, engine);
    const id = await post.queue();
    const smtpUrl = server.url.replace('//', `//mailer:${encodeURIComponent(password)}@`);
    const worker = post.work({ smtpUrl });
    for (let n = 0; n < 20 && (await post.mailRow(id)).state === 'waiting'; n++) {
      await worker.settled();
      post.clock.advance(Math.max(0, (await post.mailRow(id)).date_due - post.clock.now()));
    }
    const { state, tries, last_error, date_done } = await post.mailRow(id);
    assert.deepEqual([state, tries], ['given_up', 9]);
    assert.ok(Math.abs((date_done ?? 0) - START - 46 * HOUR_MS) < 4 * HOUR_MS);
    assert.match(
      last_error ?? '',
      /does not accept user and password .* \(Invalid login: 535 no: \[password\] \[password\] x+…$/,
    );
    assert.ok((last_error ?? '').length <= 500);
    assert.equal(server.mails.length, 0);
  });

  test(`no text makes another header or another recipient [${engine}]`, async (t) => {
    const server = await startMailServer(t);
    const post = await openPostOffice(t, engine);
    for (const recipient of [
      'a@b\r\nBcc: evil@example.com',
      'a@b\n',
      'a@b, evil@example.com',
      'a@b c',
      'a',
      '',
      'a@b@c',
    ]) {
      await assert.rejects(post.queue({ recipient }), /address of one recipient/);
    }
    const breaks = ['\r\n', '\n', '\r', '\u2028', '\u0085', '\0', '\u000b'];
    for (const end of breaks) await post.queue({ subject: `Hello${end}Bcc: evil@example.com${end}${end}body` });
    const odd = ['a,evil@example.com', 'x;y:z@example.com', '"evil"@example.com'];
    const refused = '<evil>@example.com'; // by the server: it is no address
    for (const recipient of [...odd, refused]) await post.queue({ recipient });
    await post.work({ smtpUrl: server.url }).settled();
    assert.equal(server.mails.length, breaks.length + odd.length);
    for (const { headers, to, raw } of server.mails) {
      assert.equal(to.length, 1);
      assert.ok(!('bcc' in headers) && !('cc' in headers), raw);
      if (headers.subject !== 'A subject') assert.equal(headers.subject, 'Hello Bcc: evil@example.com body');
    }
    assert.ok(!server.mails.some(({ to }) => to.includes('evil@example.com')), 'an address was cut out of another');
  });

  test(`text of every script arrives as it was written [${engine}]`, async (t) => {
    const server = await startMailServer(t);
    const post = await openPostOffice(t, engine);
    const subject = `Ideen für „Grüße“ — 深色模式, ${'темная тема '.repeat(8)}👩‍👩‍👧 =?utf-8?q?x?=`;
    const body = `Grüße 👋🏽\n\n\tשלום = 3%\n${'深'.repeat(2_000)}\n${'x'.repeat(5_000)}\nFrom here\n..`;
    await post.queue({ subject, body, recipient: 'ada@jõgeva.example' });
    await post.work({ smtpUrl: server.url, mailFrom: 'Bücher & Söhne <a@bücher.example>' }).settled();
    const [{ to, headers, text, raw } = fail()] = server.mails;
    assert.deepEqual(to, ['ada@jõgeva.example']); // as the server shows it
    assert.equal(headers.subject, subject.trim());
    assert.match(headers.from ?? '', /Bücher & Söhne"? <a@xn--bcher-kva\.example>$/);
    assert.match(headers['message-id'] ?? '', /@xn--bcher-kva\.example>$/);
    assert.equal(text.trimEnd(), body);
    assert.ok(raw.split('\r\n').every((line) => Buffer.byteLength(line) <= 998));
  });
}

test('without a server each mail becomes a file that its owner alone may read', async (t) => {
  const post = await openPostOffice(t, 'sqlite');
  const id = await post.queue({ subject: 'Grüße', body: 'Zeile 1\nZeile 2' });
  await post.work({ smtpUrl: null }).settled();
  const folder = join(post.place.dataDir, 'mail');
  assert.deepEqual(readdirSync(folder), [`2026-11-21T09-30-00.000Z-${id}.eml`]);
  const file = join(folder, readdirSync(folder)[0] ?? '');
  const { headers, text } = parseMail(readFileSync(file, 'utf8'));
  assert.deepEqual([headers.subject, headers.to, text.trimEnd()], ['Grüße', 'ada@example.com', 'Zeile 1\nZeile 2']);
  if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('a folder that cannot be written keeps mail waiting, with the reason', async (t) => {
  const post = await openPostOffice(t, 'sqlite');
  const id = await post.queue();
  await post.work({ smtpUrl: null, dataDir: join(post.place.dataDir, 'earshot.db') }).settled();
  const { state, last_error } = await post.mailRow(id);
  assert.equal(state, 'waiting');
  assert.match(last_error ?? '', /ENOTDIR|EEXIST/);
});

test('a machine whose name is no host name greets with the domain of the sender', async (t) => {
  const names: string[] = [];
  const server = await startMailServer(t, {
    onMailFrom(_, { hostNameAppearsAs }, done) {
      names.push(hostNameAppearsAs || '');
      done();
    },
  });
  const post = await openPostOffice(t, 'sqlite');
  await post.queue();
  await post.work({ smtpUrl: server.url, mailFrom: 'ideas@acme.example' }).settled();
  assert.deepEqual(names, [hostname().includes('.') ? hostname() : 'acme.example']);
});

test('mail goes through TLS when the server offers it', async (t) => {
  const secure: boolean[] = [];
  const server = await startMailServer(t, {
    disabledCommands: [],
    onMailFrom(_, session, done) {
      secure.push(session.secure);
      done();
    },
  });
  const post = await openPostOffice(t, 'sqlite');
  const [strict, lenient] = [await post.queue(), await post.queue()];
  const worker = post.work({ smtpUrl: server.url });
  await worker.settled();
  assert.match((await post.mailRow(strict)).last_error ?? '', /certificate/);
  await worker.stop();
  post.clock.advance(HOUR_MS);
  await post.work({ smtpUrl: `${server.url}?tls.rejectUnauthorized=false` }).settled();
  assert.equal((await post.mailRow(lenient)).state, 'sent');
  assert.deepEqual(secure, [true, true]);
});

function fail(): never {
  throw new Error('nothing came');
}
