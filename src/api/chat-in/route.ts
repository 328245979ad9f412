import type { FastifyInstance } from 'fastify';
import { findBoard } from '../../identity/board/board.ts';
import { answerChat } from '../../operations/chat-in/answering.ts';
import { CHAT_IN_PATH, decryptChatSecret, findChat } from '../../operations/chat-in/settings.ts';
import { hearReply } from '../../operations/chat-in/threads.ts';
import type { Db } from '../../platform/db/db.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { readBytes } from '../../platform/http/body.ts';
import { type Clock, MINUTE_MS } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { type Sender, senderHeaders } from '../../webhooks/http/sender.ts';
import { discord } from './discord.ts';
import type { ChatProduct, Reply } from './product.ts';
import { slack } from './slack.ts';

/** A message of 40,000 characters comes with the parts that it is made of. */
const MAX_BODY = 1_048_576;
/** How far the time of a signature may be from the clock. */
const SKEW_MS = 5 * MINUTE_MS;

type Deps = { db: Db; clock: Clock; log: Logger; sender: Sender; config: { baseUrl: string } };

/** Takes requests of the chats that boards have turned on. */
export function chatInRoutes(app: FastifyInstance, deps: Deps): void {
  for (const product of [slack, discord]) chatInRoute(app, deps, product);
}

function chatInRoute(app: FastifyInstance, deps: Deps, product: ChatProduct): void {
  const { db, clock, log, sender, config } = deps;
  const path = `${CHAT_IN_PATH}/:pid/${product.chat.toLowerCase()}`;
  app.post<{ Params: { pid: string } }>(path, async (request, reply) => {
    const body = await readBytes(request, MAX_BODY);
    const board = await findBoard(db.read, request.params.pid);
    const settings = board && (await findChat(db.read, board.id, product.chat));
    if (!board || !settings) throw notFound('Chat');
    const secret = decryptChatSecret(sender.cipher, settings);
    const { seconds, isSigned } = product.verify(request.headers, body, secret);
    const dateSent = /^\d{1,12}$/.test(seconds) ? Number(seconds) * 1_000 : 0;
    // Discord checks an address by a wrong signature, which must be answered with 401.
    if (!isSigned || Math.abs(clock.now() - dateSent) > SKEW_MS) {
      throw new AppError('UNAUTHENTICATED', 'The signature of the chat does not match, or is too old');
    }
    const parsed = product.parse(body, dateSent);
    const context = { db, clock, baseUrl: config.baseUrl, board };
    // Until the reply is stored nothing is answered, so that the chat sends it again.
    if ('heard' in parsed) {
      const outcome = await hearReply(context, settings.threads, parsed.heard);
      if (outcome !== 'ignored') log.info({ chat: product.chat, outcome }, 'chat in');
      return reply.header('cache-control', 'no-store').send('');
    }
    const written = parsed.request
      ? parsed.reply(await answerChat(context, sender.cipher, parsed.request))
      : parsed.reply;
    // Slack waits three seconds for the response, whatever becomes of the answer.
    void post(deps, written).catch((err) => log.warn({ err }, 'An answer did not reach the chat'));
    if (parsed.request) log.info({ chat: product.chat, asked: parsed.request.kind }, 'chat in');
    return reply.header('cache-control', 'no-store').send(written.body ?? '');
  });
}

/** What cannot be posted is lost: no answer appears, and the person asks again. */
async function post({ log, sender }: Deps, { post: posted }: Reply): Promise<void> {
  if (!posted) return;
  const headers = { ...senderHeaders(sender.version), 'Content-Type': 'application/json; charset=utf-8' };
  const body = Buffer.from(JSON.stringify(posted.body));
  const { answer, fault } = await sender.dial({ method: 'POST', url: posted.url, headers, body });
  if (answer?.status !== 200) log.warn({ fault, status: answer?.status }, 'An answer did not reach the chat');
}
