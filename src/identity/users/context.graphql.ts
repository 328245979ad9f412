import type { AppError } from '../../platform/errors.ts';
import type { Context } from '../../platform/graphql/context.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import type { Actors } from './actors.ts';
import type { ActorContext, RequestContext } from './request-context.ts';
import type { UserRow } from './users.ts';

declare module '../../platform/graphql/context.ts' {
  interface Context extends RequestContext {
    actors: Actors;
    /** Keeps secrets in the store. */
    cipher: Cipher;
    /** The acting user; null without one, for the reason in `actorProblem`. */
    actor: UserRow | null;
    actorProblem: AppError | null;
  }
}

/** The request with its acting user. @throws BAD_REQUEST or NOT_FOUND without one */
export function requireActorContext(context: Context): ActorContext {
  if (context.actorProblem) throw context.actorProblem;
  return context as ActorContext;
}
