import type { Any } from '../operation.ts';
import { seesEntry, seesPost, type Viewer } from '../rights.ts';
import { iso, known } from '../showing.ts';
import { type Entry, type Person, type Post, reactions, type World } from '../world.ts';
import { type Ask, readAll, same } from './reading.ts';

const FIELDS = `id number title text labels state dateScheduled datePublished dateCreated dateUpdated author { ssoId }
  posts(limit: 100) { nodes { id } } reactions { reaction count } viewerReactions`;

/** The changelog: the entries in each state, and those that link a post. */
export async function observeChangelog(world: World, viewer: Person, ask: Ask): Promise<void> {
  const seen = world.entries.filter((entry) => seesEntry(viewer, entry));
  for (const state of ['DRAFT', 'SCHEDULED', 'PUBLISHED'] as const) {
    const found = await readAll(ask, 'changelog', `state: ${state}, limit: 5`, FIELDS);
    const entries = inOrder(seen.filter((entry) => stateOf(entry) === state));
    for (const node of found) inOneOrder(node);
    same(
      found,
      entries.map((entry) => showEntry(viewer, entry)),
      `entries in the state ${state}`,
    );
  }
  for (const post of world.posts.filter((one) => seesPost(viewer, one)).slice(-3)) {
    const query = 'query($id: String!) { post(id: $id) { changelogEntries(limit: 100) { nodes { id } } } }';
    const { changelogEntries } = (await ask(query, { id: post.id })).post;
    const linking = world.entries.filter((entry) => entry.published !== null && entry.posts.has(post));
    same(
      changelogEntries.nodes,
      inOrder(linking).map(({ id }) => ({ id })),
      'entries of a post',
    );
  }
}

function stateOf({ published, scheduled }: Entry) {
  if (published !== null) return 'PUBLISHED';
  return scheduled === null ? 'DRAFT' : 'SCHEDULED';
}

function inOrder(entries: readonly Entry[]): Entry[] {
  const date = ({ published, created }: Entry) => published ?? created;
  return entries.toSorted((a, b) => date(b) - date(a) || (a.id < b.id ? 1 : -1));
}

function showEntry(viewer: Viewer, entry: Entry) {
  const { id, number, title, text, labels, scheduled, published, created, updated } = entry;
  const author = known(entry.author);
  const people = [...entry.reactions];
  const shown = {
    id,
    number,
    title,
    text,
    labels,
    state: stateOf(entry),
    dateScheduled: iso(scheduled),
    datePublished: iso(published),
    dateCreated: iso(created),
    dateUpdated: iso(updated),
    author: author && { ssoId: author.ssoId },
    posts: { nodes: [...entry.posts].filter((post: Post) => seesPost(viewer, post)).map((post) => ({ id: post.id })) },
    reactions: reactions.map((reaction) => ({
      reaction,
      count: people.filter(([, own]) => own.has(reaction)).length,
    })),
    viewerReactions: viewer ? [...(entry.reactions.get(viewer) ?? [])] : [],
  };
  inOneOrder(shown);
  return shown;
}

/** The order of posts by votes has a test of its own, and that of one's own reactions is not promised. */
function inOneOrder(node: Any): void {
  node.posts.nodes.sort((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1));
  node.viewerReactions.sort();
}
