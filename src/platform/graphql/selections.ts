import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** The fragments that a document defines. */
export function fragmentsOf(document: DocumentNode): Fragments {
  const fragments = document.definitions.filter((d) => d.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/** The fields of a selection with those of its fragments, each fragment once as in execution. */
export function fieldsOf(
  { selections }: SelectionSetNode,
  fragments: Fragments,
  visited = new Set<string>(),
): FieldNode[] {
  return selections.flatMap((node) => {
    if (node.kind === Kind.FIELD) return node;
    if (node.kind === Kind.INLINE_FRAGMENT) return fieldsOf(node.selectionSet, fragments, visited);
    const fragment = fragments.get(node.name.value);
    if (!fragment || visited.has(node.name.value)) return [];
    visited.add(node.name.value);
    return fieldsOf(fragment.selectionSet, fragments, visited);
  });
}
