import type { ErrorCode } from '../../platform/errors.ts';
import type { Context } from '../../platform/graphql/context.ts';
import type { Result } from '../../platform/graphql/run.ts';
import type { Variables } from '../../platform/graphql/variables.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { Running } from '../graphql/exchange.ts';

/** The request of an agent: who calls, and what its tools run on. */
export type Caller = Running & {
  context: Context;
  requestId: string;
  log: Logger;
  /** Why the call failed, for the usage of the key. */
  failure?: ErrorCode;
};

/** Runs one of our own documents as the caller. @throws its first error */
export async function ask<T>({ executor, context }: Caller, query: string, variables: Variables = {}): Promise<T> {
  const ready = executor.prepare(query, null).with(variables);
  return dataOf(await ready.inTurn(() => ready.run(context)));
}

/** Runs a document within a transaction, on its context. It must not wait for its turn there. */
export type Run = <T>(document: string, variables: Variables) => Promise<T>;

/** `Run` on a context. */
export function runOn({ executor }: Caller, context: Context): Run {
  return async (document, variables) => dataOf(await executor.prepare(document, null).with(variables).run(context));
}

function dataOf<T>({ data, errors }: Result): T {
  if (errors?.[0]) throw errors[0];
  return data as T;
}
