import { type GraphQLSchema, getVariableValues, type VariableDefinitionNode, type VariableValues } from 'graphql';
import { MAX_ERRORS, MAX_NAME, MAX_QUOTED, MAX_VALUE_DEPTH, requireWithin, tooComplex } from './limits.ts';

/** What a request sends besides its document. */
export type Variables = Readonly<Record<string, unknown>>;

/**
 * Checks the variables of a request before they are used: how deep their values are nested, and how long the names of
 * fields are. Their number was counted before they were parsed, or they were in a URL.
 * @throws QUERY_TOO_COMPLEX naming the limit
 */
export function requireModest(variables: Variables): void {
  // Level by level: input may be nested deeper than the stack allows.
  let level: readonly object[] = [variables];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_VALUE_DEPTH) throw tooComplex('depth of variables', `over ${MAX_VALUE_DEPTH}`, MAX_VALUE_DEPTH);
    const next: object[] = [];
    for (const parent of level) {
      for (const name in parent) {
        requireWithin('longest name in variables', name.length, MAX_NAME);
        const value = parent[name as keyof typeof parent] as unknown;
        if (typeof value === 'object' && value !== null) next.push(value);
      }
    }
    level = next;
  }
}

/** The values of an operation's variables, or their errors: no more than a response reports. */
export function readVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: Variables,
): ReturnType<typeof getVariableValues> {
  const read = getVariableValues(schema, definitions, variables, { maxErrors: 1 });
  // Each error repeats its subject, so for large variables only one is reported.
  if (!read.errors || JSON.stringify(variables).length > MAX_QUOTED) return read;
  return getVariableValues(schema, definitions, variables, { maxErrors: MAX_ERRORS });
}

export const noVariables: VariableValues = { sources: {}, coerced: {} };
