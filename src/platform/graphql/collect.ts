import {
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type VariableValues,
} from 'graphql';
import type { Fragments } from './selections.ts';

/** The state while an operation is compiled. The variables decide what `@skip` and `@include` leave. */
export type Compilation = {
  schema: GraphQLSchema;
  fragments: Fragments;
  variables: VariableValues;
};

/**
 * The fields that selections select from an object, by the response key, in the order of the specification
 * (https://spec.graphql.org/October2021/#CollectFields()). A key with several nodes has one field, whose selections are
 * merged.
 */
export function collectFields(
  compilation: Compilation,
  type: GraphQLObjectType,
  selections: readonly SelectionSetNode[],
): Map<string, [FieldNode, ...FieldNode[]]> {
  const fields = new Map<string, [FieldNode, ...FieldNode[]]>();
  const visited = new Set<string>();
  const collect = ({ selections: nodes }: SelectionSetNode): void => {
    for (const node of nodes) {
      if (!isIncluded(compilation, node)) continue;
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        const known = fields.get(key);
        if (known) known.push(node);
        else fields.set(key, [node]);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        if (fits(compilation.schema, type, node.typeCondition?.name.value)) collect(node.selectionSet);
      } else if (!visited.has(node.name.value)) {
        const fragment = compilation.fragments.get(node.name.value);
        if (!fragment || !fits(compilation.schema, type, fragment.typeCondition.name.value)) continue;
        visited.add(node.name.value);
        collect(fragment.selectionSet);
      }
    }
  };
  selections.forEach(collect);
  return fields;
}

function isIncluded({ variables }: Compilation, node: SelectionNode): boolean {
  if (!node.directives?.length) return true;
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false;
}

function fits(schema: GraphQLSchema, type: GraphQLObjectType, condition: string | undefined): boolean {
  if (condition === undefined || condition === type.name) return true;
  const other = schema.getType(condition);
  return isAbstractType(other) && schema.isSubType(other, type);
}
