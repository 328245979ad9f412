import type { Address, Attachment, Email } from 'postal-mime';
import { findableAddress } from '../../platform/texts/email.ts';
import { refused } from './outcome.ts';

/** Bytes of a mail that comes in; what providers take themselves, such as Gmail's 25 MB, fits. */
export const MAX_MAIL_BYTES = 26_214_400;
/** Lines that may separate parts. */
const MAX_SEPARATORS = 2_000;
const LIMITS = { maxNestingDepth: 20, maxHeadersSize: 131_072, maxRfc822NestingDepth: 1, forceRfc822Attachments: true };

/** Of two, a signature would be for one and programs would show the other (RFC 6376, section 8.15). */
const ONCE = [
  ...['from', 'subject', 'to', 'cc', 'date', 'message-id'],
  ...['mime-version', 'content-type', 'content-transfer-encoding'],
];
/** Each is checked over the whole mail. */
const MAX_SIGNATURES = 10;
/** Characters of the header with the sender. */
const MAX_FROM = 2_000;

/** A mail, as far as it is used. */
export type Message = {
  /** Its bytes with the same end on every line, so that every program that reads them sees the same lines. */
  raw: Buffer;
  from: { address: string; name: string };
  /** Addresses in these headers, in lower case. */
  to: readonly string[];
  cc: readonly string[];
  subject: string;
  /** Empty if there is none. */
  id: string;
  dateSent: number | null;
  text: string | null;
  html: string | null;
  attachments: readonly Attachment[];
  /** The value of a header by its lower-case name; null if there is none. */
  header(name: string): string | null;
};

const read = new WeakMap<Buffer, Promise<Message>>();

/**
 * Reads a mail, once for all its recipients.
 * @throws MailRefusal for what is too large, too deeply nested, or from no one or several
 */
export function readMessage(given: Buffer): Promise<Message> {
  const message = read.get(given) ?? parseMessage(given);
  read.set(given, message);
  return message;
}

async function parseMessage(given: Buffer): Promise<Message> {
  if (given.length > MAX_MAIL_BYTES) throw refused('it is too large');
  const raw = withLineEnds(given);
  if (countSeparators(raw) > MAX_SEPARATORS) throw refused('it has too many parts');
  const { default: PostalMime } = await import('postal-mime');
  const mail = await PostalMime.parse(withQuotesApart(raw), LIMITS).catch(() => {
    throw refused('its headers or parts are too many, or nested too deeply');
  });
  const values = (name: string) => mail.headers.flatMap(({ key, value }) => (key === name ? [value] : []));
  if (ONCE.some((name) => values(name).length > 1)) throw refused('headers of it are repeated');
  if (values('dkim-signature').length > MAX_SIGNATURES) throw refused('it has too many signatures');
  if (isEncrypted(values('content-type')[0] ?? '', mail.text ?? ''))
    throw refused('it is encrypted, which is not read here');
  return {
    raw,
    from: await requireSender(values('from')),
    to: addressesOf(mail.to),
    cc: addressesOf(mail.cc),
    subject: oneLine(mail.subject ?? ''),
    id: (mail.messageId ?? '').slice(0, 998),
    dateSent: dateOf(mail),
    text: mail.text ?? null,
    html: mail.html ?? null,
    attachments: mail.attachments,
    header: (name) => values(name)[0] ?? null,
  };
}

/**
 * The mail with CR LF at the end of every line, as mails are sent and signed; some providers pass them on with LF.
 * @throws MailRefusal for a CR alone, after which some programs begin a line and others do not, and for headers with a NUL,
 * which some leave out
 */
function withLineEnds(raw: Buffer): Buffer {
  const text = raw.toString('latin1');
  if (/\r(?!\n)/.test(text)) throw refused('it has lines that end in an unusual way');
  const lines = text.replace(/(?<!\r)\n/g, '\r\n');
  const [headers = ''] = lines.split('\r\n\r\n', 1);
  if (headers.includes('\0')) throw refused('its headers have characters that none may have');
  return lines === text ? raw : Buffer.from(lines, 'latin1');
}

/**
 * The mail without spaces at the end of quoted lines. With `format=flowed` they mean that the line goes on, but never in a line
 * that is not quoted as deeply (RFC 3676, section 4.5), as which `postal-mime` would read what is written below a quote.
 */
function withQuotesApart(raw: Buffer): Buffer {
  const text = raw.toString('latin1');
  return /format="?flowed/i.test(text) ? Buffer.from(text.replace(/^>[^\r\n]*/gm, withoutSpacesAfter), 'latin1') : raw;
}

/** A line without spaces at its end, which may be encoded. */
function withoutSpacesAfter(line: string): string {
  let end = line.length;
  for (;;) {
    if (line[end - 1] === ' ') end -= 1;
    else if (line.startsWith('=20', end - 3)) end -= 3;
    else return line.slice(0, end);
  }
}

/** By OpenPGP or S/MIME, or signed so that only they can open it. */
function isEncrypted(type: string, text: string): boolean {
  const isWhole = /^\s*(multipart\/encrypted|application\/(x-)?pkcs7-mime)\b/i.test(type);
  return isWhole || text.trimStart().startsWith('-----BEGIN PGP MESSAGE-----');
}

/** How many lines begin like those between parts. */
function countSeparators(raw: Buffer): number {
  let count = 0;
  for (let at = raw.indexOf('\n--'); at >= 0 && count <= MAX_SEPARATORS; at = raw.indexOf('\n--', at + 3)) count++;
  return count;
}

/** As it is proven, too: without what one program decodes or leaves out and another does not. */
const PLAIN_ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)*$/i;

/** The one sender: a program that shows another of several would show another author. */
async function requireSender(values: readonly string[]): Promise<Message['from']> {
  const { addressParser, decodeWords } = await import('postal-mime');
  const [value = ''] = values;
  if (value.length > MAX_FROM) throw refused('it has no single sender');
  const [sender, another] = addressParser(value).flatMap(mailboxesOf);
  if (!sender || another) throw refused('it has no single sender');
  const address = PLAIN_ADDRESS.test(sender.address) ? findableAddress(sender.address) : null;
  if (!address) throw refused('the address of its sender is not a usual one');
  return { address, name: oneLine(decodeWords(sender.name)) };
}

function addressesOf(entries: readonly Address[] = []): string[] {
  return entries.flatMap(mailboxesOf).map(({ address }) => address.toLowerCase());
}

function mailboxesOf(entry: Address): { address: string; name: string }[] {
  return entry.group ? [...entry.group] : entry.address ? [entry] : [];
}

/** Encoded words may contain ends of lines, and texts marks that reverse what follows. */
function oneLine(text: string): string {
  return text
    .slice(0, 2_000)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toWellFormed();
}

function dateOf({ date }: Email): number | null {
  const instant = Date.parse(date ?? '');
  return Number.isNaN(instant) ? null : instant;
}
