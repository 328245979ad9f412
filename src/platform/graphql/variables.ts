import { type GraphQLSchema, getVariableValues, type VariableDefinitionNode, type VariableValues } from 'graphql';
import { MAX_ERRORS, MAX_NAME, MAX_QUOTED, MAX_VALUE_DEPTH, MAX_VALUES, requireWithin, tooComplex } from './limits.ts';

/** What a request sends beside its document. */
export type Variables = Readonly<Record<string, unknown>>;

/**
 * Looks at the variables of a request before anything is made of them: how many values they have (items of lists and
 * fields of objects, wherever they are), how deep these are nested, and how long the names of fields are.
 * @throws QUERY_TOO_COMPLEX naming the limit
 */
export function requireModest(variables: Variables): void {
  let values = 0;
  // Level by level: what comes may be nested deeper than the stack is.
  let level: readonly object[] = [variables];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_VALUE_DEPTH) throw tooComplex('depth of variables', `over ${MAX_VALUE_DEPTH}`, MAX_VALUE_DEPTH);
    const next: object[] = [];
    for (const parent of level) {
      if (Array.isArray(parent)) requireFew(values + parent.length);
      for (const name in parent) {
        requireFew(++values);
        requireWithin('longest name in variables', name.length, MAX_NAME);
        const value = parent[name as keyof typeof parent] as unknown;
        if (typeof value === 'object' && value !== null) next.push(value);
      }
    }
    level = next;
  }
}

function requireFew(values: number): void {
  if (values <= MAX_VALUES) return;
  const limit = MAX_VALUES.toLocaleString('en');
  throw tooComplex('number of values in variables', `over ${limit}`, MAX_VALUES);
}

/** The values of an operation's variables, or what is wrong with them: as many errors as are answered, and no more. */
export function readVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: Variables,
): ReturnType<typeof getVariableValues> {
  const read = getVariableValues(schema, definitions, variables, { maxErrors: 1 });
  // Each error repeats what it is about, so of large variables one is told.
  if (!read.errors || JSON.stringify(variables).length > MAX_QUOTED) return read;
  return getVariableValues(schema, definitions, variables, { maxErrors: MAX_ERRORS });
}

/** The values of an operation without variables. */
export const noVariables: VariableValues = { sources: {}, coerced: {} };
