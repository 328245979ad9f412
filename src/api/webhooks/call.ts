import type { FastifyRequest } from 'fastify';
import type { Admission, Gate } from '../../identity/keys/gate.ts';
import type { ApiKey } from '../../identity/keys/keys.ts';
import { actorHeadersOf, requirePermission } from '../../identity/keys/request.ts';
import type { Actors } from '../../identity/users/actors.ts';
import { operator } from '../../identity/users/authority.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { AtATime } from '../../platform/limits/at-a-time.ts';
import { BY_A_KEY } from '../../webhooks/delivery/log-lines.ts';
import type { Sender } from '../../webhooks/http/sender.ts';
import { type ManagerContext, manageWebhooks } from '../../webhooks/managing/managing.ts';
import { findViewer } from '../viewer.ts';

export type WebhookDeps = {
  db: Db;
  clock: Clock;
  log: Logger;
  baseUrl: string;
  gate: Gate;
  actors: Actors;
  sender: Sender;
};

/** What an operation has: who calls, what they may do with webhooks, and what they ask for. */
export type Call = {
  context: ManagerContext & { key: ApiKey };
  webhooks: ReturnType<typeof manageWebhooks>;
  /** The ids in the path. */
  webhookId: string;
  deliveryId: string;
  idempotencyKey: string | undefined;
};

/** Requests of one board that wait for a name server or a receiver in a process. */
export const MAX_WAITING = 8;

/** The requests of all boards that wait. */
export const waiting = new AtATime(MAX_WAITING, 'Too many requests wait for receivers: wait for one of them');

/**
 * What a request may use.
 * @throws FORBIDDEN without the permission, or for an acting user who may not manage webhooks
 */
export async function makeCall(deps: WebhookDeps, admission: Admission, request: FastifyRequest): Promise<Call> {
  requirePermission(admission, 'WEBHOOKS', 'this');
  const { db, clock, baseUrl, log, sender } = deps;
  const { board, key } = admission;
  // An admin gave the key its permission: without an acting user it is enough.
  const actor = (await findViewer(deps.actors, actorHeadersOf(request), board, key)) ?? operator;
  const context = { db, clock, baseUrl, board, key, actor };
  const { webhook = '', delivery = '' } = request.params as { webhook?: string; delivery?: string };
  const idempotencyKey = request.headers['idempotency-key'];
  return {
    context,
    webhooks: manageWebhooks(context, sender, log, BY_A_KEY),
    webhookId: webhook,
    deliveryId: delivery,
    idempotencyKey: idempotencyKey === undefined ? undefined : String(idempotencyKey),
  };
}
