import type { Steps } from './steps.ts';

/**
 * What resolvers know of a request. Who finds something out about it adds that beside the code that does, as tables are
 * added to the store: `declare module '…/platform/graphql/context.ts' { interface Context { key: ApiKey } }`.
 */
export interface Context {
  /** For a heavy operation: what it reads, it reads in these. */
  steps: Steps | null;
}
