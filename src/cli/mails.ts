import { listenForMail, type MailListener } from '../api/mail-in/listener.ts';
import { makeFileFolder } from '../feedback/files/folder.ts';
import type { MailInDeps } from '../operations/mail-in/receiving.ts';
import type { Config } from '../platform/config.ts';
import type { Db } from '../platform/db/db.ts';
import type { Clock } from '../platform/lib/clock.ts';
import type { Logger } from '../platform/lib/log.ts';
import { makeReplyAddresses } from '../platform/mail/reply-addresses.ts';
import { findSmtpProblems, readSmtpUrl } from '../platform/mail/smtp-url.ts';
import { mailFolder, makeTransport } from '../platform/mail/transport.ts';

type Server = { db: Db; clock: Clock; log: Logger; secretKey: string };
type MailIn = { deps: MailInDeps; secret: string | null };

/** What sends mail, what pages tell of it, and what receives it. */
export function makeMails(config: Config, server: Server) {
  const { smtpUrl, mailFrom, dataDir } = config;
  for (const problem of smtpUrl ? findSmtpProblems(smtpUrl) : []) server.log.warn(problem);
  const mailIn = makeMailIn(config, server);
  const transport = makeTransport({ ...config, replies: mailIn?.deps.replies ?? null });
  const about = {
    server: smtpUrl && readSmtpUrl(smtpUrl).host,
    from: mailFrom,
    folder: mailFolder(dataDir),
    domainIn: config.mailIn?.domain ?? null,
  };
  return { mailIn, transport, mail: { transport, ...about } };
}

/** What mail that comes in is received with; null if none does. */
function makeMailIn(
  { mailIn, mailFrom, dataDir, baseUrl }: Config,
  { db, clock, log, secretKey }: Server,
): MailIn | null {
  if (!mailIn) return null;
  const { domain, secret } = mailIn;
  const replies = makeReplyAddresses(secretKey, domain);
  return { deps: { db, clock, log, baseUrl, folder: makeFileFolder(dataDir), domain, mailFrom, replies }, secret };
}

/** Starts the SMTP listener if the settings ask for it; a process that does background work only has none. */
export async function listenIfAsked(
  mailIn: MailIn | null,
  { mailIn: settings, host, role }: Config,
): Promise<MailListener | null> {
  if (!mailIn || !settings?.smtpPort || role === 'worker') return null;
  const { smtpHost, smtpPort: port, certificate } = settings;
  const listener = await listenForMail(mailIn.deps, { host: smtpHost ?? host, port, certificate });
  mailIn.deps.log.info({ port: listener.port }, 'listening for mail');
  return listener;
}
