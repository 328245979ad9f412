import { type LoaderFunctionArgs, redirect } from 'react-router';
import { findPostByNumber } from '#src/feedback/posts/posts.ts';
import { makeSlug } from '#src/platform/lib/text.ts';
import type { PostRow } from '../../src/feedback/posts/posts.ts';
import type { View } from './joining.ts';
import { viewTarget } from './post-view.ts';
import { postPath } from './posts.ts';

/**
 * Leads from every other address of a post to its own, and from a post that was merged to the one that stands for it,
 * which then says so. The page that answers a form stays where it is, with what was typed.
 */
export async function requireOwnAddress(view: View, { params, url }: LoaderFunctionArgs, post: PostRow) {
  if (view.visit.isForm) return;
  const home = `/b/${view.context.board.pid}`;
  const target = await viewTarget(view, post);
  if (target) throw redirect(`${home}/${postPath(target)}?${queryOfMerged(url, post)}`, 301);
  const isOwn = params.slug === makeSlug(post.title) && params.number === String(post.number);
  if (!isOwn) throw redirect(`${home}/${postPath(post)}${url.search}`, 301);
}

/** Where the visitor comes from and what was just done; the rest of the query is about comments that are elsewhere now. */
function queryOfMerged({ searchParams }: URL, { number }: PostRow): URLSearchParams {
  const done = searchParams.get('done');
  return new URLSearchParams({ from: String(number), ...(done && { done }) });
}

/** The post that the visitor looked for, when it was merged into this one; null otherwise. */
export async function findSource({ context: { db, board, actor } }: View, { searchParams }: URL, post: PostRow) {
  const from = searchParams.get('from');
  const source = from && (await findPostByNumber(db.read, board.id, Number(from), actor));
  return source && source.merged_root_id === post.id ? { title: source.title, path: postPath(source) } : null;
}
