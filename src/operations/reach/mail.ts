import { senderDomain } from '../../identity/settings/dns.ts';
import type { Reader } from '../../platform/db/db.ts';
import type { MailRow } from '../../platform/mail/mails.ts';
import { joinMessages, type LocalizedMessage, msg, quote } from '../../platform/messages.ts';
import { type Finding, right, unclear, wrong } from './finding.ts';
import { isOfThisMachine } from './visited.ts';

/** How mail is sent: `server` is the host of the mail server, or null if mails become files. */
export type MailWay = { server: string | null; from: string; baseUrl: string };

/** The latest mails of a board, as far as the result of sending them goes. */
export type MailResult = Pick<MailRow, 'state' | 'tries' | 'last_error' | 'date_created' | 'date_done'>;

const LATEST = 100;
const MAX_ERROR = 200;

/** Reads the latest mails of a board, the newest first. */
export function listMailResults(reader: Reader, boardId: string): Promise<MailResult[]> {
  const query = reader.selectFrom('mails').where('board_id', '=', boardId);
  const columns = ['state', 'tries', 'last_error', 'date_created', 'date_done'] as const;
  return query.select(columns).orderBy('id', 'desc').limit(LATEST).execute();
}

/** Whether mail leaves the server. */
export function judgeMail(mails: readonly MailResult[], { server, baseUrl }: MailWay): Finding<'mail'> {
  if (server === null) {
    const subject = { check: 'mail', seen: msg('reachStoredAsFiles') } as const;
    if (isOfThisMachine(new URL(baseUrl).hostname)) return unclear(subject, null);
    const why = msg('reachNoMailServer');
    return wrong(subject, why, 'SMTP_URL=smtps://user:password@mail.example.com');
  }
  const sent = mails.find(({ state }) => state === 'sent');
  const bounced = mails.find(({ state }) => state === 'bounced');
  const failed = mails.find(({ state, tries }) => state === 'given_up' || (state === 'waiting' && tries > 0));
  const seen = joinMessages(
    quote(server),
    sent ? msg('reachLastSent', timeOf(sent)) : msg('reachNothingSent'),
    ...(bounced ? [msg('reachLastBounce', timeOf(bounced), causeOf(bounced))] : []),
  );
  const subject = { check: 'mail', seen } as const;
  const isOver = failed && sent && (sent.date_done ?? 0) > failed.date_created;
  if (failed?.last_error && !isOver) return wrong(subject, msg('reachLastEmailFailed', causeOf(failed)), null);
  return sent ? right(subject) : unclear(subject, null);
}

/** Whether receivers can believe that the sender is this board. */
export function judgeSender({ server, from, baseUrl }: MailWay): Finding<'sender'>[] {
  if (server === null) return [];
  const subject = { check: 'sender', seen: quote(from) } as const;
  const { hostname } = new URL(baseUrl);
  const domain = senderDomain(from);
  if (domain === null) {
    const why = msg('reachSenderNotPublic');
    const own = hostname.includes('.') && !/^[\d.]+$/.test(hostname) ? hostname : 'example.com';
    return [wrong(subject, why, `MAIL_FROM=Earshot <feedback@${own}>`)];
  }
  if (areRelated(domain, hostname)) return [right(subject)];
  return [unclear(subject, msg('reachSenderDomainOther'))];
}

/** Whether two names belong together, as far as their last two labels tell. */
function areRelated(...names: [string, string]): boolean {
  const [one, other] = names.map((name) => name.split('.').slice(-2).join('.'));
  return one === other;
}

function causeOf({ last_error: error }: MailResult): LocalizedMessage {
  return quote((error ?? '').slice(0, MAX_ERROR));
}

function timeOf({ date_done, date_created }: MailResult): string {
  return `${new Date(date_done ?? date_created).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
