import { getIntrospectionQuery } from 'graphql';
import { plain, type Sample, withEach } from './sample.ts';

const lists: Sample[] = plain(
  '{ board { name } }',
  'query { board { name } }',
  'query Named { board { name } }',
  '{ posts { nodes { title } hasMore cursor totalCount } }',
  '{ posts(limit: 1) { nodes { title status { name } } hasMore } }',
  '{ posts(sort: TOP) { nodes { title upvoteCount } } }',
  '{ posts(sort: NEWEST, limit: 3) { nodes { title } } }',
  '{ posts(sort: OLDEST) { nodes { title number pid } } }',
  '{ posts(sort: MOST_COMMENTED) { nodes { title commentCount } } }',
  '{ posts(sort: RECENTLY_UPDATED) { nodes { title dateUpdated } } }',
  '{ posts(sort: COMPLETED) { nodes { title dateCompleted } } }',
  '{ posts(filters: [{ type: STATUS, is: "UNASSIGNED" }]) { nodes { title } totalCount } }',
  '{ posts(filters: { type: STATUS, is: "UNASSIGNED" }) { nodes { title } totalCount } }',
  '{ posts(filters: [{ type: STATUS, is: "COMPLETED" }, { type: STATUS, is: "CUSTOM" }]) { totalCount } }',
  '{ posts(filters: []) { totalCount } }',
  '{ posts(filters: null, cursor: null, limit: null) { totalCount } }',
  '{ users { name role } }',
  '{ users(search: "be", limit: 2) { name email attributes } }',
  '{ users(search: "nobody") { name } }',
  '{ post(id: "<dark>") { comments(types: [BASIC]) { nodes { text } chunkSize } } }',
  '{ post(id: "<dark>") { comments(types: BASIC, limit: 1) { nodes { text } hasMore } } }',
  '{ post(id: "<dark>") { comments(types: []) { nodes { text } } } }',
  '{ comments(sort: NEWEST, limit: 4) { nodes { text type post { title } parent { text } } hasMore } }',
  '{ comments(postId: "<dark>", since: "2026-01-01T00:00:00.000Z", types: [BASIC, INTERNAL]) { nodes { text replies(limit: 1) { nodes { text } } } } }',
  '{ votes(limit: 2) { nodes { type user { name } post { title } addedBy { name } } hasMore } }',
  '{ votes(postId: "<dark>", ssoId: "cleo") { nodes { type } } }',
  '{ roadmap { status { name } posts(limit: 2) { nodes { title } hasMore } } }',
  '{ posts(where: { statusTypes: [UNASSIGNED, MERGED], minUpvotes: 1, tagIds: ["<bug>"] }) { totalCount nodes { title } } }',
  '{ posts(where: { author: { id: "<ben>" }, createdAfter: "2020-01-01T00:00:00Z" }, sort: NEWEST) { totalCount nodes { title mergedInto { title } mergedPosts { title } } } }',
  '{ events(types: ["post.created", "comment.created"], limit: 4) { nodes { type data } hasMore } }',
  '{ events(types: "post.created") { nodes { type post { title } actor { name } } } }',
  '{ status(id: "<open>") { name posts(limit: 2) { nodes { title } hasMore } } }',
  '{ user(ssoId: "ben", ssoType: SSO) { name posts { totalCount nodes { title } } comments { nodes { text } } } }',
  '{ user(ssoId: "ben", ssoType: "SSO") { attributes } }',
);

const nulls: Sample[] = plain(
  '{ post(id: "nothing") { title } }',
  '{ postByNumber(number: 1) { number title status { name } } none: postByNumber(number: 0) { title } }',
  '{ posts(where: { number: 1 }) { totalCount nodes { number } } }',
  '{ post(id: "<deleted>") { title } }',
  '{ comment(id: "nothing") { text post { title } } }',
  '{ status(id: "nothing") { name } }',
  '{ post(id: "<bare>") { content excerpt externalId viewerVote dateCompleted } }',
  '{ a: post(id: "nothing") { id } b: post(id: "<dark>") { title } }',
);

const aliases: Sample[] = plain(
  '{ one: board { two: name three: name name } }',
  '{ a: post(id: "<dark>") { title } b: post(id: "<bare>") { title } c: post(id: "<locked>") { isLocked } }',
  '{ name: board { id: name, name: plan, plan: pid } }',
  '{ constructor: board { toString: name hasOwnProperty: pid valueOf: plan } }',
  '{ prototype: board { length: name then: pid } }',
  '{ data: board { errors: name } errors: board { data: name path: pid } }',
  '{ nodes: posts(limit: 1) { cursor: hasMore nodes { nodes: id } } }',
  '{ idx0: posts(limit: 2) { idx0: nodes { idx0: title idx1: status { idx0: name } } } }',
  '{ _: board { __: name ___a: pid } }',
  '{ a_b: post(id: "<dark>") { c: status { name } } b: post(id: "<bare>") { a: author { name } } b_a: board { name } }',
  '{ query: board { function: name class: pid return: plan new: url } }',
  '{ __proto__: board { name } }',
  '{ board { __proto__: name pid } }',
  '{ board { name name name } }',
  '{ board { name } board { pid } board { name plan } }',
  '{ post(id: "<dark>") { author { name } author { ssoId } } }',
  '{ posts(limit: 2) { nodes { title } nodes { status { name } } nodes { status { type } title } } }',
  '{ long: board { abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789: name } }',
);

const typenames: Sample[] = plain(
  '{ __typename }',
  '{ t: __typename board { __typename } }',
  '{ __typename __typename board { a: __typename b: __typename } }',
  '{ posts(limit: 2) { __typename nodes { __typename author { __typename } comments { __typename nodes { __typename } } } } }',
  'query { ...F } fragment F on Query { __typename viewer { __typename user { __typename } } }',
);

const fragments: Sample[] = plain(
  '{ ...F } fragment F on Query { board { name } }',
  '{ board { ...B } } fragment B on Board { name ...C } fragment C on Board { pid ...D } fragment D on Board { plan }',
  '{ ... { board { name } } }',
  '{ ... on Query { board { ... on Board { name } } } }',
  '{ board { ... { ... { ... { name } } } pid } }',
  '{ a: post(id: "<dark>") { ...P } b: post(id: "<bare>") { ...P } } fragment P on Post { title author { ...U } } fragment U on User { name }',
  '{ posts(limit: 3) { nodes { ...P author { ...U } user { ...U } } } } fragment P on Post { id title ...S } fragment S on Post { status { name } } fragment U on User { name role }',
  '{ board { ...A ...A ... on Board { ...A } } } fragment A on Board { name }',
  '{ board { name ...A } } fragment A on Board { name pid }',
  '{ post(id: "<dark>") { ...A ...B } } fragment A on Post { comments { nodes { text } } } fragment B on Post { comments { nodes { user { name } } hasMore } }',
  '{ post(id: "<dark>") { author { ...U } comments { nodes { user { ...U } } } } viewer { user { ...U } } } fragment U on User { name ssoId }',
);

const BOTH = 'query($a: Boolean!, $b: Boolean!) ';
const FOUR = [
  { a: true, b: true },
  { a: true, b: false },
  { a: false, b: true },
  { a: false, b: false },
];
const conditions: Sample[] = [
  ...plain(
    '{ board { name @include(if: true) pid @include(if: false) plan @skip(if: true) url @skip(if: false) } }',
    '{ board { name @skip(if: false) @include(if: true) pid @skip(if: true) @include(if: true) } }',
    '{ board @skip(if: true) { name } }',
    '{ board @include(if: false) { name } listStatuses { type } }',
    '{ ... @skip(if: true) { board { name } } viewer { apiKeyName } }',
    '{ ...F @include(if: false) ...F } fragment F on Query { board { name } }',
    '{ ...F @skip(if: true) ...G } fragment F on Query { board { name } } fragment G on Query { ...F board { pid } }',
  ),
  ...withEach(`${BOTH}{ board { name @include(if: $a) pid @skip(if: $b) } }`, ...FOUR),
  ...withEach(`${BOTH}{ board @include(if: $a) { name pid @skip(if: $b) } }`, ...FOUR),
  ...withEach(`${BOTH}{ board { name @include(if: $a) @skip(if: $b) } }`, ...FOUR),
  ...withEach(`${BOTH}{ board { name @include(if: $a) name @include(if: $b) } }`, ...FOUR),
  ...withEach(`${BOTH}{ board @include(if: $a) { name } board @include(if: $b) { pid } }`, ...FOUR),
  ...withEach(`${BOTH}{ ... @include(if: $a) { board { name } } ... @include(if: $b) { board { pid } } }`, ...FOUR),
  ...withEach(`${BOTH}{ ... @include(if: $a) { board { name ... @skip(if: $b) { pid } } } }`, ...FOUR),
  ...withEach(
    `${BOTH}{ ...F @include(if: $a) ...G @skip(if: $b) } fragment F on Query { board { name } } fragment G on Query { board { pid } }`,
    ...FOUR,
  ),
  ...withEach(`${BOTH}{ ...F @include(if: $a) ...F @include(if: $b) } fragment F on Query { board { name } }`, ...FOUR),
  ...withEach(
    `${BOTH}{ board { ...F @include(if: $a) } viewer { board { ...F @skip(if: $b) } } } fragment F on Board { name }`,
    ...FOUR,
  ),
  ...withEach(
    `${BOTH}{ x: board @include(if: $a) { ...F } y: board @include(if: $b) { ...F } } fragment F on Board { name }`,
    ...FOUR,
  ),
  ...withEach(
    `${BOTH}{ ...F @include(if: $a) board { pid } } fragment F on Query { board { name @skip(if: $b) pid @include(if: $b) } }`,
    ...FOUR,
  ),
  ...withEach(
    'query($a: Boolean = true) { board { name @include(if: $a) pid @skip(if: $a) } }',
    {},
    { a: true },
    { a: false },
  ),
  ...withEach(
    'query($a: Boolean! = false) { posts(limit: 2) { nodes { title author @include(if: $a) { name } } } }',
    {},
    { a: true },
    { a: false },
  ),
];

const introspection: Sample[] = plain(
  getIntrospectionQuery(),
  getIntrospectionQuery({ descriptions: false, specifiedByUrl: true, inputValueDeprecation: true, oneOf: true }),
  '{ __schema { queryType { name } mutationType { name } subscriptionType { name } } }',
  '{ __schema { types { name kind } directives { name locations args { name defaultValue } } } }',
  '{ __type(name: "Post") { name kind fields { name type { name kind ofType { name kind } } } } }',
  '{ __type(name: "PostSortOrder") { enumValues { name isDeprecated } } }',
  '{ __type(name: "PostFilter") { inputFields { name type { name ofType { name } } defaultValue } } }',
  '{ __type(name: "Nothing") { name } }',
  'query($n: String!) { __type(name: $n) { name ...T } } fragment T on __Type { description interfaces { name } possibleTypes { name } }',
).map((sample) => (sample.query.startsWith('query($n') ? { ...sample, variables: { n: 'User' } } : sample));

const several =
  'query A { board { name } } query B { board { pid } } mutation C { createUser(ssotype: "SSO", userId: "ada") { name } }';
const operationNames: Sample[] = [
  { query: several, operationName: 'A' },
  { query: several, operationName: 'B' },
  { query: 'query Only { board { name } }', operationName: 'Only' },
  { query: 'query A($x: Int) { posts(limit: $x) { hasMore } } query B { board { name } }', operationName: 'B' },
  {
    query: 'query A($x: Int) { posts(limit: $x) { hasMore } } query B { board { name } }',
    operationName: 'A',
    variables: { x: 1 },
  },
];

const depths: Sample[] = plain(
  '{ posts(limit: 2) { nodes { comments(limit: 2) { nodes { post { author { posts(limit: 2) { nodes { status { posts(limit: 1) { nodes { title } } } } } } } } } } } }',
  '{ post(id: "<dark>") { board { statuses { posts(limit: 1) { nodes { author { comments(limit: 1) { nodes { post { title } } } } } } } } } }',
  '{ viewer { user { posts(limit: 3) { nodes { events(limit: 2) { nodes { post { comments(limit: 1) { nodes { user { name } } } } } } } } } } }',
);

/** What can be selected, and how. */
export const selections: Record<string, Sample[]> = {
  lists,
  nulls,
  aliases,
  typenames,
  fragments,
  conditions,
  introspection,
  operationNames,
  depths,
};
