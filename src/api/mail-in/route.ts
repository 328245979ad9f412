import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MAX_MAIL_BYTES, readMessage } from '../../operations/mail-in/message.ts';
import { MailRefusal, type Outcome } from '../../operations/mail-in/outcome.ts';
import { type Incoming, type MailInDeps, receiveMail } from '../../operations/mail-in/receiving.ts';
import { badRequest, forbidden } from '../../platform/errors.ts';
import { readBytes } from '../../platform/http/body.ts';
import { readForm, readJsonMail, readPostmark } from './forms.ts';
import { hasPassword, requireMailgunSignature, requireSignature } from './signatures.ts';

export const MAIL_IN_PATH = '/api/v1/mail';
/** A mail with what forms add to it. */
const MAX_BODY = MAX_MAIL_BYTES + 1_048_576;
/** Recipients of one request. */
const MAX_RECIPIENTS = 5;
const NO_ENVELOPE = { sender: null, ip: null, helo: null };

type Deps = MailInDeps & { secret: string };

/**
 * Takes mails from providers and from scripts. Who sends is proven by a signature, or by a password for providers that do not
 * sign. A provider sends again what is answered with 503; all else is final.
 */
export function mailInRoutes(app: FastifyInstance, deps: Deps): void {
  const post = (path: string, read: (request: FastifyRequest) => Promise<Incoming[]>, refusedStatus = 200) =>
    app.post(`${MAIL_IN_PATH}/${path}`, async (request, reply) => {
      const mails = await read(request);
      return answer(reply.header('cache-control', 'no-store'), await receiveAll(deps, mails), refusedStatus);
    });
  post('raw', async (request) => {
    const body = await readBytes(request, MAX_BODY);
    requireSignature(request.headers['earshot-signature'], body, deps);
    const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
    return isJson ? [readJsonMail(body)] : toRecipients(deps, body);
  });
  // Mailgun sends the mail itself only to addresses that end with "mime".
  post(
    'mailgun/mime',
    async (request) => {
      const form = await readForm(request.headers['content-type'], await readBytes(request, MAX_BODY));
      await requireMailgunSignature(form, deps);
      const sender = form.get('sender') ?? null;
      return mailsOf(form.get('body-mime'), (form.get('recipient') ?? '').split(','), sender);
    },
    406,
  );
  post('postmark', async (request) => {
    requirePassword(request, deps);
    const { raw, to } = readPostmark(await readBytes(request, MAX_BODY));
    return mailsOf(raw, [to], null);
  });
  post('sendgrid', async (request) => {
    requirePassword(request, deps);
    const form = await readForm(request.headers['content-type'], await readBytes(request, MAX_BODY));
    const { to, from } = readEnvelope(form.get('envelope'));
    return mailsOf(form.get('email'), to, from);
  });
}

function requirePassword({ headers }: FastifyRequest, { secret }: Deps): void {
  if (!hasPassword(headers.authorization, secret))
    throw forbidden('The password in the address is not INBOUND_MAIL_SECRET');
}

/** A mail without an envelope is for whom its headers name. */
async function toRecipients(deps: Deps, raw: Buffer): Promise<Incoming[]> {
  const message = await readMessage(raw).catch((error: unknown) => {
    if (error instanceof MailRefusal) throw badRequest(`The mail was refused: ${error.message}`);
    throw error;
  });
  const named = [message.header('x-original-to'), message.header('delivered-to')].flatMap((address) => address ?? []);
  const own = [...new Set([...named.map((address) => address.trim().toLowerCase()), ...message.to, ...message.cc])];
  return mailsOf(
    raw,
    own.filter((address) => address.endsWith(`@${deps.domain}`)),
    null,
  );
}

function mailsOf(raw: string | Buffer | null | undefined, to: readonly string[], sender: string | null): Incoming[] {
  if (!raw) throw badRequest('The request has no mail as it was sent: let the provider include it (docs/capture.md)');
  const bytes = typeof raw === 'string' ? Buffer.from(raw) : raw;
  const all = [...new Set(to.map((address) => address.trim()))].filter(Boolean).slice(0, MAX_RECIPIENTS);
  return all.map((address) => ({ raw: bytes, to: address, envelope: { ...NO_ENVELOPE, sender } }));
}

function readEnvelope(text: string | null | undefined): { to: string[]; from: string | null } {
  try {
    const { to, from } = JSON.parse(text ?? '') as { to?: unknown; from?: unknown };
    return { to: [to].flat().filter((each) => typeof each === 'string'), from: typeof from === 'string' ? from : null };
  } catch {
    throw badRequest('The field envelope must be JSON', 'envelope');
  }
}

type Result = { to: string } & Outcome;

async function receiveAll(deps: Deps, mails: readonly Incoming[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const mail of mails) results.push({ to: mail.to, ...(await receiveMail(deps, mail)) });
  return results;
}

function answer(reply: FastifyReply, results: readonly Result[], refusedStatus: number) {
  const isLater = results.some(({ kind }) => kind === 'later');
  const isRefused = results.every(({ kind }) => kind === 'refused');
  return reply.code(isLater ? 503 : isRefused ? refusedStatus : 200).send({ results });
}
