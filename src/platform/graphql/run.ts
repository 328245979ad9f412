import { type ASTNode, GraphQLError, locatedError, type VariableValues } from 'graphql';
import { AppError } from '../errors.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { Context } from './context.ts';
import {
  asMebibytes,
  MAX_ANSWER_BYTES,
  MAX_ERRORS,
  MAX_EVENT_BYTES,
  MAX_MUTATION_ANSWER_BYTES,
  tooComplex,
} from './limits.ts';
import { Steps, TooLarge } from './steps.ts';

/**
 * The result of an operation, with its errors as they were thrown; of very many only some, and the rest separately.
 */
export type Result = { data?: unknown; errors?: readonly GraphQLError[]; omitted?: readonly unknown[] };

/** A path in a response, from the end to the beginning. */
export type Path = { readonly prev: Path | undefined; readonly key: string | number };

/** An exception with its path. It becomes an error of the response only if it is among those that are reported. */
export class Failure {
  readonly error: unknown;
  readonly #nodes: readonly ASTNode[];
  readonly #path: Path | undefined;

  constructor(error: unknown, nodes: readonly ASTNode[], path: Path | undefined) {
    this.error = error;
    this.#nodes = nodes;
    this.#path = path;
  }

  locate(): GraphQLError {
    return locatedError(this.error, this.#nodes, pathToArray(this.#path));
  }
}

/** One run of an operation: what resolvers get, the errors so far, and the remaining response size. */
export class Run {
  readonly context: Context;
  readonly variables: VariableValues;
  readonly #failures: Failure[] = [];
  readonly #nulled = new Set<Path | undefined>();
  #bytesLeft: number;

  constructor(context: Context, variables: VariableValues, maxBytes: number) {
    this.context = context;
    this.variables = variables;
    this.#bytesLeft = maxBytes;
  }

  /** Counts what is added to the response. @throws TooLarge */
  spend(bytes: number): void {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0) throw new TooLarge();
  }

  /**
   * A run of a part of the response that may be dropped: it is counted separately, since some of it can still be in
   * progress when it has become too large. If it is not dropped, it is added with `keep`.
   */
  part(): Run {
    return new Run(withSteps(this.context, this.context.steps !== null), this.variables, this.#bytesLeft);
  }

  keep(part: Run): void {
    this.#bytesLeft = part.#bytesLeft;
    this.#failures.push(...part.#failures);
  }

  /** Records a failure and that its path has become null. Failures below an already nulled path are not reported. */
  report(failure: Failure, path: Path | undefined): void {
    for (let place = path; place !== undefined; place = place.prev) if (this.#nulled.has(place)) return;
    if (this.#nulled.has(undefined)) return;
    this.#nulled.add(path);
    this.#failures.push(failure);
  }

  result(data: unknown): Result {
    if (this.#failures.length === 0) return { data };
    const errors = this.#failures.slice(0, MAX_ERRORS).map((failure) => failure.locate());
    return { data, errors, omitted: this.#failures.slice(MAX_ERRORS).map(({ error }) => error) };
  }
}

/**
 * Returns the response value of one field of a source object. @throws if it failed and null is not allowed instead
 */
export type Execute = (source: unknown, run: Run, parent: Path | undefined) => MaybePromise<unknown>;

/** The fields of an object in the order of the response, and how to create an empty one. */
export type Plan = {
  fields: readonly { key: string; execute: Execute }[];
  /** The size of the field names in the response. */
  bytes: number;
  makeAnswer: () => Record<string, unknown>;
};

/**
 * Runs a query, or a subscription for one event. One whose response is too large is refused as if it had been too complex
 * from the beginning.
 */
export function runQuery(
  plan: Plan,
  context: Context,
  variables: VariableValues,
  isHeavy: boolean,
  event?: unknown,
): MaybePromise<Result> {
  const maxBytes = event === undefined ? MAX_ANSWER_BYTES : MAX_EVENT_BYTES;
  const run = new Run(withSteps(context, isHeavy), variables, maxBytes);
  const fail = (error: unknown) => {
    run.context.steps?.end();
    return error instanceof TooLarge ? refuseAnswer(maxBytes) : failAll(run, error);
  };
  try {
    const data = isHeavy ? executeInSteps(plan, run, event) : executeFields(plan, event, run, undefined);
    return data instanceof Promise ? data.then((resolved) => run.result(resolved), fail) : run.result(data);
  } catch (error) {
    return fail(error);
  }
}

function withSteps(context: Context, isHeavy: boolean): Context {
  return isHeavy ? { ...context, steps: new Steps() } : context;
}

/** The fields of a heavy query, one after the other: each of them can read as much as a response may contain. */
async function executeInSteps(plan: Plan, run: Run, event: unknown): Promise<unknown> {
  run.spend(plan.bytes);
  const answer = plan.makeAnswer();
  for (const { key, execute } of plan.fields) {
    await new Promise((resolve) => setImmediate(resolve));
    answer[key] = await execute(event, run, undefined);
  }
  return answer;
}

/** Runs mutations: each begins when the previous one has ended. */
export async function runMutation(
  plan: Plan,
  context: Context,
  variables: VariableValues,
  isHeavy: boolean,
): Promise<Result> {
  const run = new Run(withSteps(context, isHeavy), variables, MAX_MUTATION_ANSWER_BYTES);
  const answer = plan.makeAnswer();
  try {
    run.spend(plan.bytes);
    for (const { key, execute } of plan.fields) answer[key] = await executeAlone(execute, key, run);
    return run.result(answer);
  } catch (error) {
    return failAll(run, error);
  }
}

/**
 * The effect of a mutation remains, so if its response is too large, it is replaced by an error, and the others'
 * responses are kept.
 */
async function executeAlone(execute: Execute, key: string, run: Run): Promise<unknown> {
  const part = run.part();
  try {
    const value = await execute(undefined, part, undefined);
    run.keep(part);
    return value;
  } catch (error) {
    part.context.steps?.end();
    if (!(error instanceof TooLarge)) throw error;
    const path = { prev: undefined, key };
    run.report(new Failure(answerIsLost(), [], path), path);
    return null;
  }
}

function answerIsLost(): AppError {
  const limit = asMebibytes(MAX_MUTATION_ANSWER_BYTES);
  const message = `The mutation succeeded, but the response to the mutations of a request is limited to ${limit}: read the result with a query`;
  return new AppError('QUERY_TOO_COMPLEX', message);
}

function refuseAnswer(maxBytes: number): Result {
  const limit = asMebibytes(maxBytes);
  const error = tooComplex('answer', `larger than ${limit}`, limit);
  return { errors: [new GraphQLError(error.message, { originalError: error })] };
}

/** An error that has propagated to the root. */
function failAll(run: Run, error: unknown): Result {
  run.report(error as Failure, undefined);
  return run.result(null);
}

/** The fields of an object: all of them are started, and then awaited. */
export function executeFields(plan: Plan, source: unknown, run: Run, path: Path | undefined): MaybePromise<unknown> {
  run.spend(plan.bytes);
  const answer = plan.makeAnswer();
  let isPending = false;
  try {
    for (const { key, execute } of plan.fields) {
      const value = execute(source, run, path);
      answer[key] = value;
      if (value instanceof Promise) isPending = true;
    }
  } catch (error) {
    if (isPending) ignoreRejections(Object.values(answer));
    throw error;
  }
  return isPending ? awaitFields(answer) : answer;
}

async function awaitFields(answer: Record<string, unknown>): Promise<unknown> {
  const keys = Object.keys(answer);
  const values = await Promise.all(Object.values(answer));
  for (let n = 0; n < keys.length; n++) answer[keys[n] as string] = values[n];
  return answer;
}

/** An error has made these superfluous: their results do not matter, and must not end the process. */
export function ignoreRejections(values: readonly unknown[]): void {
  for (const value of values) if (value instanceof Promise) value.catch(() => {});
}

/** A path as GraphQL errors have it. */
export function pathToArray(path: Path | undefined): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let place = path; place !== undefined; place = place.prev) keys.push(place.key);
  return keys.reverse();
}
