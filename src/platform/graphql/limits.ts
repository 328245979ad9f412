import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { AppError } from '../errors.ts';
import { PAGE_DEFAULT, PAGE_MAX } from '../lib/page.ts';
import { type Fragments, fieldsOf } from './selections.ts';

export const MAX_TOKENS = 1_000;
const MAX_DEPTH = 12;
const MAX_ROOT_FIELDS = 20;
const MAX_COST = 5_000;
/** Characters of a name in the document, an alias for example, or of a field in variables. */
export const MAX_NAME = 500;

/** Items of lists and fields of objects in the body of a request, all together. */
export const MAX_VALUES = 10_000;
/** How many lists and objects may be around a value in variables. */
export const MAX_VALUE_DEPTH = 32;

/** Errors in one response; one more states the number of the others. */
export const MAX_ERRORS = 20;
/**
 * Maximum size of a document or of variables for which several errors are reported, with locations: each may repeat
 * much of it.
 */
export const MAX_QUOTED = 100_000;

const MEBIBYTE = 1_048_576;

/**
 * Bytes of one response: a hundred posts with the longest texts, 20,000 characters of four bytes each, and a quarter of
 * that for everything else.
 */
export const MAX_ANSWER_BYTES = 10 * MEBIBYTE;

/**
 * Bytes of the responses to all mutations of one request, which are stored with an idempotency key: twenty posts with
 * the longest texts, and a quarter more.
 */
export const MAX_MUTATION_ANSWER_BYTES = 2 * MEBIBYTE;

/** Bytes of the response to a subscription for one event: an event with the longest texts, its post and some comments. */
export const MAX_EVENT_BYTES = MEBIBYTE;

/** The size of each field besides its name and text: this many small fields take as long as the texts that fit. */
export const FIELD_BYTES = 40;

/** Texts up to this length count one byte per character: measuring takes longer than creating them. */
const SHORT_TEXT = 100;

/** Bytes of a text in UTF-8. */
export function bytesOfText(text: string): number {
  return text.length > SHORT_TEXT ? Buffer.byteLength(text) : text.length;
}

/** Bytes of a value of any shape: of its texts and names, and each value as a field. */
export function bytesOfJson(value: unknown): number {
  if (typeof value === 'string') return bytesOfText(value);
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = 0;
  for (const [name, inner] of Object.entries(value)) bytes += name.length + FIELD_BYTES + bytesOfJson(inner);
  return bytes;
}

/** A limit as text. */
export function asMebibytes(bytes: number): string {
  return `${bytes / MEBIBYTE} MiB`;
}

/** For the `extensions` of a field whose text can be long: it costs as much as two others. */
export const LONG_TEXT = { cost: 2 } as const;

/** The cost of an operation with these variables: its fields, those of list items times the page size. */
type Cost = (variables: Readonly<Record<string, unknown>>) => number;

/** A query that may read more long texts than this is heavy: they can take 80 kB each. */
export const MANY_LONG_TEXTS = 60;

/**
 * The shape of an operation: its cost, the number of compiled fields, and how many long texts it may read; null for
 * none.
 */
export type Shape = { cost: Cost; fields: number; longTexts: Cost | null };

/**
 * Checks depth and number of root fields of a valid operation, once for each document.
 * @returns a function for the cost, which can depend on page sizes in variables; and the number of compiled fields
 * @throws QUERY_TOO_COMPLEX naming the limit and the actual value
 */
export function checkShape(schema: GraphQLSchema, operation: OperationDefinitionNode, fragments: Fragments): Shape {
  const walk = new Walk(fragments, weights);
  requireWithin('number of root fields', fieldsOf(operation.selectionSet, fragments).length, MAX_ROOT_FIELDS);
  requireWithin('depth', walk.depthOf(operation.selectionSet), MAX_DEPTH);
  const root = schema.getRootType(operation.operation) ?? null;
  const once = walk.costOf(operation.selectionSet, root);
  // A subscription is carried out for each event, without another request that a rate limit would count.
  const cost: Cost = operation.operation === 'subscription' ? (variables) => PAGE_DEFAULT * once(variables) : once;
  let hasTexts = false;
  const leaf = (definition: Definition) => {
    const isLong = weights.leaf(definition) === LONG_TEXT.cost;
    hasTexts ||= isLong;
    return isLong ? 1 : 0;
  };
  const longTexts = new Walk(fragments, { object: 0, leaf }).costOf(operation.selectionSet, root);
  return { cost, fields: walk.fieldCount(), longTexts: hasTexts ? longTexts : null };
}

type Definition = GraphQLField<unknown, unknown> | undefined;

/** The weights of fields: of objects, and of leaves. */
type Weights = { object: number; leaf(definition: Definition): number };

/** A field costs 1, a long text more. */
const weights: Weights = {
  object: 1,
  leaf(definition) {
    const cost = definition?.extensions.cost;
    return typeof cost === 'number' ? cost : 1;
  },
};

/** @throws QUERY_TOO_COMPLEX when the cost with these variables is over the limit */
export function checkCost(cost: Cost, variables: Readonly<Record<string, unknown>>): void {
  requireWithin('cost', cost(variables), MAX_COST);
}

/** The error for a value that is over its limit. */
export function tooComplex(what: string, figure: string, limit: number | string): AppError {
  const most = typeof limit === 'number' ? limit.toLocaleString('en') : limit;
  return new AppError('QUERY_TOO_COMPLEX', `The query is too complex: its ${what} is ${figure}, the limit is ${most}`);
}

/** @throws QUERY_TOO_COMPLEX if a value is over its limit */
export function requireWithin(what: string, figure: number, limit: number): void {
  if (figure > limit) throw tooComplex(what, figure.toLocaleString('en'), limit);
}

/** A walk over one document. Fragments can multiply a short document, so no part is processed twice. */
class Walk {
  readonly #fragments: Fragments;
  readonly #weights: Weights;
  readonly #depths = new Map<SelectionSetNode, number>();
  #fieldsLeft = MAX_COST;

  constructor(fragments: Fragments, weights: Weights) {
    this.#fragments = fragments;
    this.#weights = weights;
  }

  /** Levels of fields. Introspection is as deep as its tools need, within the rule of graphql-js for it. */
  depthOf(selection: SelectionSetNode): number {
    let depth = this.#depths.get(selection);
    if (depth === undefined) {
      const fields = fieldsOf(selection, this.#fragments).filter((field) => !isIntrospection(field));
      depth = Math.max(0, ...fields.map((field) => 1 + (field.selectionSet ? this.depthOf(field.selectionSet) : 0)));
      this.#depths.set(selection, depth);
    }
    return depth;
  }

  /** The number of fields visited while the cost was computed; those of a fragment count each time it is used. */
  fieldCount(): number {
    return MAX_COST - this.#fieldsLeft;
  }

  costOf(selection: SelectionSetNode, parent: GraphQLObjectType | null): Cost {
    return this.#costOfFields(fieldsOf(selection, this.#fragments), parent);
  }

  #costOfFields(fields: readonly FieldNode[], parent: GraphQLObjectType | null): Cost {
    const costs = fields.map((field) => this.#costOfField(field, parent));
    return (variables) => costs.reduce((sum, cost) => sum + cost(variables), 0);
  }

  /** Fields of list items count once for each item that the page may have. */
  #costOfField(field: FieldNode, parent: GraphQLObjectType | null): Cost {
    if (this.#fieldsLeft-- <= 0) throw tooComplex('cost', `more than ${MAX_COST.toLocaleString('en')}`, MAX_COST);
    const definition = parent?.getFields()[field.name.value];
    if (!field.selectionSet) {
      const leaf = this.#weights.leaf(definition);
      return () => leaf;
    }
    const type = definition && getNamedType(definition.type);
    const inner = fieldsOf(field.selectionSet, this.#fragments);
    const hasPages = definition?.args.some((argument) => argument.name === 'limit') ?? false;
    const isList = definition !== undefined && isListType(getNullableType(definition.type));
    const isItem = (f: FieldNode) => hasPages && (isList || f.name.value === 'nodes');
    const below = isObjectType(type) ? type : null;
    const once = this.#costOfFields(
      inner.filter((f) => !isItem(f)),
      below,
    );
    const items = this.#costOfFields(inner.filter(isItem), below);
    const pageSize = pageSizeOf(field);
    const { object } = this.#weights;
    return (variables) => object + once(variables) + pageSize(variables) * items(variables);
  }
}

function isIntrospection(field: FieldNode): boolean {
  return field.name.value.startsWith('__');
}

function pageSizeOf(field: FieldNode): Cost {
  const value = field.arguments?.find((argument) => argument.name.value === 'limit')?.value;
  if (value?.kind === Kind.INT) return () => clampPage(Number(value.value));
  if (value?.kind === Kind.VARIABLE) return (variables) => clampPage(variables[value.name.value]);
  return () => PAGE_DEFAULT;
}

/** The list itself refuses invalid page sizes; here they just must not hide the cost of the rest. */
function clampPage(limit: unknown): number {
  return typeof limit === 'number' ? Math.min(Math.max(limit, 1), PAGE_MAX) : PAGE_DEFAULT;
}
