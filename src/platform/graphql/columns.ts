import { type FieldNode, type GraphQLOutputType, type GraphQLResolveInfo, getNamedType, isObjectType } from 'graphql';
import type { Columns } from '../db/prepare.ts';
import { type Compilation, collectFields } from './collect.ts';

/**
 * For a field's `extensions`: the columns of the row that its resolver reads. With it, a query that selects few fields
 * reads few columns; a field without it makes the query read the whole row. Fields that expose a column need none.
 */
export function reads<Row>(...columns: (keyof Row & string)[]): { reads: readonly string[] } {
  return { reads: columns };
}

/** What resolvers know of their field: what those of introspection and of plain properties read, and its columns. */
export type FieldInfo = Pick<GraphQLResolveInfo, 'schema' | 'fieldName'> & {
  readonly columns?: readonly string[] | null;
};

/** A resolver as it is called here: with less information about its field than graphql-js passes. */
export type Resolve<Context> = (source: unknown, args: object, context: Context, info: FieldInfo) => unknown;

/** In a resolver: the columns that the fields selected of its row read. */
export function columnsOf<Row>(info: FieldInfo): Columns<Row> {
  return (info.columns ?? null) as Columns<Row>;
}

/**
 * While compiling: the columns that the fields read which nodes select of an object, of a list's items or of a page's
 * nodes. Null if some field does not declare its columns.
 */
export function columnsRead(
  compilation: Compilation,
  outputType: GraphQLOutputType,
  nodes: readonly FieldNode[],
): readonly string[] | null {
  const type = getNamedType(outputType);
  if (!isObjectType(type)) return null;
  const isPage = 'nodes' in type.getFields();
  const columns = new Set<string>();
  const selections = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  for (const fieldNodes of collectFields(compilation, type, selections).values()) {
    const field = type.getFields()[fieldNodes[0].name.value];
    if (!field || (isPage && field.name !== 'nodes')) continue;
    const read = isPage ? columnsRead(compilation, field.type, fieldNodes) : columnsOfField(field.extensions);
    if (!read) return null;
    for (const column of read) columns.add(column);
  }
  return [...columns].sort();
}

function columnsOfField(extensions: {
  reads?: readonly string[];
  pothosExposedField?: string;
}): readonly string[] | null {
  const { reads: declared, pothosExposedField: exposed } = extensions;
  return declared ?? (exposed === undefined ? null : [exposed]);
}
