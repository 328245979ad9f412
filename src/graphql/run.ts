import type { GraphQLError, VariableValues } from 'graphql';
import type { Context } from './context.ts';

/** What an operation gives, its errors as they were thrown. */
export type Result = { data?: unknown; errors?: readonly GraphQLError[] };

/** A place in an answer, from the end to the beginning. */
export type Path = { readonly prev: Path | undefined; readonly key: string | number };

/** One run of an operation: what resolvers get, and the errors so far. */
export class Run {
  readonly context: Context;
  readonly variables: VariableValues;
  readonly #errors: GraphQLError[] = [];
  readonly #nulled = new Set<Path | undefined>();

  constructor(context: Context, variables: VariableValues) {
    this.context = context;
    this.variables = variables;
  }

  /** Notes an error and that its place has become null. What fails beneath a place that is null already is not told. */
  report(error: GraphQLError, path: Path | undefined): void {
    for (let place = path; place !== undefined; place = place.prev) if (this.#nulled.has(place)) return;
    if (this.#nulled.has(undefined)) return;
    this.#nulled.add(path);
    this.#errors.push(error);
  }

  result(data: unknown): Result {
    return this.#errors.length > 0 ? { errors: this.#errors, data } : { data };
  }
}

/** A place as GraphQL errors name it. */
export function pathToArray(path: Path | undefined): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let place = path; place !== undefined; place = place.prev) keys.push(place.key);
  return keys.reverse();
}
