import {
  type GraphQLObjectType,
  type GraphQLSchema,
  getNullableType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { builder } from '../../platform/graphql/builder.ts';
import type { Context } from '../../platform/graphql/context.ts';

/**
 * The schema of all features that are registered, with the rules that root fields need an acting user, and that each
 * mutation of a request can fail individually.
 */
export function makeSchema(): GraphQLSchema {
  const schema = builder.toSchema({ sortSchema: false });
  const mutations = schema.getMutationType();
  if (mutations) makeNullable(mutations);
  const roots = [schema.getQueryType(), mutations, schema.getSubscriptionType()];
  for (const root of roots) if (root) requireActor(root);
  return schema;
}

/** The schema as text, in an order that does not depend on the order of files. */
export function printSdl(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

/** Whether a root field can be resolved only for an acting user. */
export function needsActor(root: GraphQLObjectType, fieldName: string): boolean {
  const field = root.getFields()[fieldName];
  return field !== undefined && field.extensions.withoutActor !== true;
}

/** What one mutation did remains even if the next one fails, so its result must not be lost with the other's. */
function makeNullable(mutations: GraphQLObjectType): void {
  for (const field of Object.values(mutations.getFields())) field.type = getNullableType(field.type);
}

function requireActor(root: GraphQLObjectType): void {
  for (const field of Object.values(root.getFields())) {
    const { resolve } = field;
    if (!resolve || !needsActor(root, field.name)) continue;
    field.resolve = (source, args, context: Context, info) => {
      requireActorContext(context);
      return resolve(source, args, context, info);
    };
  }
}
