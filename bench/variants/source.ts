import type { Page } from './page.ts';

export type Post = {
  id: string;
  title: string;
  upvoteCount: number;
  authorId: string | null;
  statusId: string;
  hot: number;
};
export type Named = { id: string; name: string };
export type Comment = { id: string; postId: string; text: string };

/** A value now, as SQLite gives it, or later, as PostgreSQL does. */
export type Soon<T> = T | Promise<T>;

/** The peers' data: prepared statements that read the columns they need and nothing else. */
export type Source = {
  post(id: string): Soon<Post | null>;
  /** TRENDING: the same order, condition and `limit + 1` as Earshot's. */
  posts(limit: number, cursor: string | null): Soon<Page<Post>>;
  users(ids: readonly string[]): Soon<Named[]>;
  statuses(ids: readonly string[]): Soon<Named[]>;
  /** The first comments of each post, by post. */
  comments(postIds: readonly string[], limit: number): Soon<Map<string, Page<Comment>>>;
};
