import { type ASTNode, GraphQLError, locatedError, type VariableValues } from 'graphql';
import { AppError } from '../errors.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { Context } from './context.ts';
import { Later } from './later.ts';
import {
  asMebibytes,
  MAX_ANSWER_BYTES,
  MAX_ERRORS,
  MAX_EVENT_BYTES,
  MAX_MUTATION_ANSWER_BYTES,
  tooComplex,
} from './limits.ts';
import { Steps, TooLarge } from './steps.ts';

/** The result of an operation, with its errors as they were thrown; of very many only some, and the rest separately. */
export type Result = { data?: unknown; errors?: readonly GraphQLError[]; omitted?: readonly unknown[] };

/** A place in a response: a field of an object, or an item of a list. */
type Place = {
  /** The field that the object or list is the value of; none at the root. */
  readonly parent: Place | undefined;
  readonly key: string | number;
  readonly holder: Holder;
  readonly fail: Fail;
};

/** An object or list of the response. */
export type Holder = Record<string | number, unknown>;

/**
 * Handles an error at a place: the value becomes null. @throws Failure if null is not allowed: the error propagates to the
 * parent
 */
export type Fail = (error: unknown, run: Run, place: Place) => null;

/** Turns the result of a resolver into the response value. @throws for values that the type does not allow */
export type Complete = (value: unknown, run: Run, place: Place) => unknown;

/** An exception with its place. It becomes an error of the response only if it is among those that are reported. */
export class Failure {
  readonly error: unknown;
  readonly #nodes: readonly ASTNode[];
  readonly #place: Place | undefined;

  constructor(error: unknown, nodes: readonly ASTNode[], place: Place | undefined) {
    this.error = error;
    this.#nodes = nodes;
    this.#place = place;
  }

  locate(): GraphQLError {
    return locatedError(this.error, this.#nodes, pathTo(this.#place));
  }
}

/**
 * One run of an operation: what resolvers get, the values that are still to come, the errors so far, and the remaining
 * response size.
 */
export class Run {
  readonly context: Context;
  readonly variables: VariableValues;
  readonly #failures: Failure[] = [];
  readonly #nulled = new Set<Place | undefined>();
  #bytesLeft: number;
  #pending = 0;
  /** The error that has reached the root. */
  #ended: { error: unknown } | null = null;
  #waiting: { resolve(): void; reject(error: unknown): void } | null = null;

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

  /** Completes a value in its place once it is there. */
  follow(value: Promise<unknown>, place: Place, complete: Complete): void {
    this.#pending++;
    const done = (resolved: unknown) => {
      try {
        if (!this.#ended) place.holder[place.key] = complete(resolved, this, place);
      } catch (error) {
        this.#failLater(error, place);
      }
      this.#settle();
    };
    const failed = (error: unknown) => {
      this.#failLater(error, place);
      this.#settle();
    };
    if (value instanceof Later) value.follow(done, failed);
    else value.then(done, failed);
  }

  /** Waits for the values that are still to come. @throws the error that has reached the root */
  settled(): MaybePromise<void> {
    if (this.#ended) throw this.#ended.error;
    if (this.#pending === 0) return;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  #settle(): void {
    this.#pending--;
    if (this.#ended) this.#waiting?.reject(this.#ended.error);
    else if (this.#pending === 0) this.#waiting?.resolve();
  }

  /** No caller can catch the error of a value that came later: it looks for the place that becomes null itself. */
  #failLater(error: unknown, from: Place): void {
    let thrown = error;
    for (let place: Place | undefined = from; place; place = place.parent) {
      try {
        place.holder[place.key] = place.fail(thrown, this, place);
        return;
      } catch (failure) {
        thrown = failure;
      }
    }
    this.#ended ??= { error: thrown };
  }

  /** Records a failure and that its place has become null. Failures below an already nulled place are not reported. */
  report(failure: Failure, nulled: Place | undefined): void {
    for (let place = nulled; place !== undefined; place = place.parent) if (this.#nulled.has(place)) return;
    if (this.#nulled.has(undefined)) return;
    this.#nulled.add(nulled);
    this.#failures.push(failure);
  }

  result(data: unknown): Result {
    if (this.#failures.length === 0) return { data };
    const errors = this.#failures.slice(0, MAX_ERRORS).map((failure) => failure.locate());
    return { data, errors, omitted: this.#failures.slice(MAX_ERRORS).map(({ error }) => error) };
  }
}

/**
 * Puts the response value of one field of a source object into its holder; null if it comes later. @throws if it failed and
 * null is not allowed instead
 */
export type Execute = (source: unknown, run: Run, parent: Place | undefined, holder: Holder) => void;

/** The fields of an object in the order of the response, and how to create an empty one. */
export type Plan = {
  fields: readonly { key: string; execute: Execute }[];
  /** The size of the field names in the response. */
  bytes: number;
  makeAnswer: () => Holder;
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
    const settled = data instanceof Promise ? data : run.settled();
    return settled instanceof Promise ? settled.then(async () => run.result(await data), fail) : run.result(data);
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
  for (const { execute } of plan.fields) {
    await new Promise((resolve) => setImmediate(resolve));
    execute(event, run, undefined, answer);
    await run.settled();
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
    for (const { key, execute } of plan.fields) await executeAlone(execute, key, run, answer);
    return run.result(answer);
  } catch (error) {
    return failAll(run, error);
  }
}

/**
 * The effect of a mutation remains, so if its response is too large, it is replaced by an error, and the others'
 * responses are kept.
 */
async function executeAlone(execute: Execute, key: string, run: Run, answer: Holder): Promise<void> {
  const part = run.part();
  try {
    execute(undefined, part, undefined, answer);
    await part.settled();
    run.keep(part);
  } catch (error) {
    part.context.steps?.end();
    if (!(error instanceof TooLarge)) throw error;
    const place = { parent: undefined, key, holder: answer, fail: () => null };
    run.report(new Failure(answerIsLost(), [], place), place);
    answer[key] = null;
  }
}

function answerIsLost(): AppError {
  const limit = asMebibytes(MAX_MUTATION_ANSWER_BYTES);
  const message = `The mutation succeeded, but the response to the mutations of a request is limited to ${limit}: read the result with a query`;
  return new AppError('QUERY_TOO_COMPLEX', message);
}

function refuseAnswer(maxBytes: number): Result {
  const limit = asMebibytes(maxBytes);
  const error = tooComplex('response', `larger than ${limit}`, limit);
  return { errors: [new GraphQLError(error.message, { originalError: error })] };
}

/** An error that has propagated to the root. */
function failAll(run: Run, error: unknown): Result {
  run.report(error as Failure, undefined);
  return run.result(null);
}

/** The fields of an object. What comes later is put into it once it is there. */
export function executeFields(plan: Plan, source: unknown, run: Run, place: Place | undefined): Holder {
  run.spend(plan.bytes);
  const answer = plan.makeAnswer();
  for (const { execute } of plan.fields) execute(source, run, place, answer);
  return answer;
}

/** The path to a place as GraphQL errors have it. */
function pathTo(end: Place | undefined): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let place = end; place !== undefined; place = place.parent) keys.push(place.key);
  return keys.reverse();
}
