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
import { Later } from './later.ts';
import { bytesOfJson, bytesOfText, FIELD_BYTES } from './limits.ts';
import {
  type Complete,
  type Execute,
  executeFields,
  type Fail,
  Failure,
  type Holder,
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
type Compiled = (
  context: Context,
  variables: VariableValues,
  isHeavy?: boolean,
  event?: unknown,
) => MaybePromise<Result>;

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
  if (fieldName === '__typename') {
    return (_source, _run, _parent, holder) => {
      holder[key] = parentType.name;
    };
  }
  const field = compilation.schema.getField(parentType, fieldName);
  if (!field) throw new Error(`${parentType.name} has no field ${fieldName}`);
  const named: NamedField = { name: `${parentType.name}.${fieldName}`, nodes };
  const complete = compileType(compilation, field.type, named);
  const fail = makeFail(field.type, nodes);
  const resolve = (field.resolve ?? defaultFieldResolver) as Resolve<Context>;
  const readArguments = compileArguments(field, nodes[0]);
  const info = { schema: compilation.schema, fieldName, columns: columnsRead(compilation, field.type, nodes) };

  return (source, run, parent, holder) => {
    const place = { parent, key, holder, fail };
    try {
      const value = resolve(source, readArguments(run), run.context, info);
      if (comesLater(value)) {
        holder[key] = null;
        run.follow(value, place, complete);
      } else holder[key] = complete(value, run, place);
    } catch (error) {
      holder[key] = fail(error, run, place);
    }
  };
}

function comesLater(value: unknown): value is Promise<unknown> {
  return value instanceof Later || value instanceof Promise;
}

/** A field for error messages: `Type.field`, and its location in the document. */
type NamedField = { name: string; nodes: readonly FieldNode[] };

function makeFail(type: GraphQLOutputType, nodes: readonly FieldNode[]): Fail {
  return (error, run, place) => {
    if (error instanceof TooLarge) throw error;
    const failure = error instanceof Failure ? error : new Failure(error, nodes, place);
    if (isNonNullType(type)) throw failure;
    run.report(failure, place);
    return null;
  };
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

function compileType(compilation: Compilation, type: GraphQLOutputType, field: NamedField): Complete {
  if (isNonNullType(type)) {
    const complete = compileType(compilation, type.ofType, field);
    return (value, run, place) => {
      const completed = complete(value, run, place);
      if (completed === null) throw new Error(`Cannot return null for non-nullable field ${field.name}.`);
      return completed;
    };
  }
  const complete = compileNullable(compilation, type, field);
  return (value, run, place) => {
    if (value === null || value === undefined) return null;
    if (value instanceof Error) throw value;
    return complete(value, run, place);
  };
}

function compileNullable(compilation: Compilation, type: GraphQLOutputType, field: NamedField): Complete {
  if (isLeafType(type)) {
    return (value, run) => {
      const output = type.coerceOutputValue(value);
      if (output === null || output === undefined) throw new Error(`${type.name} gave nothing for a value`);
      if (typeof output === 'string') run.spend(bytesOfText(output));
      else if (typeof output === 'object') run.spend(bytesOfJson(output));
      return output;
    };
  }
  if (isListType(type)) return compileList(compilation, type.ofType, field);
  if (!isObjectType(type)) throw new Error(`${type} is an interface or union, which this compiler does not know`);
  const plan = compileFields(compilation, type, field.nodes);
  return (value, run, place) => executeFields(plan, value, run, place);
}

function compileList(compilation: Compilation, itemType: GraphQLOutputType, field: NamedField): Complete {
  const complete = compileType(compilation, itemType, field);
  const fail = makeFail(itemType, field.nodes);
  return (value, run, parent) => {
    if (typeof value !== 'object' || value === null || !(Symbol.iterator in value)) {
      throw new GraphQLError(`Expected Iterable, but did not find one for field "${field.name}".`);
    }
    const items: unknown[] = [];
    for (const item of value as Iterable<unknown>) {
      const place = { parent, key: items.length, holder: items as unknown as Holder, fail };
      try {
        if (comesLater(item)) {
          items.push(null);
          run.follow(item, place, complete);
        } else items.push(complete(item, run, place));
      } catch (error) {
        items[place.key] = fail(error, run, place);
      }
    }
    return items;
  };
}
