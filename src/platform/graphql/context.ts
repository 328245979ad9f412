import type { Steps } from './steps.ts';

/**
 * What resolvers know of a request. Code that determines something about it adds a property next to itself, as tables
 * are added to the store: `declare module '…/platform/graphql/context.ts' { interface Context { key: ApiKey } }`.
 */
export interface Context {
  /** For a heavy operation: the steps in which it reads. */
  steps: Steps | null;
}
