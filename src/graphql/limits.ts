import {
  type FieldNode,
  type FragmentDefinitionNode,
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

export const MAX_TOKENS = 1_000;
export const MAX_DEPTH = 12;
export const MAX_ROOT_FIELDS = 20;
export const MAX_COST = 5_000;

/** What an operation costs with these variables: its fields, those of list items times the page size. */
export type Cost = (variables: Readonly<Record<string, unknown>>) => number;

/**
 * Checks depth and number of root fields of a valid operation, once for each document.
 * @returns how to work out the cost, which can depend on page sizes in variables
 * @throws QUERY_TOO_COMPLEX naming the limit and the operation's figure
 */
export function checkShape(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Cost {
  const walk = new Walk(fragments);
  requireWithin('number of root fields', walk.fieldsOf(operation.selectionSet).length, MAX_ROOT_FIELDS);
  requireWithin('depth', walk.depthOf(operation.selectionSet), MAX_DEPTH);
  return walk.costOf(operation.selectionSet, schema.getRootType(operation.operation) ?? null);
}

/** @throws QUERY_TOO_COMPLEX when the cost with these variables is over the limit */
export function checkCost(cost: Cost, variables: Readonly<Record<string, unknown>>): void {
  requireWithin('cost', cost(variables), MAX_COST);
}

/** The error for a figure of a document that is over its limit. */
export function tooComplex(what: string, figure: string, limit: number): AppError {
  const most = limit.toLocaleString('en');
  return new AppError('QUERY_TOO_COMPLEX', `The query is too complex: its ${what} is ${figure}, the limit is ${most}`);
}

function requireWithin(what: string, figure: number, limit: number): void {
  if (figure > limit) throw tooComplex(what, figure.toLocaleString('en'), limit);
}

/** A look at one document. Fragments can multiply a short document, so no step is taken twice for the same part. */
class Walk {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #depths = new Map<SelectionSetNode, number>();
  #fieldsLeft = MAX_COST;

  constructor(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.#fragments = fragments;
  }

  /** The fields of a selection with those of its fragments, each fragment once as in execution. */
  fieldsOf(selection: SelectionSetNode, visited = new Set<string>()): FieldNode[] {
    return selection.selections.flatMap((node) => {
      if (node.kind === Kind.FIELD) return node;
      if (node.kind === Kind.INLINE_FRAGMENT) return this.fieldsOf(node.selectionSet, visited);
      const fragment = this.#fragments.get(node.name.value);
      if (!fragment || visited.has(node.name.value)) return [];
      visited.add(node.name.value);
      return this.fieldsOf(fragment.selectionSet, visited);
    });
  }

  /** Levels of fields. Introspection is as deep as its tools need, within the rule of graphql-js for it. */
  depthOf(selection: SelectionSetNode): number {
    let depth = this.#depths.get(selection);
    if (depth === undefined) {
      const fields = this.fieldsOf(selection).filter((field) => !isIntrospection(field));
      depth = Math.max(0, ...fields.map((field) => 1 + (field.selectionSet ? this.depthOf(field.selectionSet) : 0)));
      this.#depths.set(selection, depth);
    }
    return depth;
  }

  costOf(selection: SelectionSetNode, parent: GraphQLObjectType | null): Cost {
    return this.#costOfFields(this.fieldsOf(selection), parent);
  }

  #costOfFields(fields: readonly FieldNode[], parent: GraphQLObjectType | null): Cost {
    const costs = fields.map((field) => this.#costOfField(field, parent));
    return (variables) => costs.reduce((sum, cost) => sum + cost(variables), 0);
  }

  /** A field costs 1; what is selected of the items of a list counts once for each that the page may have. */
  #costOfField(field: FieldNode, parent: GraphQLObjectType | null): Cost {
    if (this.#fieldsLeft-- <= 0) throw tooComplex('cost', `more than ${MAX_COST.toLocaleString('en')}`, MAX_COST);
    if (!field.selectionSet) return () => 1;
    const definition = parent?.getFields()[field.name.value];
    const type = definition && getNamedType(definition.type);
    const inner = this.fieldsOf(field.selectionSet);
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
    return (variables) => 1 + once(variables) + pageSize(variables) * items(variables);
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

/** Page sizes out of bounds are refused by the list itself; here they must only not hide the cost of the rest. */
function clampPage(limit: unknown): number {
  return typeof limit === 'number' ? Math.min(Math.max(limit, 1), PAGE_MAX) : PAGE_DEFAULT;
}
