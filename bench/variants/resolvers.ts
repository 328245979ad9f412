import DataLoader from 'dataloader';
import { openSource } from './open-source.ts';
import { cursorOf, type Page } from './page.ts';
import type { PageArgs } from './schema.ts';
import type { Comment, Named, Post } from './source.ts';

const source = openSource();

/** The loaders of one request. */
export type Loaders = {
  users: DataLoader<string, Named | null>;
  statuses: DataLoader<string, Named | null>;
  comments: DataLoader<{ postId: string; limit: number }, Page<Comment>>;
};

/** Makes the loaders of a request. */
export function makeLoaders(): Loaders {
  return {
    users: new DataLoader(async (ids) => inOrder(ids, await source.users(ids))),
    statuses: new DataLoader(async (ids) => inOrder(ids, await source.statuses(ids))),
    comments: new DataLoader(async (keys) => {
      const pages = await source.comments(
        keys.map((key) => key.postId),
        keys[0]?.limit ?? 0,
      );
      return keys.map((key) => pages.get(key.postId) ?? { nodes: [], hasMore: false });
    }),
  };
}

/** Root fields, the same for every peer. */
export const rootResolvers = {
  Query: {
    post: (_: unknown, { id }: { id: string }) => source.post(id),
    posts: (_: unknown, { limit, cursor }: PageArgs) => source.posts(limit, cursor ?? null),
  },
  PostsPayload: { cursor: cursorOf },
};

/** Root fields and edges, for servers whose context is the loaders. */
export const resolvers = {
  ...rootResolvers,
  Post: {
    author: (post: Post, _: unknown, { users }: Loaders) => (post.authorId === null ? null : users.load(post.authorId)),
    status: (post: Post, _: unknown, { statuses }: Loaders) => statuses.load(post.statusId),
    comments: (post: Post, { limit }: PageArgs, { comments }: Loaders) => comments.load({ postId: post.id, limit }),
  },
};

type Asked<Args = unknown> = { obj: Post; params: Args };

/** Edges as Mercurius has them: it calls each with all posts of a request. */
export const mercuriusLoaders = {
  Post: {
    async author(asked: Asked[]) {
      const ids = [...new Set(asked.map(({ obj }) => obj.authorId).filter((id) => id !== null))];
      const byId = keyed(await source.users(ids));
      return asked.map(({ obj }) => (obj.authorId === null ? null : byId.get(obj.authorId)));
    },
    async status(asked: Asked[]) {
      const byId = keyed(await source.statuses([...new Set(asked.map(({ obj }) => obj.statusId))]));
      return asked.map(({ obj }) => byId.get(obj.statusId));
    },
    async comments(asked: Asked<PageArgs>[]) {
      const ids = asked.map(({ obj }) => obj.id);
      const pages = await source.comments(ids, asked[0]?.params.limit ?? 0);
      return ids.map((id) => pages.get(id));
    },
  },
};

function inOrder(ids: readonly string[], rows: readonly Named[]): (Named | null)[] {
  const byId = keyed(rows);
  return ids.map((id) => byId.get(id) ?? null);
}

function keyed(rows: readonly Named[]): Map<string, Named> {
  return new Map(rows.map((row) => [row.id, row]));
}
