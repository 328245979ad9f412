import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onEnd } from './cleanup.ts';

/** A mail as a receiver reads it: the envelope, the headers by lower-case name, and the text. */
export type ReceivedMail = {
  from: string;
  to: string[];
  headers: Record<string, string>;
  text: string;
  /** Empty in a mail of text alone. */
  html: string;
  /** What came over the wire. */
  raw: string;
};

export type MailServer = {
  /** What `SMTP_URL` is for it, without user and password. */
  url: string;
  port: number;
  mails: ReceivedMail[];
  /** Stops taking connections and breaks those there are. */
  close(): Promise<void>;
};

/** A real SMTP server that keeps what it receives; it is closed when the test ends. */
export async function startMailServer(
  t: TestContext,
  { port = 0, ...options }: SMTPServerOptions & { port?: number } = {},
): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 10,
    onData(stream, { envelope: { mailFrom, rcptTo } }, done) {
      stream.toArray().then((chunks: Buffer[]) => {
        const from = mailFrom ? mailFrom.address : '';
        mails.push({ from, to: rcptTo.map(({ address }) => address), ...parseMail(Buffer.concat(chunks).toString()) });
        done();
      }, done);
    },
    ...options,
  });
  server.on('error', () => {}); // a client broke its connection, which is its own affair
  const listening = server.listen(port, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  onEnd(t, close);
  const url = `${options.secure ? 'smtps' : 'smtp'}://127.0.0.1:${address.port}`;
  return { url, port: address.port, mails, close };
}

/** Reads a mail, as a mail program does: one text part, or the same as text and HTML. */
export function parseMail(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html' | 'raw'> {
  const { headers, text } = parsePart(raw);
  const boundary = /^multipart\/alternative;.*boundary="(.+?)"/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return { headers, text, html: '', raw };
  const parts = raw
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => parsePart(part.replace(/^\r\n/, '')));
  const find = (type: string) => parts.find((part) => part.headers['content-type']?.startsWith(type))?.text ?? '';
  return { headers, text: find('text/plain'), html: find('text/html'), raw };
}

function parsePart(raw: string): { headers: Record<string, string>; text: string } {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      decodeWords(line.slice(line.indexOf(':') + 2)),
    ]),
  );
  const text = decodeBody(raw.slice(end + 4), headers['content-transfer-encoding']).replaceAll('\r\n', '\n');
  return { headers, text };
}

function decodeBody(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  return encoding === 'quoted-printable' ? decodeQuoted(body.replaceAll('=\r\n', '')) : body;
}

/** RFC 2047; white space between two encoded words is none. */
function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_, form: string, text: string) =>
      form.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString() : decodeQuoted(text.replaceAll('_', ' ')),
    );
}

function decodeQuoted(text: string): string {
  return text.replace(/(=[0-9A-F]{2})+/g, (run) => Buffer.from(run.replaceAll('=', ''), 'hex').toString());
}
