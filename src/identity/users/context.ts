import type { AppError } from '../../platform/errors.ts';
import type { Steps } from '../../platform/graphql/steps.ts';
import type { Seal } from '../../platform/lib/seal.ts';
import type { RateWindow } from '../../platform/limits/rate-limit.ts';
import type { ApiKey } from '../keys/keys.ts';
import type { Actors } from './actors.ts';
import type { BoardCall, Call } from './call.ts';
import type { UserRow } from './users.ts';

/** What resolvers know of a request. */
export type Context = BoardCall & {
  key: ApiKey;
  /** The limits of the key as they stand. */
  rateWindows: () => RateWindow[];
  actors: Actors;
  /** Keeps secrets in the store. */
  seal: Seal;
  /** Who acts; null when nobody does, for the reason beside it. */
  actor: UserRow | null;
  actorProblem: AppError | null;
  /** For a heavy operation: what it reads, it reads in these. */
  steps: Steps | null;
};

/** The request as a call by a person. @throws BAD_REQUEST or NOT_FOUND when nobody acts */
export function requireCall(context: Context): Call {
  if (context.actorProblem) throw context.actorProblem;
  return context as Call;
}
