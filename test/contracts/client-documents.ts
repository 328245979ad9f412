import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
} from 'graphql';

/** A root field as clients write it: each argument a variable that is declared as the contract has it. */
export type ClientDocument = { name: string; kind: 'query' | 'mutation'; query: string };

/** A document for each operation of the contract, with all its arguments and all that its rows have. */
export function writeDocuments(contract: GraphQLSchema): ClientDocument[] {
  return (['query', 'mutation'] as const).flatMap((kind) => {
    const root = kind === 'query' ? contract.getQueryType() : contract.getMutationType();
    return Object.values(root?.getFields() ?? {}).map((field) => ({
      name: field.name,
      kind,
      query: writeOperation(contract, kind, field),
    }));
  });
}

function writeOperation(contract: GraphQLSchema, kind: string, field: GraphQLField<unknown, unknown>): string {
  const name = `${field.name.charAt(0).toUpperCase()}${field.name.slice(1)}`;
  const declared = field.args.map(({ name: arg, type }) => `$${arg}: ${type}`).join(', ');
  const given = field.args.map(({ name: arg }) => `${arg}: $${arg}`).join(', ');
  const head = declared && `(${declared})`;
  return `${kind} ${name}${head} { ${field.name}${given && `(${given})`} ${select(contract, field, 1)} }`;
}

/** Everything that a field gives, and of what it leads to the leaves; lists within are short. */
function select(contract: GraphQLSchema, field: GraphQLField<unknown, unknown>, depth: number): string {
  const type = contract.getType(getNamedType(field.type).name);
  if (!isObjectType(type)) return '';
  const parts = Object.values(type.getFields()).flatMap((part) => {
    if (isLeafType(getNamedType(part.type))) return [part.name];
    const isWrapper = part.name === 'nodes' || part.name === 'node';
    if (!isWrapper && depth === 0) return [];
    return [`${part.name}${pageOf(part.args)} ${select(contract, part, isWrapper ? depth : depth - 1)}`];
  });
  return `{ ${parts.join(' ')} __typename }`;
}

function pageOf(args: readonly GraphQLArgument[]): string {
  return args.some(({ name }) => name === 'limit') ? '(limit: 1)' : '';
}
