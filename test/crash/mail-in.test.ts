import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, randomInt } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { createTransport } from 'nodemailer';
import { onEnd } from '../support/cleanup.ts';
import { startDns } from '../support/dns.ts';
import { findFreePort } from '../support/postgres.ts';
import { roundsOf } from '../support/rounds.ts';
import { engines, makeStorePlace, type StorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { withReader } from './board.ts';
import { makeClient } from './client.ts';
import { makeRandom } from './random.ts';
import { askEarshot, startServer } from './server.ts';

const MAILS = 200;
/** Each takes one mail after the other, and tries until it is taken; half of them by SMTP, half by HTTP. */
const SENDERS = 8;
/** A user may send 20 mails an hour, and mails that come again count. */
const USERS = 100;
const KILLS = roundsOf('CRASH_KILLS', { short: 5, long: 40 });
const DOMAIN = 'in.sender.test';
const SECRET = 'a secret of the tests';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
const RECORD = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;

type Mail = { title: string; from: string; raw: Buffer };
type Send = (mail: Mail) => Promise<void>;

for (const engine of engines) {
  test(`a mail is one idea, and none that was taken is lost, in ${KILLS} kills [${engine}]`, async (t) => {
    const seed = Number(process.env.CRASH_SEED) || randomInt(2 ** 32);
    console.log(`${engine}: CRASH_SEED=${seed}`);
    const random = makeRandom(seed);
    const place = await makeStorePlace(t, engine);
    const ports = { http: await findFreePort(), smtp: await findFreePort() };
    const start = await serverFor(t, place, ports);
    let server = await start();
    const to = await prepare(place, server.url);
    const mails = await Promise.all(Array.from({ length: MAILS }, (_, n) => makeMail(n, to)));
    const taken: string[] = [];
    const waiting = [...mails];
    const counts = { tries: 0 };
    const ways = [bySmtp(t, ports.smtp, to), byHttp(server.url, to)];
    const senders = Array.from({ length: SENDERS }, async (_, n) => {
      for (let mail = waiting.shift(); mail; mail = waiting.shift()) {
        await sendUntilTaken(ways[n % 2] as Send, mail, counts);
        taken.push(mail.title);
      }
    });
    const all = Promise.all(senders);
    let kills = 0;
    while (kills < KILLS && waiting.length > 0) {
      kills++;
      const before = taken.length;
      await until('a mail is taken', () => taken.length > before || taken.length === MAILS);
      await delay(random.next() * 150);
      await server.kill();
      const known = [...taken];
      assert.deepEqual(await missing(place, known), [], `after kill ${kills}`);
      server = await start();
    }
    await all;
    const rows = await withReader(place, (reader) =>
      reader.selectFrom('posts').select(['title', 'upvotes', 'moderation_status']).execute(),
    );
    const found = rows.map((row) => [row.title, row.upvotes, row.moderation_status].join(' ')).sort();
    assert.deepEqual(found, mails.map(({ title }) => `${title} 1 APPROVED`).sort());
    t.diagnostic(`${MAILS} mails were sent ${counts.tries} times, with ${kills} kills`);
  });
}

/** What starts the server on the same ports, with lookups at a DNS server that knows the key of the senders. */
async function serverFor(t: TestContext, place: StorePlace, ports: { http: number; smtp: number }) {
  const dns = await startDns(t, (name, type) =>
    type === 'TXT' && name === 's1._domainkey.sender.test' ? [{ type: 'TXT', value: RECORD }] : 'NXDOMAIN',
  );
  const env = {
    INBOUND_MAIL_DOMAIN: DOMAIN,
    INBOUND_MAIL_SECRET: SECRET,
    INBOUND_SMTP_PORT: String(ports.smtp),
    TEST_DNS: dns.server,
    NODE_OPTIONS: `--import=${new URL('own-dns.ts', import.meta.url)}`,
  };
  return () => startServer(t, place, { env, port: ports.http });
}

/** Turns mail on, and adds the users that send it. @returns the address of the board */
async function prepare(place: StorePlace, url: string): Promise<string> {
  const { key = '' } = await askEarshot(place, 'key', 'create', '--name', 'load', '--rate', 'none');
  const client = makeClient(url, key);
  const query =
    'mutation($id: String!, $email: String) { createUser(ssotype: "SSO", userId: $id, email: $email) { id } }';
  for (let n = 0; n < USERS; n++) {
    const { errors } = await client.send(query, { id: `u${n}`, email: addressOf(n) }, null);
    assert.deepEqual(errors, []);
  }
  const { pid } = await withReader(place, (reader) =>
    reader.selectFrom('boards').select('pid').executeTakeFirstOrThrow(),
  );
  await askEarshot(place, 'board', 'update', '--board', pid, '--mail-in', 'on');
  return `${pid}@${DOMAIN}`;
}

const addressOf = (n: number) => `u${n % USERS}@sender.test`;

async function makeMail(n: number, to: string): Promise<Mail> {
  const from = addressOf(n);
  const title = `Idea ${n}`;
  const head = `From: ${from}\r\nTo: ${to}\r\nSubject: ${title}\r\nDate: ${new Date().toUTCString()}\r\nMessage-ID: <${n}@sender.test>\r\n`;
  const raw = Buffer.from(`${head}\r\nText ${n}\r\n`);
  const key = {
    signingDomain: 'sender.test',
    selector: 's1',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
  const { signatures } = await dkimSign(raw, { ...key, signatureData: [key] });
  return { title, from, raw: Buffer.concat([Buffer.from(signatures), raw]) };
}

/** Tries again after every failure but a refusal, as mail servers do. */
async function sendUntilTaken(send: Send, mail: Mail, counts: { tries: number }): Promise<void> {
  for (;;) {
    counts.tries++;
    try {
      return await send(mail);
    } catch (error) {
      if ((error as { responseCode?: number }).responseCode === 550) throw error;
      await delay(100);
    }
  }
}

function bySmtp(t: TestContext, port: number, to: string): Send {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    ignoreTLS: true,
    connectionTimeout: 2_000,
    socketTimeout: 20_000,
  });
  onEnd(t, async () => transport.close());
  return async ({ from, raw }) => void (await transport.sendMail({ envelope: { from, to }, raw }));
}

function byHttp(url: string, to: string): Send {
  return async ({ from, raw }) => {
    const body = JSON.stringify({ to, from, raw: raw.toString('base64') });
    const seconds = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex');
    const headers = { 'content-type': 'application/json', 'earshot-signature': `t=${seconds},v1=${signature}` };
    const response = await fetch(`${url}/api/v1/mail/raw`, { method: 'POST', headers, body });
    const text = await response.text();
    if (!response.ok || !text.includes('"kind":"idea"')) throw new Error(text);
  };
}

/** Titles of which the store has no idea. */
async function missing(place: StorePlace, titles: readonly string[]): Promise<string[]> {
  const rows = await withReader(place, (reader) => reader.selectFrom('posts').select('title').execute());
  const found = new Set(rows.map(({ title }) => title));
  return titles.filter((title) => !found.has(title));
}
