import type { TestApp } from '../../support/app.ts';
import { send, urlOf } from '../../support/mcp.ts';
import type { Scope, World } from './world.ts';

/** A viewer, and how much they may see. */
export type Asker = { name: string; scope: Scope };
/** Something that can be asked for: `open` gives all that it tells. */
export type Door = Asker & { address: string; open(): Promise<string> };

const COMMENT = 'id text author { name } post { title } parent { text } files { name url }';
const POST = `id title content excerpt url externalId status { name } files { name url } author { name }
  comments(limit: 100) { nodes { ${COMMENT} replies(limit: 50) { nodes { ${COMMENT} } } } }
  mergedInto { title content } mergedPosts { title content }`;
const LISTED = `totalCount nodes { ${POST} }`;
const EVENTS = 'nodes { type data post { title } comment { text post { title } } }';
const SORTS = ['NEWEST', 'OLDEST', 'TOP', 'TRENDING', 'MOST_COMMENTED', 'RECENTLY_UPDATED', 'COMPLETED'];

/** What is asked of each idea, by its id and number. */
const ofIdea = {
  post: `post(id: $id) { ${POST} }`,
  postByNumber: `postByNumber(number: $n) { ${POST} }`,
  similar: 'post(id: $id) { similar { matched post { title content } } }',
  events: `post(id: $id) { events(limit: 100) { ${EVENTS} } }`,
  history: `post(id: $id) { comments(limit: 100, types: [STATUS_CHANGE, MERGE_SOURCE, MERGE_TARGET]) { nodes { ${COMMENT} } } }`,
  followers:
    'post(id: $id) { votes { nodes { post { title } } } subscribers { nodes { ssoId } } changelogEntries { nodes { title } } }',
  number: `posts(where: { number: $n }) { ${LISTED} }`,
  comments: `comments(postId: $id, limit: 100) { nodes { ${COMMENT} } }`,
  operation:
    'post(id: $id) { assignments { nodes { post { title } } } } operations(limit: 100) { nodes { changes { before after } } }',
};

/** What is asked of the whole board. */
const ofBoard = [
  ...SORTS.map((sort) => `posts(sort: ${sort}, limit: 100) { ${LISTED} }`),
  ...['RELEVANCE', 'NEWEST', 'TOP'].map((sort) => `posts(search: "kilimanjaro", sort: ${sort}) { ${LISTED} }`),
  ...['UNASSIGNED', 'CUSTOM', 'MERGED'].map(
    (type) => `posts(where: { statusTypes: [${type}] }, limit: 100) { ${LISTED} }`,
  ),
  `posts(where: { author: { ssotype: "SSO", userId: "ann" } }, limit: 100) { ${LISTED} }`,
  ...['NEWEST', 'OLDEST'].map((sort) => `comments(sort: ${sort}, limit: 100) { nodes { ${COMMENT} } }`),
  `comments(since: "2020-01-01T00:00:00.000Z", limit: 100) { nodes { ${COMMENT} } }`,
  `similarPosts(title: "Kilimanjaro") { matched post { ${POST} } }`,
  `roadmap { status { name } posts(limit: 100) { ${LISTED} } }`,
  `listStatuses { posts(limit: 100) { ${LISTED} } }`,
  `events(limit: 100) { ${EVENTS} }`,
  'votes(limit: 100) { nodes { post { title } } }',
  `user(ssoId: "ann", ssoType: SSO) { posts(limit: 100) { ${LISTED} } comments(limit: 100) { nodes { ${COMMENT} } } votes { nodes { post { title } } } }`,
  'listTags { name postCount } board { name postCount }',
];

const TOOLS: [name: string, args: object][] = [
  ['search_posts', { query: 'kilimanjaro', limit: 20 }],
  ['search_posts', { similarTo: 'Kilimanjaro', limit: 20 }],
  ['search_posts', { sort: 'NEWEST', limit: 20 }],
];

/** Everything that a program with a key can request for a user, or without one. */
export function listApiDoors(app: TestApp, world: World, as: string | null, scope: Scope): Door[] {
  const { key } = app;
  const headers = { apikey: key, ...(as !== null && { ssotype: 'SSO', ssoid: as }) };
  const asker = { name: as ?? 'a key', scope };
  const graphql = (query: string, variables = {}) => ({
    ...asker,
    address: `${query} ${JSON.stringify(variables)}`,
    open: async () => JSON.stringify(await app.gql(query, variables, { as })),
  });
  const get = (url: string) => ({
    ...asker,
    address: url,
    open: async () => (await app.app.inject({ url, headers })).body,
  });
  const tool = ([name, args]: [string, object]) => ({
    ...asker,
    address: `${name} ${JSON.stringify(args)}`,
    async open() {
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      return JSON.stringify((await send(app, call, { ...headers, authorization: `Bearer ${key}` })).body);
    },
  });
  return [
    ...ofBoard.map((field) => graphql(`{ ${field} }`)),
    ...world.ideas.flatMap(({ id, number: n }) =>
      Object.values(ofIdea).map((field) => {
        const declared = `${field.includes('$id') ? '$id: String! ' : ''}${field.includes('$n') ? '$n: Int!' : ''}`;
        return graphql(`query(${declared}) { ${field} }`, {
          ...(field.includes('$id') && { id }),
          ...(field.includes('$n') && { n }),
        });
      }),
    ),
    ...world.remarks.map(({ id }) => graphql(`query($id: String!) { comment(id: $id) { ${COMMENT} } }`, { id })),
    ...world.files.map(({ url }) => get(new URL(url).pathname)),
    ...['csv', 'jsonl'].map((format) => get(`/api/${format}?comments=true&votes=true`)),
    ...TOOLS.map(tool),
    ...world.ideas.map(({ number }) => tool(['get_post', { post: number, comments: 20 }])),
    { ...asker, address: 'the stream', open: () => readStream(app, headers) },
  ];
}

/** Everything that the stream has by now. */
async function readStream(app: TestApp, headers: Record<string, string>): Promise<string> {
  const ending = new AbortController();
  const url = new URL('/api/v1/events', await urlOf(app));
  const { body } = await fetch(url, { headers, signal: ending.signal });
  const decoder = new TextDecoder();
  let text = '';
  let silence = setTimeout(() => ending.abort(), 1_000);
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      clearTimeout(silence);
      silence = setTimeout(() => ending.abort(), 100);
    }
  } catch (error) {
    if (!ending.signal.aborted) throw error;
  } finally {
    clearTimeout(silence);
  }
  return text;
}
