import type { FastifyReply, FastifyRequest } from 'fastify';
import { beginOperation } from '../../identity/activity/activity.ts';
import type { Admission, Gate } from '../../identity/keys/gate.ts';
import type { Actors } from '../../identity/users/actors.ts';
import type { UserRow } from '../../identity/users/users.ts';
import type { SandboxBudget } from '../../operations/boards/budget.ts';
import type { Db } from '../../platform/db/db.ts';
import { AppError } from '../../platform/errors.ts';
import type { Context } from '../../platform/graphql/context.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { MaybePromise } from '../../platform/lib/maybe-promise.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { PublishableGate } from '../publishable/gate.ts';
import type { Streams } from '../stream/streams.ts';
import { type Answer, type Asked, answerFailure } from './answer.ts';
import type { DryRuns } from './dry-run.ts';
import type { Executor } from './execute.ts';

/** What runs operations, for every endpoint that does. */
export type Running = { executor: Executor; budget: SandboxBudget; dryRuns: DryRuns };

export type GraphQLDeps = Running & {
  db: Db;
  clock: Clock;
  log: Logger;
  baseUrl: string;
  gate: Gate;
  publishable: PublishableGate;
  actors: Actors;
  cipher: Cipher;
  metrics: Metrics;
  streams: Streams;
};

/** A request in progress: what it asks for, and what is known about it so far. */
export type Exchange = Asked & {
  request: FastifyRequest;
  reply: FastifyReply;
  admission: Admission;
  /** Who acts in an operation of this kind, or why there is no one. */
  findActor(kind: string): MaybePromise<UserRow | AppError>;
  /** The body, decoded. */
  text: string;
  operation: string;
  answer: Answer | null;
};

/** What resolvers know of a request. */
export function makeContext(deps: GraphQLDeps, { key, board }: Admission, actor: UserRow | AppError): Context {
  return {
    db: deps.db,
    clock: deps.clock,
    baseUrl: deps.baseUrl,
    board,
    key,
    rateWindows: () => deps.gate.windowsOf(key),
    actors: deps.actors,
    cipher: deps.cipher,
    actor: actor instanceof AppError ? null : actor,
    actorProblem: actor instanceof AppError ? actor : null,
    steps: null,
    operation: { ...beginOperation(), tags: key.budget.tags ?? undefined },
  };
}

/** A request that does not fit the protocol (its method, media type, or body) as one of our own errors. */
export function refusal(message: string, status: number, asked: Asked): Answer {
  const { body, codes } = answerFailure(new AppError('BAD_REQUEST', message), asked);
  return { status, contentType: 'application/json; charset=utf-8', body, codes };
}
