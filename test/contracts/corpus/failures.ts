import { plain, type Sample } from './sample.ts';

const thrown: Sample[] = plain(
  '{ user(ssoId: "nobody") { name } }',
  '{ user(ssoId: "nobody") { name } board { name } }',
  '{ a: user(ssoId: "nobody") { name } b: user(ssoId: "ben") { name } c: user(ssoId: "nobody") { name } }',
  '{ posts(cursor: "broken") { nodes { title } } }',
  '{ board { name } posts(cursor: "broken") { nodes { title } } }',
  '{ posts(filters: [{ type: FIELD, label: "Size" }]) { totalCount } }',
  '{ posts(filters: [{ type: STATUS }]) { totalCount } }',
  '{ events(after: "broken") { nodes { id } } }',
  '{ users(limit: 1000) { name } }',
  '{ post(id: "<dark>") { title comments(limit: 0) { nodes { text } } } }',
  '{ post(id: "<dark>") { title events(limit: -1) { hasMore } } board { name } }',
  '{ posts(limit: 2) { nodes { comments(cursor: "broken") { nodes { text } } } } }',
  '{ viewer { user { posts(limit: 0) { totalCount } } } }',
  '{ viewer { user { posts(limit: 2) { nodes { events(after: "broken") { hasMore } } } } } board { name } }',
  '{ listStatuses { posts(cursor: "broken") { nodes { id } } } }',
  '{ a: post(id: "<dark>") { comments(limit: 0) { hasMore } } b: post(id: "<bare>") { comments(limit: 0) { hasMore } } }',
  '{ post(id: "<dark>") { ...P } } fragment P on Post { comments(limit: 0) { hasMore } }',
  '{ post(id: "<dark>") { comments(limit: 0) { hasMore } comments(limit: 0) { chunkSize } } }',
  '{ post(id: "<dark>") { a: comments(limit: 0) { hasMore } b: comments(limit: 101) { hasMore } } }',
  'query($limit: Int!) { post(id: "<dark>") { comments(limit: $limit) { hasMore } } }',
).map((sample) => (sample.query.startsWith('query($limit') ? { ...sample, variables: { limit: 0 } } : sample));

const withoutActor: Sample[] = plain(
  '{ board { name } viewer { user { name } } listStatuses { name } rateLimit { windows { seconds } } }',
  '{ posts { nodes { title } } }',
  '{ post(id: "<dark>") { title } }',
  '{ post(id: "<dark>") { title } board { name } }',
  '{ users { name } board { name } }',
  '{ a: user(ssoId: "ben") { name } b: comment(id: "<praise>") { text } }',
  'mutation { upvotePost(postId: "<dark>") { id } }',
  'mutation { a: upvotePost(postId: "<dark>") { id } b: removeVote(postId: "<dark>") { id } }',
).map((sample) => ({ ...sample, as: null }));

/** Rows with values that no feature writes: what cannot be told has to fail as a whole, masked, and nothing else. */
const broken: Sample[] = plain(
  '{ post(id: "<many votes>") { title upvoteCount } }',
  '{ post(id: "<many votes>") { title status { name } upvoteCount downvoteCount } board { name } }',
  '{ posts(sort: TOP) { nodes { title upvoteCount } } }',
  '{ post(id: "<no date>") { title dateCreated } }',
  '{ post(id: "<no date>") { title dateCompleted } }',
  '{ posts(limit: 5) { nodes { title dateCreated } } board { name } }',
  '{ post(id: "<no status>") { title status { name } } }',
  '{ post(id: "<no status>") { title statusId } }',
  '{ posts { nodes { status { name } } } }',
  '{ viewer { user { posts { nodes { title status { name } } } } } board { name } }',
  '{ post(id: "<nobody>") { author { name } user { name } comments { nodes { user { name } text } } } }',
  '{ user(ssoId: "wizard") { name role } }',
  '{ users { name role } }',
  '{ user(ssoId: "wizard") { attributes } }',
  '{ user(ssoId: "wizard") { name role attributes } board { name } }',
  '{ events { nodes { type data } } }',
  '{ events { nodes { type data post { title } data } } board { name } }',
  '{ post(id: "<many votes>") { events { nodes { data } hasMore } } }',
  '{ a: post(id: "<no status>") { status { name } } b: post(id: "<many votes>") { upvoteCount } c: board { name } }',
  '{ post(id: "<no status>") { a: status { name } b: status { name } } }',
).map((sample) => ({ ...sample, onBroken: true }));

/** What goes wrong while a document is carried out. */
export const failures: Record<string, Sample[]> = { thrown, withoutActor, broken };
