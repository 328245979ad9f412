import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  specifiedRules,
  type VariableValues,
  validate,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../platform/errors.ts';
import { compile, MAX_PLANS } from '../../platform/graphql/compile.ts';
import type { Context } from '../../platform/graphql/context.ts';
import { Introspection, introspectionOf } from '../../platform/graphql/introspection.ts';
import {
  checkCost,
  checkShape,
  MANY_LONG_TEXTS,
  MAX_ERRORS,
  MAX_NAME,
  MAX_QUOTED,
  MAX_TOKENS,
  requireWithin,
  type Shape,
  tooComplex,
} from '../../platform/graphql/limits.ts';
import type { Result } from '../../platform/graphql/run.ts';
import { type Fragments, fieldsOf, fragmentsOf } from '../../platform/graphql/selections.ts';
import { findLongText, ShortTextsRule } from '../../platform/graphql/texts.ts';
import { noVariables, readVariables, type Variables } from '../../platform/graphql/variables.ts';
import { Lane } from '../../platform/lib/lane.ts';
import type { MaybePromise } from '../../platform/lib/maybe-promise.ts';
import { needsActor } from './schema.ts';

/**
 * Operations that are kept, and the memory of all of them and of one, in bytes. A short document can have many fields by
 * its fragments, so they count as well; an operation that is too large to keep is compiled each time.
 */
const MAX_OPERATIONS = 1_000;
const MAX_BYTES = 32 * 1_048_576;
const MAX_BYTES_OF_ONE = 2 * 1_048_576;
/** What a character of a document and a compiled field take, as measured. */
const CHARACTER_BYTES = 50;
const COMPILED_FIELD_BYTES = 1_100;
/** Fields in all plans of one operation: with few fields it may have many plans. */
const MAX_PLANNED_FIELDS = 1_500;

/** Heavy queries, and heavy mutations, that run at a time: each can take 100 MB for a moment. */
const HEAVY_AT_ONCE = 2;

/** An operation that is parsed, valid and within the limits, ready to run any number of times. */
type Operation = {
  kind: `${OperationTypeNode}`;
  /** The root field, or `several`: the name of the operation in metrics. */
  label: string;
  /** Names of the root fields, each as often as it is asked for. */
  roots: readonly string[];
  /** Whether every root field needs an acting user: without one, nothing of it runs. */
  needsActor: boolean;
  /** @throws nothing: what is wrong with the variables is in the result */
  with(variables: Variables): Ready;
  /** What it takes to keep, in bytes. */
  bytes: number;
};

/** An operation with its variables. */
export type Ready = {
  /**
   * Does work around `run`: heavy work only a few at a time, so that a transaction begins when its turn comes and holds
   * nothing while it waits.
   */
  inTurn<T>(work: () => MaybePromise<T>): MaybePromise<T>;
  /** @param event of a subscription */
  run(context: Context, event?: unknown): MaybePromise<Result>;
  /** The arguments of a subscription; null if its variables are wrong, which `run` reports. */
  followed(): Record<string, unknown> | null;
  /** Number of characters in its arguments; those of a variable count each time it is used. */
  countCharacters(): number;
};

/** What operations of one schema share. Mutations can wait for each other's locks, and queries need not wait with them. */
type Shared = {
  schema: GraphQLSchema;
  introspection: Introspection;
  lanes: { query: Lane; mutation: Lane };
};

/** Turns documents into operations and caches them, so that a repeated document costs a lookup. */
export class Executor {
  readonly #shared: Shared;
  readonly #operations = new LRUCache<string, Operation>({
    max: MAX_OPERATIONS,
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_BYTES_OF_ONE,
    sizeCalculation: ({ bytes }, key) => bytes + key.length,
  });

  constructor(schema: GraphQLSchema) {
    this.#shared = {
      schema,
      introspection: new Introspection(schema),
      lanes: { query: new Lane(HEAVY_AT_ONCE), mutation: new Lane(HEAVY_AT_ONCE) },
    };
  }

  /** The schema that operations are prepared for. */
  get schema(): GraphQLSchema {
    return this.#shared.schema;
  }

  /** Bytes that the cached operations take. */
  get keptBytes(): number {
    return this.#operations.calculatedSize;
  }

  /**
   * The operation of a document. `operationName` selects one if there are several; an empty name, as some tools send,
   * counts as none.
   * @throws GraphQLError[] or AppError when it cannot be parsed, is not valid or too complex
   */
  prepare(query: string, operationName: string | null | undefined): Operation {
    const key = operationName ? `${operationName}\n${query}` : query;
    let operation = this.#operations.get(key);
    if (!operation) {
      operation = makeOperation(this.#shared, query, operationName || null);
      this.#operations.set(key, operation);
    }
    return operation;
  }
}

/** Thrown when a document is refused, with everything that is wrong with it. */
export class DocumentError extends Error {
  readonly code: 'GRAPHQL_PARSE_FAILED' | 'GRAPHQL_VALIDATION_FAILED';
  readonly errors: readonly GraphQLError[];

  constructor(code: DocumentError['code'], errors: readonly GraphQLError[]) {
    super(errors.map((error) => error.message).join('\n'));
    this.code = code;
    this.errors = errors;
  }
}

function makeOperation(shared: Shared, query: string, operationName: string | null): Operation {
  const { schema } = shared;
  const document = parseDocument(query);
  requireShortNames(document);
  const maxErrors = query.length > MAX_QUOTED ? 1 : MAX_ERRORS;
  const problems = validate(schema, document, [...specifiedRules, ShortTextsRule], { maxErrors });
  if (problems.some(({ message }) => message === 'Validation aborted.')) {
    throw new AppError('QUERY_TOO_COMPLEX', 'The query is too complex: it repeats fields too often to compare them');
  }
  if (problems.length > 0) throw new DocumentError('GRAPHQL_VALIDATION_FAILED', problems);
  const node = chooseOperation(document, operationName);
  const shape = checkShape(schema, node, fragmentsOf(document));
  const { fields } = shape;
  const maxPlans = Math.min(MAX_PLANS, Math.max(1, Math.floor(MAX_PLANNED_FIELDS / fields)));
  const root = schema.getRootType(node.operation);
  const rootFields = node.selectionSet.selections.map((s) => (s.kind === Kind.FIELD ? s.name.value : null));
  const [only] = rootFields;
  const roots = fieldsOf(node.selectionSet, fragmentsOf(document)).map(({ name }) => name.value);
  return {
    kind: node.operation,
    label: rootFields.length === 1 && only ? only : 'several',
    roots,
    needsActor: root != null && roots.every((name) => needsActor(root, name)),
    with: makeWith(shared, document, node, shape, maxPlans),
    bytes: query.length * CHARACTER_BYTES + fields * maxPlans * COMPILED_FIELD_BYTES,
  };
}

/** Errors in a long document have no location, because each would be searched for from the beginning. */
function parseDocument(query: string): DocumentNode {
  try {
    return parse(query, { maxLexicalTokens: MAX_TOKENS, noLocation: query.length > MAX_QUOTED });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    if (/more than \d+ tokens/.test(error.message))
      throw tooComplex('length in tokens', `over ${MAX_TOKENS.toLocaleString('en')}`, MAX_TOKENS);
    throw new DocumentError('GRAPHQL_PARSE_FAILED', [error]);
  }
}

/** Names are repeated in answers and errors, aliases for each row. @throws QUERY_TOO_COMPLEX */
function requireShortNames(document: DocumentNode): void {
  visit(document, { Name: ({ value }) => requireWithin('longest name', value.length, MAX_NAME) });
}

function chooseOperation(document: DocumentNode, name: string | null): OperationDefinitionNode {
  const operations = document.definitions.filter((d) => d.kind === Kind.OPERATION_DEFINITION);
  const [operation, ...more] = name === null ? operations : operations.filter((o) => o.name?.value === name);
  if (operation && more.length === 0) return operation;
  const problem =
    name === null
      ? 'operationName is required: the document has several operations'
      : `Unknown operation named "${name}"`;
  throw new DocumentError('GRAPHQL_VALIDATION_FAILED', [new GraphQLError(problem)]);
}

function makeWith(
  { schema, introspection, lanes }: Shared,
  document: DocumentNode,
  node: OperationDefinitionNode,
  { cost, longTexts }: Shape,
  maxPlans: number,
): Operation['with'] {
  const execute = compile(schema, document, node, maxPlans);
  const definitions = node.variableDefinitions ?? [];
  const names = definitions.map(({ variable }) => variable.name.value);
  const fragments = fragmentsOf(document);
  const introspected = introspectionOf(node, fragments);
  const lane = lanes[node.operation === 'mutation' ? 'mutation' : 'query'];
  return (variables) => {
    const longText = findLongText(variables, names);
    if (longText) return refused([longText]);
    const given = names.length > 0 ? readVariables(schema, definitions, variables) : null;
    if (given?.errors) return refused(given.errors);
    const values = given?.variableValues ?? noVariables;
    try {
      checkCost(cost, values.coerced);
      if (introspected.length > 0) introspection.check(introspected, fragments, values);
    } catch (error) {
      if (error instanceof AppError) return refused([new GraphQLError(error.message, { originalError: error })]);
      throw error;
    }
    const isHeavy = introspected.length > 0 || (longTexts !== null && longTexts(values.coerced) > MANY_LONG_TEXTS);
    return {
      run: (context, event) => execute(context, values, isHeavy, event),
      followed: () => argumentsOfRoot(schema, node, fragments, values),
      inTurn: isHeavy ? (work) => lane.within(work) : atOnce,
      countCharacters: () => countCharacters(document, values.coerced),
    };
  };
}

/** The arguments of the only root field that a subscription has. */
function argumentsOfRoot(
  schema: GraphQLSchema,
  { operation, selectionSet }: OperationDefinitionNode,
  fragments: Fragments,
  values: VariableValues,
): Record<string, unknown> {
  const [field] = fieldsOf(selectionSet, fragments);
  const definition = field && schema.getRootType(operation)?.getFields()[field.name.value];
  return definition ? getArgumentValues(definition, field, values) : {};
}

function countCharacters(document: DocumentNode, values: Variables): number {
  let characters = 0;
  const count = ({ value }: { value: string }) => {
    characters += value.length;
  };
  visit(document, {
    VariableDefinition: () => false,
    Variable: ({ name }) => {
      characters += JSON.stringify(values[name.value])?.length ?? 0;
    },
    StringValue: count,
    IntValue: count,
    FloatValue: count,
    EnumValue: count,
  });
  return characters;
}

function refused(errors: readonly GraphQLError[]): Ready {
  return { run: () => ({ errors }), followed: () => null, inTurn: atOnce, countCharacters: () => 0 };
}

function atOnce<T>(work: () => MaybePromise<T>): MaybePromise<T> {
  return work();
}
