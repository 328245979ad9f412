import {
  type DocumentNode,
  defaultFieldResolver,
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getArgumentValues,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type VariableValues,
  visit,
} from 'graphql';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import { type Compilation, collectFields } from './collect.ts';
import { columnsRead, type Resolve } from './columns.ts';
import type { Context } from './context.ts';
import { bytesOfJson, bytesOfText, FIELD_BYTES } from './limits.ts';
import {
  type Execute,
  executeFields,
  Failure,
  ignoreRejections,
  type Path,
  type Plan,
  type Result,
  type Run,
  runMutation,
  runQuery,
} from './run.ts';
import { fragmentsOf } from './selections.ts';
import { TooLarge } from './steps.ts';

/**
 * An operation as a function, compiled once and run any number of times.
 * @param isHeavy whether it reads in steps
 * @param event of a subscription
 */
export type Compiled = (
  context: Context,
  variables: VariableValues,
  isHeavy?: boolean,
  event?: unknown,
) => MaybePromise<Result>;

/** Turns the result of a resolver into the response value. @throws for values that the type does not allow */
type Complete = (value: unknown, run: Run, path: Path) => MaybePromise<unknown>;

/** Plans that are cached for the values of variables in `@skip` and `@include`. */
export const MAX_PLANS = 16;

/**
 * Compiles a valid operation: which fields are selected, and how each is resolved and completed, is determined once,
 * and what remains are functions that call each other. It returns what graphql-js returns, including errors; a test
 * compares the two over hundreds of documents (docs/decisions/0004).
 * @param maxPlans how many plans are cached
 */
export function compile(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  maxPlans = MAX_PLANS,
): Compiled {
  const fragments = fragmentsOf(document);
  const conditions = variablesInConditions(document);
  const plans = new Map<string, Plan>();
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`The schema has no ${operation.operation}`);
  const run = operation.operation === 'mutation' ? runMutation : runQuery;

  return (context, variables, isHeavy = false, event = undefined) => {
    const key = conditions.map((name) => String(variables.coerced[name])).join();
    let plan = plans.get(key);
    if (!plan) {
      plan = compileFields({ schema, fragments, variables }, root, [operation]);
      if (plans.size >= maxPlans) plans.clear();
      plans.set(key, plan);
    }
    return run(plan, context, variables, isHeavy, event);
  };
}

function variablesInConditions(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive: ({ arguments: args }) => {
      for (const { value } of args ?? []) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

function compileFields(
  compilation: Compilation,
  type: GraphQLObjectType,
  nodes: readonly (FieldNode | OperationDefinitionNode)[],
): Plan {
  const selections = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const fields = [...collectFields(compilation, type, selections)].map(([key, fieldNodes]) => ({
    key,
    execute: compileField(compilation, type, key, fieldNodes),
  }));
  // An object without a prototype accepts any key, but is several times slower; only one key needs it.
  const isSpecial = fields.some(({ key }) => key === '__proto__');
  const bytes = fields.reduce((sum, { key }) => sum + key.length + FIELD_BYTES, 0);
  return { fields, bytes, makeAnswer: isSpecial ? () => Object.create(null) : () => ({}) };
}

function compileField(
  compilation: Compilation,
  parentType: GraphQLObjectType,
  key: string,
  nodes: readonly [FieldNode, ...FieldNode[]],
): Execute {
  const fieldName = nodes[0].name.value;
  if (fieldName === '__typename') return () => parentType.name;
  const field = compilation.schema.getField(parentType, fieldName);
  if (!field) throw new Error(`${parentType.name} has no field ${fieldName}`);
  const place: FieldPlace = { name: `${parentType.name}.${fieldName}`, nodes };
  const complete = compileType(compilation, field.type, place);
  const fail = makeFail(field.type, nodes);
  const resolve = (field.resolve ?? defaultFieldResolver) as Resolve<Context>;
  const readArguments = compileArguments(field, nodes[0]);
  const info = { schema: compilation.schema, fieldName, columns: columnsRead(compilation, field.type, nodes) };

  return (source, run, parent) => {
    const path = { prev: parent, key };
    try {
      const value = resolve(source, readArguments(run), run.context, info);
      if (value instanceof Promise) return completeLater(value, complete, fail, run, path);
      return settle(complete(value, run, path), fail, run, path);
    } catch (error) {
      return fail(error, run, path);
    }
  };
}

/** A field for error messages: `Type.field`, and its location in the document. */
type FieldPlace = { name: string; nodes: readonly FieldNode[] };

/**
 * Handles an error at a path: the value becomes null, or if null is not allowed, the error propagates to the parent.
 */
type Fail = (error: unknown, run: Run, path: Path) => null;

function makeFail(type: GraphQLOutputType, nodes: readonly FieldNode[]): Fail {
  return (error, run, path) => {
    if (error instanceof TooLarge) throw error;
    const failure = error instanceof Failure ? error : new Failure(error, nodes, path);
    if (isNonNullType(type)) throw failure;
    run.report(failure, path);
    return null;
  };
}

async function completeLater(
  value: Promise<unknown>,
  complete: Complete,
  fail: Fail,
  run: Run,
  path: Path,
): Promise<unknown> {
  try {
    const completed = complete(await value, run, path);
    return completed instanceof Promise ? await completed : completed;
  } catch (error) {
    return fail(error, run, path);
  }
}

function settle(completed: MaybePromise<unknown>, fail: Fail, run: Run, path: Path): MaybePromise<unknown> {
  if (!(completed instanceof Promise)) return completed;
  return completed.then(undefined, (error) => fail(error, run, path));
}

/** Arguments without variables are coerced once; they are the same for every run. */
function compileArguments(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (run: Run) => Record<string, unknown> {
  let hasVariables = false;
  for (const argument of node.arguments ?? []) {
    visit(argument, {
      Variable: () => {
        hasVariables = true;
      },
    });
  }
  if (hasVariables) return (run) => getArgumentValues(field, node, run.variables);
  let values: Record<string, unknown> | null = null;
  return () => {
    values ??= getArgumentValues(field, node);
    return values;
  };
}

function compileType(compilation: Compilation, type: GraphQLOutputType, place: FieldPlace): Complete {
  if (isNonNullType(type)) {
    const complete = compileType(compilation, type.ofType, place);
    return (value, run, path) => {
      const completed = complete(value, run, path);
      if (completed === null) throw new Error(`Cannot return null for non-nullable field ${place.name}.`);
      return completed;
    };
  }
  const complete = compileNullable(compilation, type, place);
  return (value, run, path) => {
    if (value === null || value === undefined) return null;
    if (value instanceof Error) throw value;
    return complete(value, run, path);
  };
}

function compileNullable(compilation: Compilation, type: GraphQLOutputType, place: FieldPlace): Complete {
  if (isLeafType(type)) {
    return (value, run) => {
      const output = type.coerceOutputValue(value);
      if (output === null || output === undefined) throw new Error(`${type.name} gave nothing for a value`);
      if (typeof output === 'string') run.spend(bytesOfText(output));
      else if (typeof output === 'object') run.spend(bytesOfJson(output));
      return output;
    };
  }
  if (isListType(type)) return compileList(compilation, type.ofType, place);
  if (!isObjectType(type)) throw new Error(`${type} is an interface or union, which this compiler does not know`);
  const plan = compileFields(compilation, type, place.nodes);
  return (value, run, path) => executeFields(plan, value, run, path);
}

function compileList(compilation: Compilation, itemType: GraphQLOutputType, place: FieldPlace): Complete {
  const complete = compileType(compilation, itemType, place);
  const fail = makeFail(itemType, place.nodes);
  const completeItem = (item: unknown, run: Run, path: Path) => {
    if (item instanceof Promise) return completeLater(item, complete, fail, run, path);
    try {
      return settle(complete(item, run, path), fail, run, path);
    } catch (error) {
      return fail(error, run, path);
    }
  };
  return (value, run, path) => {
    if (typeof value !== 'object' || value === null || !(Symbol.iterator in value)) {
      throw new GraphQLError(`Expected Iterable, but did not find one for field "${place.name}".`);
    }
    const items: unknown[] = [];
    try {
      for (const item of value as Iterable<unknown>)
        items.push(completeItem(item, run, { prev: path, key: items.length }));
    } catch (error) {
      ignoreRejections(items);
      throw error;
    }
    return items.some((item) => item instanceof Promise) ? Promise.all(items) : items;
  };
}
