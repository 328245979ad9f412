import { createPost, mergePosts, updatePost, vote } from './post-tools.ts';
import { findUsers, getBoard, getPost, searchPosts } from './reading.ts';
import { comment, writeChangelog } from './text-tools.ts';
import type { Tool } from './tool.ts';

/** Everything that agents can do; `docs/mcp.md` lists the same. */
export const tools: readonly Tool[] = [
  getBoard,
  searchPosts,
  getPost,
  findUsers,
  createPost,
  updatePost,
  comment,
  vote,
  mergePosts,
  writeChangelog,
];
