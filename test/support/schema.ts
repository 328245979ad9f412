import { type GraphQLField, getNamedType, isLeafType, isObjectType } from 'graphql';
import { writeDocument } from '../../sdk/src/select.ts';
import '../../src/api/graphql/features.ts';
import { makeSchema } from '../../src/api/graphql/schema.ts';

/** The schema that tests ask what there is. */
export const schema = makeSchema();

const mutations = schema.getMutationType()?.getFields() ?? {};

/** Every query and mutation by its name. */
export const rootFields: Readonly<Record<string, GraphQLField<unknown, unknown>>> = {
  ...schema.getQueryType()?.getFields(),
  ...mutations,
};

export const mutationNames: readonly string[] = Object.keys(mutations);

/** Which fields of an object to ask for. */
export type Fields = { readonly [field: string]: true | Fields };

/** The document of an operation with a variable for each argument, and the values of these. */
export function writeCall(name: string, args: object, select: Fields = chooseFields(name)) {
  const kind = name in mutations ? 'mutation' : 'query';
  return writeDocument(kind, name, args, isLeafType(typeOf(name)) ? undefined : select);
}

/** All that an operation returns without leading further, and all that its `node` has. */
export function everyLeaf(name: string): Fields {
  const leaves = (fields: ReturnType<typeof fieldsOf>): Fields => {
    const found = Object.values(fields).filter(({ type }) => isLeafType(getNamedType(type)));
    return Object.fromEntries(found.map((field) => [field.name, true]));
  };
  const fields = fieldsOf(typeOf(name));
  return { ...leaves(fields), ...(fields.node && { node: leaves(fieldsOf(getNamedType(fields.node.type))) }) };
}

/** Whether an operation returns what it is about as the `node` of a payload. */
export function hasNode(name: string): boolean {
  return 'node' in fieldsOf(typeOf(name));
}

/** The id of what an operation returns, if that has one. */
function chooseFields(name: string): Fields {
  if (hasNode(name)) return { node: { id: true } };
  return 'id' in fieldsOf(typeOf(name)) ? { id: true } : { __typename: true };
}

function typeOf(name: string) {
  return getNamedType(rootFields[name]?.type);
}

function fieldsOf(type: ReturnType<typeof typeOf>): Readonly<Record<string, GraphQLField<unknown, unknown>>> {
  return isObjectType(type) ? type.getFields() : {};
}
