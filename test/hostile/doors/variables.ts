import { eachOf, makeDoor } from '../attack.ts';
import { apiRequest } from '../target.ts';
import { hostileTexts, repeat } from '../texts.ts';

const REF = 'query($v: String) { posts(where: { author: { email: $v } }) { totalCount } }';

/** Operations that take one variable, by what it is. */
const operations: Readonly<Record<string, string>> = {
  texts: 'query($v: [String!]) { events(types: $v) { cursor } }',
  ids: 'query($v: [String!]) { posts(where: { tagIds: $v }) { totalCount } }',
  'a search': 'query($v: String) { posts(search: $v) { totalCount } }',
  'a user': REF,
  'a cursor': 'query($v: String) { posts(cursor: $v) { totalCount } }',
  'a number': 'query($v: Int) { posts(limit: $v) { totalCount } }',
  'a condition': 'query($v: PostWhere) { posts(where: $v) { totalCount } }',
  filters: 'query($v: [PostFilter!]) { posts(filters: $v) { totalCount } }',
  'a date': 'query($v: DateTime) { comments(since: $v) { cursor } }',
  attributes: 'mutation($v: JSON) { createUser(ssotype: "SSO", userId: "v", attributes: $v) { attributes } }',
  'a title': 'mutation($v: String!) { createPost(title: $v) { id } }',
  properties: 'mutation($v: [PostPropertyInput]) { createPost(title: "T", properties: $v) { id } }',
  people: 'mutation($v: [String!]!) { addTeamUser(emails: $v, type: MEMBER) { id } }',
  posts: 'mutation($v: [String!]!) { mergePosts(sourceIds: $v, targetId: "1") { id } }',
  options:
    'mutation($v: [FieldOptionInput]) { createField(boardId: "", label: "L", type: SELECT, options: $v) { node { id } } }',
};

/** Values as JSON has them. */
const values: Readonly<Record<string, string>> = {
  numbers: list('1', 400_000),
  nulls: list('null', 150_000),
  'empty texts': list('""', 250_000),
  'the same text': list('"post.created"', 50_000),
  'texts that differ': `[${Array.from({ length: 60_000 }, (_, n) => `"${n}"`).join(',')}]`,
  'empty objects': list('{}', 250_000),
  'wrong objects': list('{"a":1}', 100_000),
  'almost right objects': list('{"parent":1,"id":{},"label":[],"type":"VOTES"}', 15_000),
  'one object of many keys': `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":${n}`).join(',')}}`,
  'lists in lists': `${'['.repeat(400_000)}${']'.repeat(400_000)}`,
  'objects in objects': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  'authors in authors': `${'{"author":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  'an infinite number': '1e400',
  'a number near zero': '1e-400',
  'minus zero': '-0.0',
  'a number of many digits': '1'.repeat(900_000),
  'a fraction of many digits': `0.${'1'.repeat(900_000)}`,
  prototypes: '{"__proto__":{"limit":1},"constructor":{"prototype":{"a":1}}}',
  'prototypes in a list': list('{"__proto__":{"a":1}}', 20_000),
  'a key twice': `{${'"author":{"id":"1"},'.repeat(20_000)}"author":null}`,
  'half a surrogate pair': '"\\ud83d"',
  'half a surrogate pair as a key': '{"\\ud83d":"\\udc00"}',
  NUL: '"a\\u0000b"',
  'NUL as a key': '{"\\u0000":"\\u0000"}',
  true: 'true',
};

const lengths = { short: 180, long: 19_000, 'much too long': 150_000 };

/** Variables of GraphQL that are many, deep, long or of the wrong type. */
export const variableDoor = makeDoor('variables', {
  ...eachOf(operations, (query, operation) =>
    eachOf(values, (value, name) => ({
      [`${operation}: ${name}`]: ({ apiHeaders }) => ({
        path: '/api/v1/graphql',
        headers: apiHeaders,
        body: `{"query":${JSON.stringify(query)},"variables":{"v":${value}}}`,
      }),
    })),
  ),
  ...eachOf({ search: operations['a search'], user: REF, title: operations['a title'] }, (query = '', operation) =>
    eachOf(hostileTexts, (make, name) =>
      eachOf(lengths, (length, how) => ({
        [`${operation}: ${name}, ${how}`]: ({ apiHeaders }, random) =>
          apiRequest(apiHeaders, query, { v: `${random.text()}${make(length)}` }),
      })),
    ),
  ),
  'many variables': ({ apiHeaders }) =>
    apiRequest(
      apiHeaders,
      '{ board { id } }',
      Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`v${n}`, n])),
    ),
  'variables that are a list': ({ apiHeaders }) => ({
    path: '/api/v1/graphql',
    headers: apiHeaders,
    body: `{"query":"{ board { id } }","variables":${list('1', 400_000)}}`,
  }),
  'variables that are a text': ({ apiHeaders }) => ({
    path: '/api/v1/graphql',
    headers: apiHeaders,
    body: `{"query":"{ board { id } }","variables":"${repeat('x', 900_000)}"}`,
  }),
  extensions: ({ apiHeaders }) => ({
    path: '/api/v1/graphql',
    headers: apiHeaders,
    body: `{"query":"{ board { id } }","extensions":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
  }),
});

function list(item: string, length: number): string {
  return `[${Array(length).fill(item).join(',')}]`;
}
