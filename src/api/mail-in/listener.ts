import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import { MAX_MAIL_BYTES } from '../../operations/mail-in/message.ts';
import type { Outcome } from '../../operations/mail-in/outcome.ts';
import { type MailInDeps, receiveMail } from '../../operations/mail-in/receiving.ts';
import { findRecipient } from '../../operations/mail-in/recipients.ts';
import { AppError } from '../../platform/errors.ts';
import { networkOf } from '../../platform/http/ip.ts';
import { MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { countAttempt } from '../../platform/limits/throttle.ts';
import type { MailInConfig } from '../../platform/mail-in-settings.ts';

/** Connections at once, also from one address. */
const MAX_CONNECTIONS = 50;
const MAX_OF_ADDRESS = 10;
const MAX_RECIPIENTS = 3;
/** How long a client may be silent. */
const SILENCE_MS = 60 * SECOND_MS;
/** How long a connection may last: by then the largest mail is here, and who sends a byte at a time holds none for others. */
const SESSION_MS = 10 * MINUTE_MS;
/** Addresses that do not exist, in one connection. */
const MAX_UNKNOWN = 5;
/** How long open sessions may go on when the server stops. */
const CLOSE_MS = 5 * SECOND_MS;

type Settings = Pick<MailInConfig, 'certificate'> & { host: string; port: number; sessionMs?: number };

/** A listener that runs. */
export type MailListener = { port: number; close(): Promise<void> };

/**
 * Listens for mail by SMTP. It takes mail only for addresses that exist, passes none on, and says 250 only after an idea or
 * comment is stored, or the mail needs nothing.
 */
export async function listenForMail(
  deps: MailInDeps,
  { host, port, certificate, sessionMs = SESSION_MS }: Settings,
): Promise<MailListener> {
  const { SMTPServer } = await import('smtp-server');
  const open = new Map<string, number>();
  const server = new SMTPServer({
    banner: 'Earshot',
    size: MAX_MAIL_BYTES,
    authOptional: true,
    disabledCommands: certificate ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    ...(certificate && { cert: readFileSync(certificate.certFile), key: readFileSync(certificate.keyFile) }),
    disableReverseLookup: true,
    logger: false,
    maxClients: MAX_CONNECTIONS,
    socketTimeout: SILENCE_MS,
    closeTimeout: CLOSE_MS,
    onConnect({ remoteAddress }, done) {
      const count = (open.get(remoteAddress) ?? 0) + 1;
      open.set(remoteAddress, count);
      done(count > MAX_OF_ADDRESS ? fault(421, 'Too many connections from your address') : null);
    },
    onClose({ remoteAddress }) {
      const count = (open.get(remoteAddress) ?? 1) - 1;
      if (count > 0) open.set(remoteAddress, count);
      else open.delete(remoteAddress);
    },
    onRcptTo: recipientCheck(deps),
    onData(stream, session, done) {
      const counted = countOver(deps, session.remoteAddress);
      counted.catch(() => {});
      const chunks: Buffer[] = [];
      let size = 0;
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= MAX_MAIL_BYTES) chunks.push(chunk);
      });
      stream.on('error', () => done(fault(451, 'Try again later')));
      stream.on('end', () => {
        if (size > MAX_MAIL_BYTES) return done(fault(552, 'The mail is too large'));
        counted
          .then(() => receiveFor(deps, Buffer.concat(chunks), session))
          .then(
            (outcomes) => done(faultOf(outcomes), 'Taken'),
            (err) => {
              if (err instanceof AppError) return done(fault(451, 'Too many mails from your network, try again later'));
              deps.log.error({ err }, 'A mail was not taken, and may come again');
              done(fault(451, 'Try again later'));
            },
          );
      });
    },
  });
  server.server.on('connection', (socket: Socket) => {
    const timer = setTimeout(() => socket.destroy(), sessionMs).unref();
    socket.once('close', () => clearTimeout(timer));
  });
  // Of a client, which has gone.
  server.on('error', (err) => deps.log.debug({ err }, 'a connection for mail failed'));
  const listening = await new Promise<ReturnType<typeof server.listen>>((resolve, reject) => {
    const starting = server.listen(port, host, () => resolve(starting));
    starting.once('error', reject);
  });
  const address = listening.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  return { port: bound, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Says which recipients there are. Who guesses many is not listened to any longer. */
function recipientCheck(deps: MailInDeps): NonNullable<SMTPServerOptions['onRcptTo']> {
  const unknown = new WeakMap<SMTPServerSession, number>();
  return ({ address }, session, done) => {
    if (session.envelope.rcptTo.length >= MAX_RECIPIENTS) return done(fault(452, 'Too many recipients'));
    const guessed = unknown.get(session) ?? 0;
    if (guessed >= MAX_UNKNOWN) return done(fault(421, 'Too many addresses that do not exist'));
    findRecipient(deps.db.read, deps, address).then(
      (found) => {
        if (!found) unknown.set(session, guessed + 1);
        done(found ? null : fault(550, 'There is no such address here'));
      },
      () => done(fault(451, 'Try again later')),
    );
  };
}

/** Counts a mail from a network; not from a mail server of the own one. @throws RATE_LIMIT_EXCEEDED */
async function countOver({ db, clock }: MailInDeps, remoteAddress: string): Promise<void> {
  const address = publicAddress(remoteAddress);
  if (address !== null) await countAttempt(db, clock, 'mails over', networkOf(address));
}

async function receiveFor(deps: MailInDeps, raw: Buffer, session: SMTPServerSession): Promise<Outcome[]> {
  const { envelope, remoteAddress, hostNameAppearsAs } = session;
  const sender = envelope.mailFrom ? envelope.mailFrom.address : '';
  const known = { sender, ip: publicAddress(remoteAddress), helo: hostNameAppearsAs || null };
  const outcomes: Outcome[] = [];
  for (const { address } of envelope.rcptTo)
    outcomes.push(await receiveMail(deps, { raw, to: address, envelope: known }));
  return outcomes;
}

/** The address of a client as SPF needs it; null for one of the own network, which is a mail server in front of this one. */
function publicAddress(text: string): string | null {
  if (!ipaddr.isValid(text)) return null;
  const address = ipaddr.process(text);
  return address.range() === 'unicast' ? address.toString() : null;
}

/** One answer for all recipients: what was done for some is not done again. */
function faultOf(outcomes: readonly Outcome[]): Error | null {
  const later = outcomes.find(({ kind }) => kind === 'later');
  if (later) return fault(451, 'Too many mails, try again later');
  const [first] = outcomes;
  const isRefused = first?.kind === 'refused' && outcomes.every(({ kind }) => kind === 'refused');
  return isRefused ? fault(550, `The mail was refused: ${first.reason.replace(/[^ -~]/g, '?').slice(0, 200)}`) : null;
}

function fault(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}
