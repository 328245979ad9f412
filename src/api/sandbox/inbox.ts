import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Db, Reader, Tx } from '../../platform/db/db.ts';
import { locked } from '../../platform/db/prepare.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { isId, makeId } from '../../platform/lib/ids.ts';
import type { Dial, Exchange, OutgoingRequest } from '../../webhooks/http/exchange.ts';
import type { Sender } from '../../webhooks/http/sender.ts';
import { enableWebhook } from '../../webhooks/managing/enabling.ts';
import { insertWebhook } from '../../webhooks/webhook/webhooks.ts';

/** The secrets of every sandbox's webhook; shown to its visitor, so they are not really secret. */
export const sandboxSecrets = { verifyToken: 'sandbox-verify-token', signingSecret: 'sandbox-signing-secret' } as const;

const KEPT_REQUESTS = 50;
const KEPT_BYTES = 32 * 1_024;

type SandboxRequestTable = {
  board_id: string;
  id: string;
  method: string;
  url: string;
  /** JSON object. */
  headers: string;
  /** As text, truncated after 32 KiB. */
  body: string;
  /** The inbox's response. */
  status: number;
  date_received: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    sandbox_requests: SandboxRequestTable;
  }
}

type SandboxRequestRow = Selectable<SandboxRequestTable>;

/** The receiver of the webhooks of all sandboxes. */
export type Inbox = {
  /** The endpoint of a sandbox. */
  urlOf(boardId: string): string;
  owns(url: string): boolean;
  /** Stores a request and responds as a correct receiver does. */
  receive(request: OutgoingRequest): Promise<Exchange>;
};

/** Makes the inbox. It is in the store, so the process that delivers need not be the one that shows it. */
export function makeInbox(db: Db, clock: Clock, baseUrl: string): Inbox {
  const place = `${baseUrl}/api/v1/sandbox/inbox/`;
  return {
    urlOf: (boardId) => place + boardId,
    owns: (url) => url.startsWith(place),
    async receive(request) {
      const start = clock.now();
      const boardId = /^[^/?#]*/.exec(request.url.slice(place.length))?.[0] ?? '';
      const answer = answerTo(request);
      const isKept = isId(boardId) && (await keep(db, boardId, request, answer.status, start));
      return makeExchange(isKept ? answer : { status: 404, body: '' }, clock.now() - start);
    },
  };
}

/** Sends requests for the inbox there, within the process, and lets all others through. */
export function makeSandboxDial(inbox: Inbox, dial: Dial): Dial {
  return (request, signal) => (inbox.owns(request.url) ? inbox.receive(request) : dial(request, signal));
}

/**
 * Gives a board a webhook to the inbox, verified like every webhook; only the inbox may be at one of our own
 * addresses.
 */
export async function connectInbox(context: RequestContext, sender: Sender, inbox: Inbox): Promise<void> {
  const url = inbox.urlOf(context.board.id);
  // Its own name: verifications are limited by host, and each inbox is a different receiver.
  const address = { url, host: `inbox ${context.board.id}` };
  const { id } = await insertWebhook(context, sender.cipher, address, { ...sandboxSecrets, events: null });
  await enableWebhook(context, { ...sender, dial: makeSandboxDial(inbox, sender.dial) }, id, 'deliver');
}

/** What a sandbox's webhook was sent after the request `after`, the oldest first. */
export function listRequests(reader: Reader, boardId: string, after: string): Promise<SandboxRequestRow[]> {
  const query = reader.selectFrom('sandbox_requests').selectAll().where('board_id', '=', boardId);
  return query.where('id', '>', after).orderBy('id').execute();
}

type Reply = { status: number; body: string };

function answerTo(request: OutgoingRequest): Reply {
  if (request.method === 'POST') return { status: hasSignature(request) ? 200 : 403, body: '' };
  const query = new URL(request.url).searchParams;
  const isRight = query.get('hub.mode') === 'subscribe' && query.get('hub.verify_token') === sandboxSecrets.verifyToken;
  return isRight ? { status: 200, body: query.get('hub.challenge') ?? '' } : { status: 403, body: '' };
}

function hasSignature({ headers, body = new Uint8Array() }: OutgoingRequest): boolean {
  const given = Buffer.from(headers['X-Hub-Signature'] ?? '');
  const right = Buffer.from(`sha256=${createHmac('sha256', sandboxSecrets.signingSecret).update(body).digest('hex')}`);
  return given.length === right.length && timingSafeEqual(given, right);
}

/** False if the sandbox no longer exists. */
function keep(db: Db, boardId: string, request: OutgoingRequest, status: number, now: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const board = tx
      .selectFrom('boards')
      .select('id')
      .where('id', '=', boardId)
      .where('sandbox_visitor', 'is not', null);
    if (!(await locked(tx, board).executeTakeFirst())) return false;
    const row = {
      board_id: boardId,
      id: makeId(),
      method: request.method,
      url: request.url,
      headers: JSON.stringify(request.headers),
      body: Buffer.from((request.body ?? new Uint8Array()).subarray(0, KEPT_BYTES)).toString(),
      status,
      date_received: now,
    };
    await tx.insertInto('sandbox_requests').values(row).execute();
    await dropOld(tx, boardId);
    return true;
  });
}

async function dropOld(tx: Tx, boardId: string): Promise<void> {
  const requests = tx.selectFrom('sandbox_requests').select('id').where('board_id', '=', boardId);
  const oldestKept = await requests
    .orderBy('id', 'desc')
    .offset(KEPT_REQUESTS - 1)
    .limit(1)
    .executeTakeFirst();
  if (!oldestKept) return;
  const query = tx.deleteFrom('sandbox_requests').where('board_id', '=', boardId);
  await query.where('id', '<', oldestKept.id).execute();
}

function makeExchange({ status, body }: Reply, total: number): Exchange {
  const headers = [['content-type', 'text/plain; charset=utf-8']] as const;
  const timings = { dns: null, connect: null, tls: null, firstByte: total, total };
  return { timings, answer: { status, headers, body: Buffer.from(body), isCut: false } };
}
