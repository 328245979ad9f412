import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLObjectType,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import { schema } from '../../support/schema.ts';

/** An argument of the schema by its name: `Mutation.createPost(title)`, `PostWhere(externalId)`. */
export type ArgumentName = string;

type Listed = { name: ArgumentName; argument: GraphQLArgument | GraphQLInputField };

/** All but the subscription, whose arguments are those of a query (`src/api/graphql/subscription.test.ts`). */
const objectTypes = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLObjectType =>
    isObjectType(type) && !type.name.startsWith('__') && type !== schema.getSubscriptionType(),
);

const inputs: readonly Listed[] = Object.values(schema.getTypeMap())
  .filter(isInputObjectType)
  .flatMap((type) =>
    Object.values(type.getFields()).map((argument) => ({ name: `${type.name}(${argument.name})`, argument })),
  );

/** Every argument of every field, and every field of every input. */
export const everyArgument: readonly Listed[] = [
  ...objectTypes.flatMap((type) =>
    Object.values(type.getFields()).flatMap((field) =>
      field.args.map((argument) => ({ name: `${type.name}.${field.name}(${argument.name})`, argument })),
    ),
  ),
  ...inputs,
];

/** The names of the arguments of a scalar type, or of lists of it. */
export function argumentsOf(scalar: string): ArgumentName[] {
  return everyArgument.filter(({ argument }) => getNamedType(argument.type).name === scalar).map(({ name }) => name);
}

const isIdName = (name: string) =>
  /\((id|ids|files|boardId|\w+Ids?|is|parent|segment)\)$/.test(name) &&
  !/\((ssoId|userId|externalId)\)$|^(FieldOption|Company)Input/.test(name);
const isCursorName = (name: string) => /\((cursor|after)\)$/.test(name);

/** The arguments that take ids of rows. */
export const idArguments = argumentsOf('String').filter(isIdName);
/** The arguments that take a place in a list. */
export const cursorArguments = argumentsOf('String').filter(isCursorName);
/** The arguments that take texts of people and of other systems. */
export const textArguments = argumentsOf('String').filter((name) => !isIdName(name) && !isCursorName(name));
/** The arguments that take the size of a page. */
export const limitArguments = argumentsOf('Int').filter((name) => name.endsWith('(limit)'));
