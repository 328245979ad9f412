import type { Address, Attachment, Email } from 'postal-mime';
import { findableAddress } from '../../platform/texts/email.ts';
import { refused } from './outcome.ts';

/** Bytes of a mail that comes in; what providers take themselves, such as Gmail's 25 MB, fits. */
export const MAX_MAIL_BYTES = 26_214_400;
/** Lines that may separate parts. */
const MAX_SEPARATORS = 2_000;
const LIMITS = { maxNestingDepth: 20, maxHeadersSize: 131_072, maxRfc822NestingDepth: 1, forceRfc822Attachments: true };

/** Of two, a signature would be for one and programs would show the other (RFC 6376, section 8.15). */
const ONCE = ['subject', 'to', 'cc', 'content-type'];

/** A mail, as far as it is used. */
export type Message = {
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

/** Reads a mail. @throws MailRefusal for what is too large, too deeply nested, or from no one or several */
export async function readMessage(raw: Buffer): Promise<Message> {
  if (raw.length > MAX_MAIL_BYTES) throw refused('it is too large');
  if (countSeparators(raw) > MAX_SEPARATORS) throw refused('it has too many parts');
  const { default: PostalMime } = await import('postal-mime');
  const mail = await PostalMime.parse(raw, LIMITS).catch(() => {
    throw refused('its headers or parts are too many, or nested too deeply');
  });
  const values = (name: string) => mail.headers.flatMap(({ key, value }) => (key === name ? [value] : []));
  if (ONCE.some((name) => values(name).length > 1)) throw refused('headers of it are repeated');
  return {
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

/** How many lines begin like those between parts. */
function countSeparators(raw: Buffer): number {
  let count = 0;
  for (let at = raw.indexOf('\n--'); at >= 0 && count <= MAX_SEPARATORS; at = raw.indexOf('\n--', at + 3)) count++;
  return count;
}

/** The one sender: a program that shows another of several would show another author. */
async function requireSender(values: readonly string[]): Promise<Message['from']> {
  const { addressParser, decodeWords } = await import('postal-mime');
  const senders = values.flatMap((value) => addressParser(value.slice(0, 2_000))).flatMap(mailboxesOf);
  const [sender] = senders;
  const address = sender && findableAddress(decodeWords(sender.address));
  if (!sender || !address?.includes('@') || senders.length > 1 || values.length > 1)
    throw refused('it has no single sender');
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
