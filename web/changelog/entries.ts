import { type ChangelogLabel, type EntryRow, entryPath, labelsOf, stateOf } from '#src/feedback/changelog/entries.ts';
import { listLinkedPosts } from '#src/feedback/changelog/linking.ts';
import { listEntriesOfPosts } from '#src/feedback/changelog/list.ts';
import { type ChangelogReaction, findReactionsOfUser, reactionsOf } from '#src/feedback/changelog/reactions.ts';
import { findFilesOfEntries } from '#src/feedback/files/files.ts';
import type { PostRow } from '#src/feedback/posts/posts.ts';
import { findVotesOfUser } from '#src/feedback/votes/votes.ts';
import { renderBeginning, renderMarkdown } from '#src/pages/rendering.ts';
import { type FileView, viewFile } from '../parts/requests/files.ts';
import type { View } from '../parts/requests/joining.ts';
import { postPath } from '../posts/posts.ts';

/** What a list shows of an entry; a longer text is shown from its beginning, with a link to all of it. */
const IN_LIST = { posts: 10, folding: { from: 3_000, shown: 2_000 } };
/** An entry links no more. */
const ALL_POSTS = 50;

/** An idea that an entry completes. */
export type LinkedIdea = { id: string; number: number; title: string; path: string; votes: number; isVoted: boolean };

/** An entry of the changelog as pages show it. */
export type EntryView = {
  id: string;
  number: number;
  title: string;
  path: string;
  html: string;
  isCut: boolean;
  labels: ChangelogLabel[];
  state: 'DRAFT' | 'SCHEDULED' | 'PUBLISHED';
  /** When it was or will be published; of a draft when it was edited. */
  date: number;
  ideas: LinkedIdea[];
  hasMoreIdeas: boolean;
  files: FileView[];
  reactions: { reaction: ChangelogReaction; count: number; isOwn: boolean }[];
};

/** Entries as pages show them: in a list, or one as a whole. */
export async function viewEntries(view: View, entries: readonly EntryRow[], isWhole: boolean): Promise<EntryView[]> {
  const { visit, context } = view;
  const ids = entries.map(({ id }) => id);
  if (ids.length === 0) return [];
  const ideas = await viewIdeas(view, ids, isWhole ? ALL_POSTS : IN_LIST.posts);
  const found = await findFilesOfEntries(visit.db.read, { boardId: context.board.id, ids });
  const files = Map.groupBy(found, ({ entry_id }) => entry_id);
  const ownReactions = await findOwnReactions(view, ids);
  return Promise.all(
    entries.map(async (entry) => {
      const { id, number, title, date_published, date_scheduled, date_updated } = entry;
      const own = ownReactions.get(id) ?? [];
      return {
        id,
        number,
        title,
        path: entryPath(entry),
        labels: labelsOf(entry),
        state: stateOf(entry),
        ...(isWhole
          ? { html: await renderMarkdown(entry.text), isCut: false }
          : await renderBeginning(entry.text, IN_LIST.folding)),
        date: date_published ?? date_scheduled ?? date_updated,
        ideas: ideas.get(id)?.nodes ?? [],
        hasMoreIdeas: ideas.get(id)?.hasMore ?? false,
        files: (files.get(id) ?? []).map(viewFile),
        reactions: reactionsOf(entry).map((each) => ({
          ...each,
          isOwn: own.some(({ reaction }) => reaction === each.reaction),
        })),
      };
    }),
  );
}

async function viewIdeas({ visit: { db }, context }: View, entryIds: readonly string[], limit: number) {
  const { board, actor } = context;
  const pages = await listLinkedPosts(context, entryIds, { cursor: null, limit });
  const postIds = [...new Set([...pages.values()].flatMap(({ nodes }) => nodes.map(({ id }) => id)))];
  const own = actor && postIds.length > 0 ? { boardId: board.id, userId: actor.id, postIds } : null;
  const votes = own ? await findVotesOfUser(db.read, own) : [];
  const voted = new Set(votes.flatMap(({ type, post_id }) => (type === 'UP' ? post_id : [])));
  const toView = (post: PostRow) => ({ ...viewIdea(post), isVoted: voted.has(post.id) });
  return new Map([...pages].map(([id, { nodes, hasMore }]) => [id, { nodes: nodes.map(toView), hasMore }]));
}

/** An idea as one that an entry links. */
export function viewIdea(post: PostRow): LinkedIdea {
  const { id, number, title, upvotes: votes } = post;
  return { id, number, title, votes, path: postPath(post), isVoted: false };
}

async function findOwnReactions({ visit: { db }, context: { board, actor } }: View, entryIds: readonly string[]) {
  const own = actor && { boardId: board.id, userId: actor.id, entryIds };
  const rows = own ? await findReactionsOfUser(db.read, own) : [];
  return Map.groupBy(rows, ({ entry_id }) => entry_id);
}

/** Entries of the changelog that a post page names: the newest. */
const SHIPPED = 3;

/** Published entries of the changelog that complete a post, the newest first. */
export async function viewShipped({ context }: View, post: PostRow) {
  const pages = await listEntriesOfPosts(context, [post.id], { cursor: null, limit: SHIPPED });
  return (pages.get(post.id)?.nodes ?? []).map((entry) => ({
    number: entry.number,
    title: entry.title,
    path: entryPath(entry),
    date: entry.date_published ?? 0,
  }));
}
