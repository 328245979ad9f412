import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  getIntrospectionQuery,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  type VariableValues,
} from 'graphql';
import type { Resolve } from './columns.ts';
import { tooComplex } from './limits.ts';
import { type Fragments, fieldsOf, fragmentsOf } from './selections.ts';
import { noVariables } from './variables.ts';

/** Introspection may return this many times the fields of the tools' full query. */
const TIMES_TOOLS = 1.5;

/** Computes what introspection of one schema costs before it runs. */
export class Introspection {
  readonly #schema: GraphQLSchema;
  readonly #limit: number;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
    this.#limit = Math.floor(TIMES_TOOLS * countTools(schema));
  }

  /**
   * Counts what the schema really has of everything selected, without building it, which takes a tenth of the time.
   * @param variables those of this run: the name of a type and `includeDeprecated` can be among them
   * @throws QUERY_TOO_COMPLEX if it is over the limit, where counting ends
   */
  check(fields: readonly FieldNode[], fragments: Fragments, variables: VariableValues): void {
    const count = new Count(this.#schema, fragments, variables, this.#limit).ofRoot(fields);
    if (count <= this.#limit) return;
    throw tooComplex('introspection', `more than ${this.#limit.toLocaleString('en')} fields`, this.#limit);
  }
}

/** The fields at the root of an operation that introspect. */
export function introspectionOf(operation: OperationDefinitionNode, fragments: Fragments): readonly FieldNode[] {
  return fieldsOf(operation.selectionSet, fragments).filter(({ name }) => /^__(schema|type)$/.test(name.value));
}

/** The number of fields that the full query of GraphiQL, Apollo and others returns. */
function countTools(schema: GraphQLSchema): number {
  const everything = {
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    experimentalDirectiveDeprecation: true,
    oneOf: true,
  };
  const document = parse(getIntrospectionQuery(everything));
  const fragments = fragmentsOf(document);
  const operations = document.definitions.filter((d) => d.kind === Kind.OPERATION_DEFINITION);
  const fields = operations.flatMap((operation) => introspectionOf(operation, fragments));
  return new Count(schema, fragments, noVariables, Number.POSITIVE_INFINITY).ofRoot(fields);
}

type MetaField = GraphQLField<unknown, unknown>;

/** A walk over the parts of a schema, as building a response would take it; it ends soon after the limit. */
class Count {
  readonly #schema: GraphQLSchema;
  readonly #fragments: Fragments;
  readonly #variables: VariableValues;
  readonly #limit: number;
  readonly #selections = new Map<SelectionSetNode, readonly FieldNode[]>();
  #count = 0;

  constructor(schema: GraphQLSchema, fragments: Fragments, variables: VariableValues, limit: number) {
    this.#schema = schema;
    this.#fragments = fragments;
    this.#variables = variables;
    this.#limit = limit;
  }

  /** The number of response fields for these root fields; any number above the limit means "too many". */
  ofRoot(fields: readonly FieldNode[]): number {
    const root = this.#schema.getQueryType();
    if (root) this.#addFields(fields, root, undefined);
    return this.#count;
  }

  #addFields(fields: readonly FieldNode[], parent: GraphQLObjectType, source: unknown): void {
    this.#count += fields.length;
    for (const node of fields) {
      if (this.#count > this.#limit) return;
      if (node.selectionSet) this.#addBelow(node, node.selectionSet, parent, source);
    }
  }

  #addBelow(node: FieldNode, selection: SelectionSetNode, parent: GraphQLObjectType, source: unknown): void {
    const field = this.#schema.getField(parent, node.name.value) as MetaField | undefined;
    const type = field && getNamedType(field.type);
    if (!field || !isObjectType(type)) return;
    const fields = this.#fieldsOf(selection);
    const value = this.#resolve(field, node, source);
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item != null) this.#addFields(fields, type, item);
      if (this.#count > this.#limit) return;
    }
  }

  #resolve(field: MetaField, node: FieldNode, source: unknown): unknown {
    const resolve = field.resolve as Resolve<undefined> | undefined;
    const info = { schema: this.#schema, fieldName: field.name };
    try {
      return resolve?.(source, getArgumentValues(field, node, this.#variables), undefined, info);
    } catch {
      // Null for an invalid argument: the response has an error there, and nothing below.
      return null;
    }
  }

  #fieldsOf(selection: SelectionSetNode): readonly FieldNode[] {
    let fields = this.#selections.get(selection);
    if (!fields) {
      fields = fieldsOf(selection, this.#fragments);
      this.#selections.set(selection, fields);
    }
    return fields;
  }
}
