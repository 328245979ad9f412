import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { domainToASCII } from 'node:url';
import type { SendMailOptions } from 'nodemailer';
import { SECOND_MS } from '../lib/clock.ts';
import { makeFolder } from '../lib/folder.ts';
import { isRefusal, RecipientRefusedError } from './bounces.ts';
import type { MailDocument } from './document.ts';
import { renderHtml } from './html.ts';
import type { MailRow } from './mails.ts';
import { renderText } from './plain.ts';
import type { ReplyAddresses } from './reply-addresses.ts';
import { describeSmtpFault } from './smtp-faults.ts';
import { connectLimitOf } from './smtp-url.ts';

/** The parts of a mail to send. */
type OutgoingMail = Pick<MailRow, 'id' | 'recipient' | 'subject' | 'date_created'> & {
  body: string | MailDocument;
  /** The post that it is about; mails about one post form a thread. */
  post_id?: string | null;
};

/** Delivers mail. */
export type MailTransport = {
  /** Resolves once a server or the disk has the mail. @throws an error whose message contains no password */
  send(mail: OutgoingMail): Promise<void>;
  /** Removes stored mails with these ids, or to these addresses (in lower case). */
  forget(ids: readonly string[], addresses: readonly string[]): Promise<void>;
  /** Ends all connections; mails being sent fail. */
  close(): void;
};

export type MailSettings = {
  smtpUrl: string | null;
  mailFrom: string;
  dataDir: string;
  /** Where answers to mails about posts go; without it they are no comments. */
  replies?: ReplyAddresses | null;
};

type Mailbox = { name: string; address: string };
type Sender = Mailbox & { replies: ReplyAddresses | null };

const SILENCE_LIMIT_MS = 30 * SECOND_MS;
/** Someone waits for the result. */
const VERIFY_LIMIT_MS = 10 * SECOND_MS;
/** Even a server that responds very slowly must be done before the lease on the mail (a minute) expires. */
const SEND_LIMIT_MS = 45 * SECOND_MS;

/** Sends by SMTP, or without a server stores each mail as a file in DATA_DIR/mail. */
export function makeTransport({ smtpUrl, mailFrom, dataDir, replies = null }: MailSettings): MailTransport {
  const from = { ...parseMailbox(mailFrom), replies };
  return smtpUrl === null ? makeFileTransport(mailFolder(dataDir), from) : makeSmtpTransport(smtpUrl, from);
}

/** Where mails are kept as files while there is no mail server. */
export function mailFolder(dataDir: string): string {
  return resolve(dataDir, 'mail');
}

function makeSmtpTransport(url: string, from: Sender): MailTransport {
  const openPool = async () => (await loadNodemailer()).createTransport({ ...optionsFor(url, from), pool: true });
  let opened: ReturnType<typeof openPool> | null = null;
  const hidePassword = makeHider(url);
  return {
    async send(mail) {
      try {
        opened ??= openPool();
        const pool = await opened;
        await pool.sendMail({ ...compose(mail, from), signal: AbortSignal.timeout(SEND_LIMIT_MS) });
      } catch (error) {
        // Not its cause either: servers may repeat what they were sent.
        const words = hidePassword(describeSmtpFault(error as Error, url));
        throw isRefusal(error as Error) ? new RecipientRefusedError(words) : new Error(words);
      }
    },
    async forget() {},
    close: () => void opened?.then((pool) => pool.close({ force: true })),
  };
}

/** How a mail server is reached. */
function optionsFor(url: string, from: Mailbox) {
  return {
    url,
    connectionTimeout: connectLimitOf(url),
    greetingTimeout: connectLimitOf(url),
    socketTimeout: SILENCE_LIMIT_MS,
    ...nameInGreeting(from),
  };
}

/**
 * The name that a client gives in EHLO. A container's is no host name, and nodemailer then gives `[127.0.0.1]`, which some
 * relays, such as that of Google Workspace, refuse.
 */
function nameInGreeting({ address }: Mailbox): { name?: string } {
  const domain = domainOf(address);
  return hostname().includes('.') || !domain.includes('.') ? {} : { name: domain };
}

/**
 * Connects to the mail server as for a mail, with TLS and the user and password if there are any, and sends nothing.
 * @throws an error whose message contains no password
 */
export async function verifyMailServer(url: string, mailFrom: string): Promise<void> {
  const limits = { connectionTimeout: VERIFY_LIMIT_MS, greetingTimeout: VERIFY_LIMIT_MS };
  const options = { ...optionsFor(url, parseMailbox(mailFrom)), ...limits };
  const transport = (await loadNodemailer()).createTransport(options);
  try {
    await transport.verify();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw Object.assign(new Error(makeHider(url)(describeSmtpFault(error as Error, url))), { code });
  } finally {
    transport.close();
  }
}

function makeFileTransport(folder: string, from: Sender): MailTransport {
  return {
    async send(mail) {
      const { createTransport } = await loadNodemailer();
      const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
      const { message } = await composer.sendMail(compose(mail, from));
      makeFolder(folder);
      // Windows does not allow colons in file names. The name is the mail's own, so a repeat replaces the file.
      const instant = new Date(mail.date_created).toISOString().replaceAll(':', '-');
      await writeWhole(join(folder, `${instant}-${mail.id}.eml`), message);
    },
    async forget(ids, addresses) {
      const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.eml'));
      for (const file of files.map((name) => join(folder, name))) {
        const isNamed = ids.some((id) => file.endsWith(`-${id}.eml`));
        if (isNamed || (addresses.length > 0 && addresses.includes(await readRecipient(file)))) await rm(file);
      }
    },
    close() {},
  };
}

/** The recipient of a mail stored in a file; none if the file no longer exists. */
async function readRecipient(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return (/^To:\s*(\S+)/im.exec(text)?.[1] ?? '').toLowerCase();
}

/** Loaded with the first mail: it takes 35 ms and 8 MB, and many processes never send one. */
function loadNodemailer() {
  return import('nodemailer');
}

function compose(mail: OutgoingMail, { replies, ...from }: Sender): SendMailOptions {
  const { id, recipient, subject, body, date_created, post_id: postId = null } = mail;
  const domain = domainOf(from.address);
  const document = typeof body === 'string' ? null : body;
  return {
    from: document?.list ? { ...from, name: document.brand.name } : from,
    // As an object: in a string, a comma in the address would make it two.
    to: { name: '', address: recipient },
    ...(document?.takesReplies && postId !== null && replies && { replyTo: replies.addressFor(id) }),
    subject: document?.subject ?? subject,
    ...(document ? { text: renderText(document), html: renderHtml(document) } : { text: body as string }),
    date: new Date(date_created),
    // The mail's own, so that a mail sent twice around a crash can be distinguished from two mails.
    messageId: `<${id}@${domain}>`,
    // The first mail of a thread does not exist: so each reader's thread has the same beginning, whichever came first.
    ...(postId !== null && { inReplyTo: `<post-${postId}@${domain}>`, references: `<post-${postId}@${domain}>` }),
    headers: { 'Auto-Submitted': 'auto-generated', ...listHeaders(document?.list ?? null, domain) },
  };
}

function domainOf(address: string): string {
  return domainToASCII(address.replace(/^.*@/, '')) || 'localhost';
}

/** Headers that let a mail program offer to unsubscribe with one request (RFC 2369, RFC 2919, RFC 8058). */
function listHeaders(list: MailDocument['list'], domain: string): Record<string, string> {
  if (list === null) return {};
  return {
    'List-Id': `<${list.id}.${domain}>`,
    'List-Unsubscribe': `<${list.unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** `Acme <ideas@acme.example>` or a bare address; the settings have validated the form. */
function parseMailbox(text: string): Mailbox {
  const [, name = '', address = text] = /^(.*)<(.+)>$/.exec(text) ?? [];
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
}

/**
 * Returns a function that redacts the password of a URL in a text, in every form in which SMTP or an error may show
 * it.
 */
function makeHider(url: string): (text: string) => string {
  const { username, password } = new URL(url);
  if (password === '') return (text) => text;
  const [user, plain] = [decode(username), decode(password)];
  const forms = [toBase64(`\0${user}\0${plain}`), toBase64(plain), password, plain];
  return (text) => forms.reduce((left, form) => left.replaceAll(form, '[password]'), text);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** No partial file is ever visible, and after a crash it is complete or absent. */
async function writeWhole(file: string, content: Parameters<typeof writeFile>[1]): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, content, { mode: 0o600, flush: true });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
