import { createHmac } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { AccountAccess } from '../../src/identity/accounts/access.ts';
import { Accounts } from '../../src/identity/accounts/accounts.ts';
import type { Db } from '../../src/platform/db/db.ts';
import { makeLog } from '../../src/platform/lib/log.ts';
import { type Letter, writeLetter } from '../../src/platform/mail/letter.ts';
import { renderText } from '../../src/platform/mail/plain.ts';
import { onEnd } from './cleanup.ts';
import { engines, openTestStore } from './store.ts';

/** A mail as its recipient reads it. */
export type Mail = { recipient: string; subject: string; body: string };

/** A browser: it keeps its cookies from one request to the next. */
export type TestBrowser = {
  cookies: Map<string, string>;
  address: string;
  /** What the browser does in one request. */
  access(): AccountAccess;
};

export type TestAccounts = {
  accounts: Accounts;
  db: Db;
  mails: Mail[];
  /** Mails of which the last has arrived. */
  takeMail(): Promise<Mail>;
  makeBrowser(address?: string): TestBrowser;
  advance(milliseconds: number): void;
};

export const PASSWORD = 'correct horse battery';

/** A test of accounts on each engine. */
export function testAccounts(name: string, work: (world: TestAccounts, t: TestContext) => Promise<void>): void {
  for (const engine of engines) {
    test(`${name} [${engine}]`, async (t) => {
      const db = await openTestStore(t, engine);
      const mails: Mail[] = [];
      let now = Date.now();
      const accounts = new Accounts({
        db,
        clock: { now: () => now },
        log: makeLog('silent'),
        baseUrl: 'http://board.test',
        secretKey: 'a secret of the tests',
        signInProviders: { providers: [], domains: [] },
        sendMail: async (mail) => {
          mails.push(read(mail));
        },
      });
      onEnd(t, () => accounts.idle());
      const world: TestAccounts = {
        accounts,
        db,
        mails,
        async takeMail() {
          await accounts.idle();
          const mail = mails.pop();
          if (!mail) throw new Error('No mail was sent');
          return mail;
        },
        makeBrowser: (address = '192.0.2.1') => makeBrowser(accounts, address),
        advance(milliseconds) {
          now += milliseconds;
        },
      };
      await work(world, t);
    });
  }
}

function read(letter: Letter): Mail {
  const color = { light: '#4b54bf', dark: '#4b54bf' };
  const brand = { name: 'Acme', url: 'http://board.test', logo: null, accent: color, soft: color };
  const mail = writeLetter(letter, { brand, language: 'en' });
  return { ...mail, body: renderText(mail.body) };
}

function makeBrowser(accounts: Accounts, address: string): TestBrowser {
  const cookies = new Map<string, string>();
  return {
    cookies,
    address,
    access: () =>
      accounts.of({
        address,
        userAgent: 'Test browser',
        cookies: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') || undefined,
        setCookie(cookie) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
          if (/max-age=0/i.test(cookie)) cookies.delete(name);
          else cookies.set(name, value);
        },
      }),
  };
}

/** The token at the end of the link in a mail. */
export function tokenOf({ body }: Pick<Mail, 'body'>): string {
  return /https?:\/\/\S+\/([\w.-]+)(\?\S*)?$/m.exec(body)?.[1] ?? '';
}

/** The code that an authenticator app shows for a secret in Base32 (RFC 6238). */
export function totpOf(secret: string, now: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
