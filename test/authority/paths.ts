import { postOrders } from '../../src/feedback/posts/list.ts';
import { fetchFile, upload } from '../support/files.ts';
import { agree, makeScene, type Person, type Scene, type Stage } from './board.ts';

/** Every way that leads to a post. */
const POST_WAYS = `query($id: String!, $n: Int!, $c: String!, $w: String!, $tag: String!, $events: String!) {
  post(id: $id) { title content url author { name } votes { nodes { id } } files { name url } }
  postByNumber(number: $n) { title }
  comment(id: $c) { text post { title } files { name url } }
  tag(id: $tag) { postCount }
  numbered: posts(where: { number: $n }) { totalCount nodes { title } }
  where: posts(where: { externalId: $w }) { totalCount nodes { title } }
  tagged: posts(where: { tagIds: [$tag] }) { totalCount nodes { title } }
  comments(limit: 100) { nodes { text } }
  votes(limit: 100) { nodes { post { title } } }
  ann: user(ssoId: "ann", ssoType: SSO) {
    posts(limit: 100) { totalCount nodes { title } } comments(limit: 100) { nodes { text } }
  }
  zoe: user(ssoId: "zoe", ssoType: SSO) { votes(limit: 100) { nodes { post { title } } } }
  listStatuses { name posts(limit: 100) { nodes { title } } }
  events(after: $events, limit: 100) { nodes { type data post { title } } }
}`;

type Node = { title?: string; text?: string; post?: { title: string } | null };

/** Whether a viewer sees a post; every way to it must give the same answer. */
export async function seesPost(stage: Stage, as: Person, { word, postId, number, ...scene }: Scene): Promise<boolean> {
  const { api, gql } = stage;
  if (as === null) {
    const statuses = await api.as(as).listStatuses({ posts: { $args: { limit: 100 }, nodes: { title: true } } });
    return JSON.stringify(statuses).includes(word);
  }
  const variables = { id: postId, n: number, c: scene.commentId, w: word, tag: scene.tagId, events: scene.events };
  const { data: d } = await gql(POST_WAYS, variables, { as });
  const has = (nodes: Node[]) => nodes.some((node) => [node.title, node.text, node.post?.title].includes(word));
  const ways: Record<string, boolean> = {
    post: d.post !== null,
    postByNumber: d.postByNumber !== null,
    numbered: has(d.numbered.nodes),
    'numbered.totalCount': d.numbered.totalCount > 0,
    comment: d.comment !== null,
    'post.files': d.post?.files[0]?.name === `${word}.txt`,
    'comment.files': d.comment?.files[0]?.name === `${word}.txt`,
    'their bytes': await opensFiles(stage, [d.post, d.comment], word),
    'tag.postCount': d.tag.postCount > 0,
    where: has(d.where.nodes),
    'where.totalCount': d.where.totalCount > 0,
    tagged: has(d.tagged.nodes),
    'tagged.totalCount': d.tagged.totalCount > 0,
    comments: has(d.comments.nodes),
    votes: has(d.votes.nodes),
    'user.posts': has(d.ann.posts.nodes),
    'user.comments': has(d.ann.comments.nodes),
    'user.votes': has(d.zoe.votes.nodes),
    'status.posts': d.listStatuses.some((status: { posts: { nodes: Node[] } }) => has(status.posts.nodes)),
    events: JSON.stringify(d.events.nodes).includes(`"${word}"`),
  };
  for (const sort of postOrders) {
    const posts = await api.as(as).posts({ sort, limit: 100 }, { totalCount: true, nodes: { title: true } });
    ways[sort] = has(posts.nodes);
    if (posts.totalCount !== posts.nodes.length) throw new Error(`totalCount is wrong for ${as}`);
    const board = await api.as(as).board({ postCount: true });
    if (board.postCount !== posts.nodes.length) throw new Error(`board.postCount is wrong for ${as}`);
  }
  Object.assign(ways, await findsPost(stage, as, word));
  const { ann } = d;
  if (ann.posts.totalCount !== ann.posts.nodes.length) throw new Error(`user.posts.totalCount is wrong for ${as}`);
  const change =
    'mutation($id: String!) { subscribeToPost(postId: $id) { id } unsubscribeFromPost(postId: $id) { id } }';
  ways.change = (await gql(change, { id: postId }, { as })).errors[0]?.message !== 'Post not found';
  return agree(`${as} sees the post`, ways);
}

type WithFiles = { files: { url: string }[] } | null;

/** Whether all of these have a file that can be opened by its address. */
export async function opensFiles(stage: Stage, owners: readonly WithFiles[], word: string): Promise<boolean> {
  const bodies = owners.map(async (owner) => {
    const [file] = owner?.files ?? [];
    return file === undefined ? null : (await fetchFile(stage, file.url)).body;
  });
  return (await Promise.all(bodies)).every((body) => body === word);
}

const FINDING = `query($id: String!, $w: String!) {
  search: posts(search: $w) { totalCount nodes { title } }
  newest: posts(search: $w, sort: NEWEST) { totalCount nodes { title } }
  similarPosts(title: $w) { post { title } matched }
  post(id: $id) { similar { post { title } matched } }
}`;

type Similar = { post: Node; matched: string[] };

/** Whether a post is found by search, by its likeness to another one, and in an export. */
async function findsPost(stage: Stage, as: Person, word: string): Promise<Record<string, boolean>> {
  const id = (await stage.api.createPost({ title: `Another ${word}` })).id;
  const found = await stage.ask(FINDING, { id, w: word }, { as });
  const titles = (nodes: Node[]) => nodes.map((node) => node.title);
  const matching = (similar: Similar[]) =>
    similar.filter(({ matched }) => matched.includes(word)).map(({ post }) => post);
  for (const { totalCount, nodes } of [found.search, found.newest]) {
    if (totalCount !== nodes.length) throw new Error(`totalCount of a search is wrong for ${as}`);
  }
  const rows = await readExport(stage, as);
  const post = rows.find((row) => row.title === word);
  return {
    search: titles(found.search.nodes).includes(word),
    'search, newest': titles(found.newest.nodes).includes(word),
    similarPosts: titles(matching(found.similarPosts)).includes(word),
    'post.similar': titles(matching(found.post.similar)).includes(word),
    export: post !== undefined,
    'comments of the export': rows.some((row) => row.row === 'comment' && row.text === word),
    'votes of the export': rows.some((row) => row.row === 'vote' && row.postId === post?.id),
  };
}

type ExportedRow = { row: string; id: string; postId?: string; title?: string; text?: string };

/** What the export contains for a viewer. */
export async function readExport(stage: Stage, as: Person): Promise<ExportedRow[]> {
  const body = await download(stage, as, 'jsonl');
  return body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** The export for spreadsheets. */
export function readCsv(stage: Stage, as: Person): Promise<string> {
  return download(stage, as, 'csv');
}

async function download({ app, key }: Stage, as: Person, format: 'csv' | 'jsonl'): Promise<string> {
  const headers = { apikey: key, ...(as !== null && { ssotype: 'SSO', ssoid: as }) };
  return (await app.inject({ url: `/api/${format}?comments=true&votes=true`, headers })).body;
}

const COMMENT_WAYS = `query($id: String!, $c: String!) {
  comment(id: $c) { text }
  post(id: $id) { comments(limit: 50) { nodes { text replies(limit: 10) { nodes { text } } } } }
  list: comments(postId: $id, limit: 100) { nodes { text } }
  all: comments(limit: 100) { nodes { text } }
  newest: comments(sort: NEWEST, limit: 100) { nodes { text } }
  since: comments(since: "2020-01-01T00:00:00.000Z", limit: 100) { nodes { text } }
}`;

/** Whether a viewer sees a comment, in every way; `text` is found in no other. */
export async function seesComment(
  stage: Stage,
  as: Person,
  postId: string,
  id: string,
  text: string,
): Promise<boolean> {
  if (as === null) return false;
  const { gql } = stage;
  const { data } = await gql(COMMENT_WAYS, { id: postId, c: id }, { as });
  const ways = Object.entries(data).map(([way, found]) => [way, JSON.stringify(found).includes(text)]);
  ways.push(['export', (await readExport(stage, as)).some((row) => row.id === id)]);
  const change = await gql('mutation($id: String!) { deleteComment(id: $id) { id } }', { id }, { as: 'nobody' });
  if (change.errors.length === 0) throw new Error('an unknown user deleted a comment');
  return agree(`${as} sees the comment`, Object.fromEntries(ways));
}

/** Whether the text is in the events that a viewer reads. */
export async function readsInEvents(
  { ask }: Stage,
  as: Person,
  { postId, events }: Scene,
  text: string,
): Promise<boolean> {
  const query = `query($id: String!, $events: String!) {
    events(after: $events, limit: 100) { nodes { data } } post(id: $id) { events(limit: 100) { nodes { data } } }
  }`;
  return JSON.stringify(await ask(query, { id: postId, events }, { as })).includes(text);
}

const ENTRY_WAYS = `query($id: String!, $n: Int!, $state: ChangelogState) {
  byId: changelogEntry(id: $id) { title } byNumber: changelogEntry(number: $n) { title }
  list: changelog(state: $state, limit: 100) { nodes { title } }
}`;

/** Whether a viewer sees a changelog entry that links a post and has a file; every way must give the same answer. */
export async function seesEntry(stage: Stage, as: Person, make: (input: object) => Promise<string>): Promise<boolean> {
  const { word, postId } = await makeScene(stage);
  const file = await upload(stage, { filename: 'entry.txt', bytes: word });
  const title = `entry of ${word}`;
  const id = await make({ title, text: title, postIds: [postId], files: [file.id] });
  const entry = await stage.api.changelogEntry({ id }, { number: true, state: true, files: { url: true } });
  const { data } = await stage.gql(ENTRY_WAYS, { id, n: entry?.number, state: entry?.state }, { as });
  const ways = Object.entries(data).map(([way, found]) => [way, JSON.stringify(found).includes(word)]);
  const reaction = 'mutation($id: String!) { addChangelogReaction(id: $id, reaction: EYES) { id } }';
  ways.push(['reaction', (await stage.gql(reaction, { id }, { as })).errors.length === 0]);
  if (entry?.state === 'PUBLISHED') ways.push(['bytes', await opensFiles(stage, [entry], word)]);
  return agree(`${as} sees the entry`, Object.fromEntries(ways));
}
