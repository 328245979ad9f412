import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import type { Envelope } from '../../src/operations/mail-in/authentication.ts';
import type { Outcome } from '../../src/operations/mail-in/outcome.ts';
import { type MailInDeps, receiveMail } from '../../src/operations/mail-in/receiving.ts';
import { makeReplyAddresses } from '../../src/platform/mail/reply-addresses.ts';
import { makeTestApp, type TestApp, type TestConfig } from './app.ts';
import { engines } from './store.ts';

export const DOMAIN = 'in.example.com';
export const SECRET = 'a secret of the tests';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const KEY = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
export const PRIVATE_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** An app whose board takes mail; `example.com` signs its mails, and `203.0.113.5` may send them. */
export type MailIn = {
  app: TestApp;
  deps: MailInDeps;
  /** Records of TXT by name. */
  records: Map<string, string>;
  /** Hands over a mail to the address of the board, by default signed and from a server that is not known. */
  send(
    mail: string | Buffer,
    options?: { to?: string; isSigned?: boolean; envelope?: Partial<Envelope> },
  ): Promise<Outcome>;
};

/** A test of mail that comes in, on both engines. */
export function testMailIn(
  name: string,
  work: (mailIn: MailIn, t: TestContext) => Promise<void>,
  config: TestConfig = {},
): void {
  for (const engine of engines) {
    test(`${name} [${engine}]`, async (t) => {
      const records = new Map([
        [`s1._domainkey.example.com`, `v=DKIM1; k=rsa; p=${KEY}`],
        ['example.com', 'v=spf1 ip4:203.0.113.5 -all'],
      ]);
      let deps: MailInDeps | undefined;
      const app = await makeTestApp(t, engine, {
        ...config,
        mailIn: (own) => {
          const replies = makeReplyAddresses('a secret key of the tests', DOMAIN);
          deps = {
            ...own,
            domain: DOMAIN,
            mailFrom: 'Earshot <earshot@board.test>',
            replies,
            resolve: resolverOf(records),
          };
          return { deps, secret: SECRET };
        },
      });
      if (!deps) throw new Error('The app takes no mail');
      const receiving = deps;
      await setBoard(app, { is_mail_in_enabled: 1 });
      const send: MailIn['send'] = async (mail, { to = `acme@${DOMAIN}`, isSigned = true, envelope = {} } = {}) => {
        const raw = isSigned ? await sign(mail) : toBytes(mail);
        return receiveMail(receiving, { raw, to, envelope: { sender: null, ip: null, helo: null, ...envelope } });
      };
      await work({ app, deps, records, send }, t);
    });
  }
}

/** Changes columns of the board. */
export async function setBoard({ db, board }: TestApp, set: Record<string, unknown>): Promise<void> {
  await db.transaction((tx) => tx.updateTable('boards').set(set).where('id', '=', board.id).execute());
}

function resolverOf(records: ReadonlyMap<string, string>) {
  return async (name: string, type: string) => {
    const record = type === 'TXT' ? records.get(name.toLowerCase()) : undefined;
    if (record === undefined) throw Object.assign(new Error(`No ${type} of ${name}`), { code: 'ENOTFOUND' });
    return [[record]];
  };
}

/** A mail as bytes, with the ends of lines that mails have. */
export function toBytes(mail: string | Buffer): Buffer {
  return typeof mail === 'string' ? Buffer.from(mail.replace(/\r?\n/g, '\r\n')) : mail;
}

/** A mail with the signature of a domain. */
export async function sign(mail: string | Buffer, signingDomain = 'example.com'): Promise<Buffer> {
  const raw = toBytes(mail);
  const key = { signingDomain, selector: 's1', privateKey: PRIVATE_KEY };
  const { signatures } = await dkimSign(raw, { ...key, signatureData: [key] });
  return Buffer.concat([Buffer.from(signatures), raw]);
}

/** A mail of a client, from test/support/mails. */
export function readMail(name: string): Buffer {
  const bytes = readFileSync(new URL(`mails/${name}.eml`, import.meta.url), 'latin1');
  return Buffer.from(bytes.replace(/\r?\n/g, '\r\n'), 'latin1');
}

let count = 0;

/** A plain mail; headers that are given replace those of the example, and null removes one. */
export function plainMail(text: string, headers: Record<string, string | null> = {}): string {
  const all = {
    From: 'Lina Haddad <lina@example.com>',
    To: `acme@${DOMAIN}`,
    Subject: 'An idea',
    Date: 'Sat, 21 Nov 2026 09:12:04 +0000',
    'Message-ID': `<mail-${count++}@example.com>`,
    'Content-Type': 'text/plain; charset=utf-8',
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : `${name}: ${value}`));
  return `${lines.join('\n')}\n\n${text}\n`;
}
