#!/usr/bin/env node
/**
 * Keeps a copy of a board in a SQLite file: `npx node sync.mjs copy.db [--once]`, with
 *   EARSHOT_URL      where the board is served, for example http://localhost:4000
 *   EARSHOT_KEY      an API key with read permission
 *   EARSHOT_SSOTYPE, EARSHOT_SSOID   the acting user: the copy contains what this user may see
 *   EARSHOT_SECONDS  how long to wait between two rounds (default 5)
 *
 * Three sources together miss no change of posts and comments:
 *   - the event log, from where the last round ended, has new, moved and deleted posts and comments;
 *   - the list of posts by last change has edits and restored posts;
 *   - votes change only counts, so each round also reads the next page of all posts, starting over at the end. With
 *     --once it reads all of them. Users are read page by page in the same way: they change their names, and no data of
 *     an erased user may be kept.
 *
 * Whatever has changed is read in its current state. A round is one transaction of the copy that includes the positions
 * for the next one: the program can be killed at any time and continues where it stopped. If it was away for so long that
 * events have been removed (EVENTS_KEEP_DAYS), it ends with an error: delete the copy and start again.
 *
 * It needs Node.js 24 or newer. Outside this repository, `npm install earshot-client` (sdk/README.md) and import that.
 */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '../../sdk/src/index.ts';

const {
  EARSHOT_URL = 'http://localhost:4000',
  EARSHOT_KEY,
  EARSHOT_SSOTYPE = 'SSO',
  EARSHOT_SSOID,
  EARSHOT_SECONDS = '5',
} = process.env;
const [file, ...options] = process.argv.slice(2);
if (!file || !EARSHOT_KEY || !EARSHOT_SSOID) {
  console.error('Usage: EARSHOT_KEY=… EARSHOT_SSOID=… node sync.mjs copy.db [--once]');
  process.exit(2);
}

/** Whatever happens to the server, a query is sent until there is a response. */
const earshot = createClient({
  url: EARSHOT_URL,
  apiKey: EARSHOT_KEY,
  as: { ssoType: EARSHOT_SSOTYPE, ssoId: EARSHOT_SSOID },
  retries: Number.POSITIVE_INFINITY,
  maxWaitMs: Number.POSITIVE_INFINITY,
});

/** Posts are dated before they are committed, so the last minute is read again. */
const OVERLAP_MS = 60_000;
/** Posts in one request: even with the texts of a hundred comments each, a query stays within its cost limit. */
const POSTS_AT_ONCE = 3;

const COMMENT = 'fragment C on Comment { id type text isFirst dateCreated user { id name } }';

const copy = new DatabaseSync(file);
copy.exec(`
  pragma journal_mode = wal;
  create table if not exists posts (
    id text primary key, number integer, title text, text text, url text, upvotes integer, downvotes integer,
    comment_count integer, status_id text, author_id text, tags text, is_locked integer, is_pinned integer,
    date_created text, date_updated text, walk integer
  );
  create table if not exists comments (
    id text primary key, post_id text, type text, text text, user_id text, date_created text
  );
  create index if not exists comments_post on comments (post_id);
  create table if not exists statuses (id text primary key, name text, type text);
  create table if not exists users (id text primary key, name text, walk integer);
  create table if not exists places (name text primary key, value text);
`);

const statements = {
  place: copy.prepare('select value from places where name = ?'),
  setPlace: copy.prepare('insert or replace into places values (?, ?)'),
  savePost: copy.prepare(`insert or replace into posts values (${Array(16).fill('?').join(', ')})`),
  saveCounts: copy.prepare('update posts set upvotes = ?, downvotes = ?, comment_count = ?, walk = ? where id = ?'),
  removePost: copy.prepare('delete from posts where id = ?'),
  removeComments: copy.prepare('delete from comments where post_id = ?'),
  saveComment: copy.prepare('insert or replace into comments values (?, ?, ?, ?, ?, ?)'),
  saveStatus: copy.prepare('insert or replace into statuses values (?, ?, ?)'),
  saveUser: copy.prepare('insert or replace into users values (?, ?, ?)'),
  removeUnwalkedUsers: copy.prepare('delete from users where walk < ?'),
  notWalked: copy.prepare('select id from posts where walk < ?'),
};

if (options.includes('--once')) {
  while (await runRound());
  for (const walk of ['walk', 'people walk']) {
    setPlace(`${walk} cursor`, null);
    setPlace(walk, String(numberOf(walk) + 1));
  }
  const [posts, people] = [numberOf('walk'), numberOf('people walk')];
  do await runRound();
  while (numberOf('walk') === posts || numberOf('people walk') === people);
} else {
  for (;;) {
    const isBehind = await runRound();
    if (!isBehind) await delay(Number(EARSHOT_SECONDS) * 1_000);
  }
}

/** One round; true if there is more to read right away. */
async function runRound() {
  const told = await readEvents();
  const changed = await readChanged();
  const walked = await readWalk();
  const people = await readPeople();
  const known = copy.prepare('select 1 from posts where id = ?');
  const missing = walked.posts.filter(({ id }) => !known.get(id)).map(({ id }) => id);
  const posts = await readPosts([...new Set([...told.ids, ...changed.ids, ...missing])]);
  copy.exec('begin immediate');
  for (const status of told.statuses) statements.saveStatus.run(status.id, status.name, status.type);
  // The counts first: what is read after them is newer.
  for (const { id, upvoteCount, downvoteCount, commentCount } of walked.posts)
    statements.saveCounts.run(upvoteCount, downvoteCount, commentCount, walked.walk, id);
  for (const [id, post] of posts) savePost(id, post, walked.walk);
  if (walked.cursor === null) removeUnwalked(walked, posts);
  for (const { id, name } of people.nodes) statements.saveUser.run(id, name, people.walk);
  if (people.cursor === null) statements.removeUnwalkedUsers.run(people.walk);
  setPlace('events', told.cursor);
  setPlace('changed', changed.newest);
  goOn('walk', walked);
  goOn('people walk', people);
  copy.exec('commit');
  return told.hasMore;
}

/** The posts with events since the last round. */
async function readEvents() {
  const { events, listStatuses } = await earshot.request(
    `query($after: String) {
      events(after: $after, limit: 100) { nodes { data } hasMore cursor }
      listStatuses { id name type }
    }`,
    { after: place('events') },
  );
  // Other events, of the changelog for instance, change neither posts nor comments.
  const ids = events.nodes.flatMap(({ data }) => data.post?.id ?? data.comment?.post.id ?? []);
  return { ids, statuses: listStatuses, cursor: events.cursor, hasMore: events.hasMore };
}

/** The posts that were changed since the last round, the newest change first. */
async function readChanged() {
  const ids = [];
  const before = place('changed');
  const until = before === null ? null : new Date(Date.parse(before) - OVERLAP_MS).toISOString();
  let newest = before;
  for (let cursor = null; ; ) {
    const { posts } = await earshot.request(
      `query($cursor: String) {
        posts(sort: RECENTLY_UPDATED, limit: 100, cursor: $cursor) { nodes { id dateUpdated } hasMore cursor }
      }`,
      { cursor },
    );
    newest = cursor === null ? (posts.nodes[0]?.dateUpdated ?? before) : newest;
    const recent = posts.nodes.filter(({ dateUpdated }) => until !== null && dateUpdated >= until);
    ids.push(...recent.map(({ id }) => id));
    if (!posts.hasMore || recent.length < posts.nodes.length) return { ids, newest };
    cursor = posts.cursor;
  }
}

/** The next page of the walk through all posts. */
async function readWalk() {
  const { posts } = await earshot.request(
    `query($cursor: String) {
      posts(sort: OLDEST, limit: 100, cursor: $cursor) {
        nodes { id upvoteCount downvoteCount commentCount } hasMore cursor
      }
    }`,
    { cursor: place('walk cursor') },
  );
  return { posts: posts.nodes, cursor: posts.cursor, walk: numberOf('walk') };
}

/** The next page of the walk through all people. */
async function readPeople() {
  const { usersPage } = await earshot.request(
    'query($cursor: String) { usersPage(limit: 100, cursor: $cursor) { nodes { id name } cursor } }',
    { cursor: place('people walk cursor') },
  );
  return { ...usersPage, walk: numberOf('people walk') };
}

/** Which walk it is; the first is number 1. */
function numberOf(walk) {
  return Number(place(walk) ?? 1);
}

/** Stores where the next page of a walk begins, or that the next walk begins. */
function goOn(name, { cursor, walk }) {
  setPlace(`${name} cursor`, cursor);
  setPlace(name, String(cursor === null ? walk + 1 : walk));
}

/** Posts as they are now; null for those that no longer exist. */
async function readPosts(ids) {
  const posts = new Map();
  for (let n = 0; n < ids.length; n += POSTS_AT_ONCE) {
    const some = ids.slice(n, n + POSTS_AT_ONCE);
    const fields = `id number title content url upvoteCount downvoteCount commentCount statusId isLocked isPinned
      dateCreated dateUpdated author { id name } tags { name }
      comments(limit: 100) { nodes { ...C } hasMore cursor }`;
    const parts = some.map((_, k) => `p${k}: post(id: $i${k}) { ${fields} }`);
    const declared = some.map((_, k) => `$i${k}: String!`);
    const variables = Object.fromEntries(some.map((id, k) => [`i${k}`, id]));
    const data = await earshot.request(`query(${declared.join(', ')}) { ${parts.join('\n')} } ${COMMENT}`, variables);
    for (const [k, id] of some.entries()) posts.set(id, data[`p${k}`] && (await withAllComments(data[`p${k}`])));
  }
  return posts;
}

async function withAllComments(post) {
  let { nodes, hasMore, cursor } = post.comments;
  while (hasMore) {
    const { post: more } = await earshot.request(
      `query($id: String!, $cursor: String) {
        post(id: $id) { comments(limit: 100, cursor: $cursor) { nodes { ...C } hasMore cursor } }
      } ${COMMENT}`,
      { id: post.id, cursor },
    );
    if (!more) return null;
    nodes = [...nodes, ...more.comments.nodes];
    ({ hasMore, cursor } = more.comments);
  }
  return { ...post, comments: nodes };
}

function savePost(id, post, walk) {
  statements.removeComments.run(id);
  statements.removePost.run(id);
  if (!post) return;
  statements.savePost.run(
    ...[id, post.number, post.title, post.content, post.url, post.upvoteCount, post.downvoteCount],
    ...[post.commentCount, post.statusId, post.author?.id ?? null, post.tags.map(({ name }) => name).join(', ')],
    ...[post.isLocked ? 1 : 0, post.isPinned ? 1 : 0, post.dateCreated, post.dateUpdated, walk],
  );
  const peopleWalk = numberOf('people walk');
  if (post.author) statements.saveUser.run(post.author.id, post.author.name, peopleWalk);
  for (const comment of post.comments) {
    if (comment.isFirst) continue; // the text of the post
    const { id: commentId, type, text, user, dateCreated } = comment;
    statements.saveComment.run(commentId, id, type, text, user?.id ?? null, dateCreated);
    if (user) statements.saveUser.run(user.id, user.name, peopleWalk);
  }
}

/** At the end of a walk, removes the posts that it did not come across: they no longer exist for this user. */
function removeUnwalked({ walk }, posts) {
  for (const { id } of statements.notWalked.all(walk)) if (!posts.get(id)) savePost(id, null, walk);
}

function place(name) {
  return statements.place.get(name)?.value ?? null;
}

function setPlace(name, value) {
  statements.setPlace.run(name, value);
}
