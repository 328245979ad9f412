import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isRequiredInputField,
  isSpecifiedScalarType,
} from 'graphql';

/**
 * What the schema lacks of the contract, one sentence for each. The schema may have more, as long as no client that
 * follows the contract notices: nullability is the same, and what is added to the input need not be given. Mutations
 * alone may give null where the contract has none: with one that fails, the answers of the others are not lost.
 */
export function findMissing(contract: GraphQLSchema, schema: GraphQLSchema): string[] {
  return Object.values(contract.getTypeMap())
    .filter((type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type))
    .flatMap((type) => compareTypes(type, schema.getType(type.name)));
}

function compareTypes(wanted: GraphQLNamedType, found: GraphQLNamedType | undefined): string[] {
  const { name } = wanted;
  if (!found) return [`type ${name} is missing`];
  if (wanted.constructor !== found.constructor) return [`${name} is another kind of type`];
  if (isObjectType(wanted) && isObjectType(found)) {
    const fields = found.getFields();
    return Object.values(wanted.getFields()).flatMap((field) => {
      const place = `${name}.${field.name}`;
      const other = fields[field.name];
      if (!other) return [`field ${place} is missing`];
      const mayFail = name === 'Mutation' && String(other.type) === String(getNullableType(field.type));
      const differences = mayFail ? [] : compareNullability(place, field, other);
      return [...differences, ...compareInputs(place, field.args, other.args)];
    });
  }
  if (isInputObjectType(wanted) && isInputObjectType(found)) {
    return compareInputs(name, Object.values(wanted.getFields()), Object.values(found.getFields()));
  }
  return isEnumType(wanted) && isEnumType(found) ? compareValues(wanted, found) : [];
}

type Typed = { type: { toString(): string } };

function compareNullability(place: string, wanted: Typed, found: Typed): string[] {
  return String(wanted.type) === String(found.type) ? [] : [`${place} is ${found.type}, not ${wanted.type}`];
}

type Input = GraphQLArgument | GraphQLInputField;

function compareInputs(place: string, wanted: readonly Input[], found: readonly Input[]): string[] {
  const missing = wanted.flatMap((input) => {
    const other = found.find(({ name }) => name === input.name);
    const inputPlace = `${place}(${input.name})`;
    return other ? compareNullability(inputPlace, input, other) : [`input ${inputPlace} is missing`];
  });
  const added = found.filter(({ name }) => !wanted.some((input) => input.name === name));
  const demanded = added.filter((input) => isRequiredInputField(input as GraphQLInputField));
  return [...missing, ...demanded.map(({ name }) => `${place}(${name}) is demanded by the schema only`)];
}

function compareValues(wanted: GraphQLEnumType, found: GraphQLEnumType): string[] {
  const missing = wanted.getValues().filter(({ name }) => !found.getValue(name));
  return missing.map(({ name }) => `value ${wanted.name}.${name} is missing`);
}
