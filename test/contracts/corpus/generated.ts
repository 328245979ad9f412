import { type GraphQLSchema, getNamedType, isLeafType, isNonNullType, isObjectType } from 'graphql';
import type { Sample } from './sample.ts';

/** Where a row of each type is found; `…` stands for what is asked of it. */
const places: Record<string, string> = {
  Board: '{ board { … } }',
  Post: '{ post(id: "<dark>") { … } }',
  Comment: '{ comment(id: "<praise>") { … } }',
  User: '{ user(ssoId: "ben") { … } }',
  Status: '{ listStatuses { … } }',
  Tag: '{ listTags { … } }',
  Vote: '{ votes(limit: 3) { nodes { … } } }',
  PostIssue: '{ post(id: "<dark>") { issues { nodes { … } } } }',
  PostAssignment: '{ post(id: "<dark>") { assignments { nodes { … } } } }',
  RoadmapColumn: '{ roadmap { … } }',
  UsersPayload: '{ post(id: "<dark>") { subscribers(limit: 2) { … } } }',
  Event: '{ events(limit: 3) { nodes { … } } }',
  Viewer: '{ viewer { … } }',
  RateLimit: '{ rateLimit { … } }',
  PostsPayload: '{ posts(limit: 2, sort: TOP) { … } }',
};

/** A document for each field of the types above: a leaf as it is, an object with all its own leaves. */
export function everyField(schema: GraphQLSchema): Sample[] {
  return Object.entries(places).flatMap(([name, place]) => {
    const type = schema.getType(name);
    if (!isObjectType(type)) throw new Error(`${name} is not an object type`);
    const fields = Object.values(type.getFields()).filter(({ args }) => !args.some((arg) => isNonNullType(arg.type)));
    return fields.map((field) => ({ query: place.replace('…', `${field.name}${selectLeaves(field.type)}`) }));
  });
}

function selectLeaves(type: Parameters<typeof getNamedType>[0]): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const leaves = Object.values(named.getFields()).filter((field) => isLeafType(getNamedType(field.type)));
  const node = getNamedType(named.getFields().nodes?.type);
  const nodes = isObjectType(node) ? ` nodes { __typename ${node.getFields().id ? 'id' : ''} }` : '';
  return ` { ${['__typename', ...leaves.map((field) => field.name)].join(' ')}${nodes} }`;
}
