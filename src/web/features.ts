import { boardUrl, findBoardByDomain, listBoards } from '../board/board.ts';
import { findDescription } from '../comments/comments.ts';
import { listCommentsOfPosts } from '../comments/list.ts';
import { renderMarkdown } from '../lib/markdown.ts';
import { makeSlug } from '../lib/text.ts';
import { listPosts } from '../posts/list.ts';
import { findPostByNumber } from '../posts/posts.ts';
import { listStatuses } from '../statuses/statuses.ts';
import { findUsers } from '../users/users.ts';

/** The functions that loaders and actions call. Pages import only types from here, so they get these by hand. */
export const features = {
  boardUrl,
  findBoardByDomain,
  listBoards,
  findDescription,
  listCommentsOfPosts,
  renderMarkdown,
  makeSlug,
  listPosts,
  findPostByNumber,
  listStatuses,
  findUsers,
};

export type Features = typeof features;
