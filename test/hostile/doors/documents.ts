import { eachOf, makeDoor } from '../attack.ts';
import { apiRequest, type Target } from '../target.ts';
import { repeat } from '../texts.ts';

/** How often a part of a document is repeated: more than any limit allows. */
const MANY = 20_000;

const documents: Readonly<Record<string, string>> = {
  'fields within fields': `{ ${'post(id: "1") { mergedInto '.repeat(1_000)}`,
  'fields within fields that end': `{ post(id: "1") { ${'mergedInto { '.repeat(60)} id ${'} '.repeat(60)} } }`,
  braces: '{'.repeat(MANY),
  'brackets in a value': `{ post(id: ${'['.repeat(MANY)}) }`,
  'brackets in a type': `query($a: ${'['.repeat(MANY)}Int) { board { id } }`,
  'objects in a value': `{ posts(where: ${'{author:'.repeat(MANY)}1 ) { totalCount } }`,
  'many fields': `{ ${'board{id}'.repeat(MANY)} }`,
  'many aliases': `{ ${times(190, (n) => `a${n}: board { id }`)} }`,
  'many aliases of a long field': `{ posts(limit: 100) { nodes { ${times(48, (n) => `a${n}: content`)} } } }`,
  'many aliases of comments': `{ comments(limit: 100) { nodes { ${times(48, (n) => `a${n}: text`)} } } }`,
  'comments of comments':
    '{ posts(limit: 100) { nodes { comments(limit: 100) { nodes { text post { content } } } } } }',
  'the same field with arguments that differ': `{ ${times(190, (n) => `post(id: "${n}") { id }`)} }`,
  'fragments in a circle': 'query { ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
  'fragments that double': `{ ...F0 } ${times(60, (n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`)} fragment F60 on Query { board { id } }`,
  'fields that overlap': `{ ${times(90, () => 'board { ...on Board { id } ...on Board { id } }')} }`,
  'fragments that overlap': `{ board { ${times(100, (n) => `...F${n}`)} } } ${times(100, (n) => `fragment F${n} on Board { tags { id name } }`)}`,
  'unused fragments': `{ board { id } } ${times(200, (n) => `fragment F${n} on Query { board { id } }`)}`,
  'unknown fields': `{ ${times(300, (n) => `unknown${n}`)} }`,
  'fields with almost the right names': `{ ${times(300, (n) => `pos${n}ts`)} }`,
  'unknown arguments': `{ posts(${times(300, (n) => `searc${n}: 1`)}) { totalCount } }`,
  'values of no enumeration': `{ ${times(180, (n) => `a${n}: posts(sort: TRENDIN${n}) { totalCount }`)} }`,
  'unknown types of variables': `query(${times(300, (n) => `$v${n}: Unknow${n}`)}) { board { id } }`,
  'unused variables': `query(${times(200, (n) => `$v${n}: Int = ${n}`)}) { board { id } }`,
  directives: `{ board ${'@skip(if: false) '.repeat(150)} { id } }`,
  'unknown directives': `{ board ${times(300, (n) => `@d${n}`)} { id } }`,
  operations: times(200, (n) => `query Q${n} { board { id } }`),
  'one long name': `{ ${'a'.repeat(900_000)} }`,
  'one long alias': `{ ${'a'.repeat(900_000)}: board { id } }`,
  'one long string': `{ posts(search: "${'a'.repeat(900_000)}") { totalCount } }`,
  'one string of escapes': `{ posts(search: "${repeat('\\u0041\\n', 900_000)}") { totalCount } }`,
  'one string in a block': `{ posts(search: """${repeat('   a\n', 900_000)}""") { totalCount } }`,
  'a block that does not end': `{ posts(search: """${repeat('\\"""', 900_000)}`,
  'one long number': `{ posts(limit: ${'9'.repeat(900_000)}) { totalCount } }`,
  'one long comment': `# ${'a'.repeat(900_000)}\n{ board { id } }`,
  'many comments': `${'#\n'.repeat(400_000)}{ board { id } }`,
  commas: `{ board ${','.repeat(900_000)} { id } }`,
  'line ends': `${'\r\n'.repeat(450_000)}{ board { id } }`,
  marks: `{ board { ${'\u0301\u0323'.repeat(150_000)} } }`,
  'introspection in introspection': `{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }`,
  'introspection with many aliases': `{ ${times(15, (n) => `a${n}: __schema { types { name fields { name args { name } } } }`)} }`,
  'introspection of lists of lists': `{ __schema { ${times(10, (n) => `a${n}: types { ...T }`)} } } fragment T on __Type { ${times(10, (n) => `a${n}: fields { ...F }`)} } fragment F on __Field { ${times(10, (n) => `a${n}: args { name type { name } }`)} }`,
  'introspection as much as there may be': `{ __schema { types { ${times(60, (n) => `a${n}: name`)} fields { name } } } }`,
  'type names': `{ ${times(400, (n) => `a${n}: __typename`)} }`,
  'a subscription': 'subscription { events { id } }',
  'a schema': 'type Query { a: Int }',
  nothing: '',
  NUL: '{ board { id\0 } }',
};

const many = ['query', 'mutation'] as const;

/** Documents of GraphQL that are deep, wide, long or wrong. */
export const documentDoor = makeDoor('documents', {
  ...eachOf(documents, (document, name) => ({
    // A comment at its end makes each a document of its own.
    [name]: ({ apiHeaders }, random) => apiRequest(apiHeaders, `${document} # ${random.text()}`),
    [`${name}, by GET`]: ({ apiHeaders }) => ({
      path: `/api/v1/graphql?query=${encodeURIComponent(document.slice(0, 4_000))}`,
      headers: apiHeaders,
    }),
  })),
  'many mutations': ({ apiHeaders, postId }) =>
    apiRequest(apiHeaders, `mutation { ${times(20, (n) => `a${n}: upvotePost(postId: "${postId}") { id }`)} }`),
  'many documents': ({ apiHeaders }, random) =>
    Array.from({ length: 40 }, () => apiRequest(apiHeaders, `{ ${times(90, (n) => `${random.text()}${n}`)} }`)),
  'an operation of an odd name': (target) => many.map((kind) => named(target, kind, 'x'.repeat(500_000))),
});

function named({ apiHeaders }: Target, kind: string, operationName: string) {
  return {
    path: '/api/v1/graphql',
    headers: apiHeaders,
    body: JSON.stringify({ query: `${kind} A { __typename }`, operationName }),
  };
}

function times(count: number, part: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => part(n)).join(' ');
}
