import type { Message } from './message.ts';

/** What a mail is checked against for loops. */
type Own = { domain: string; mailFrom: string };

/**
 * Why nothing is done about a mail that no person has written to the board, such as an automatic answer, a delivery
 * report, an invitation to a meeting or a mail of a list (RFC 3834, section 2; RFC 2919; RFC 3464); null for all others.
 * @param sender that of the envelope, which reports leave empty; null if it is not known
 */
export function whyAutomatic(
  { header, from, id, attachments }: Message,
  sender: string | null,
  own: Own,
): string | null {
  if ((header('auto-submitted') ?? 'no').trim().toLowerCase().split(/[\s;]/)[0] !== 'no') return 'it is automatic';
  if (/^\s*(bulk|junk|list)\b/i.test(header('precedence') ?? '')) return 'it is a bulk mail';
  if (AUTOMATIC.some((name) => header(name) !== null)) return 'it is automatic';
  if (header('list-id') !== null || header('list-unsubscribe') !== null) return 'it is from a mailing list';
  if (sender === '' || (header('return-path') ?? 'x').trim() === '<>') return 'it is a delivery report';
  if (/^\s*multipart\/report\b/i.test(header('content-type') ?? '')) return 'it is a delivery report';
  if (/^(mailer-daemon|postmaster)@/.test(from.address)) return 'it is a delivery report';
  // Calendars send these in a part of their own, people attach files.
  if (attachments.some(({ method, disposition }) => method && disposition !== 'attachment'))
    return 'it is an invitation';
  return isOwn(from.address, id, own) ? 'it is from this server itself' : null;
}

const AUTOMATIC = ['x-auto-response-suppress', 'x-autoreply', 'x-autorespond', 'x-autoresponse', 'x-loop'];

/** Mails of this server have the id of their row as Message-ID, see `platform/mail/transport.ts`. */
function isOwn(address: string, id: string, { domain, mailFrom }: Own): boolean {
  const sender = (/<(.+)>$/.exec(mailFrom)?.[1] ?? mailFrom).toLowerCase();
  const host = sender.slice(sender.lastIndexOf('@') + 1);
  const isOwnId = /^<[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}@/i.test(id) && id.toLowerCase().endsWith(`@${host}>`);
  return isOwnId || address === sender || address.endsWith(`@${domain}`);
}
