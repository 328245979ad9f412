import { type LoaderFunctionArgs, redirect } from 'react-router';
import { findPostByNumber, type PostRow } from '#src/feedback/posts/posts.ts';
import { makeSlug } from '#src/platform/texts/text.ts';
import type { View } from '../parts/requests/joining.ts';
import { postPath } from '../posts/posts.ts';
import { viewTarget } from './view.ts';

/**
 * Redirects to the canonical URL of a post: the one with its current slug, or that of the post that it was merged into.
 * The response to a form is not redirected, so that it keeps what was typed.
 */
export async function requireOwnAddress(view: View, { params, url }: LoaderFunctionArgs, post: PostRow) {
  if (view.visit.isForm) return;
  const home = `/b/${view.context.board.pid}`;
  const target = await viewTarget(view, post);
  if (target) throw redirect(`${home}/${postPath(target)}?${queryOfMerged(url, post)}`, 301);
  const isOwn = params.slug === makeSlug(post.title) && params.number === String(post.number);
  if (!isOwn) throw redirect(`${home}/${postPath(post)}${url.search}`, 301);
}

/** The number of the merged post, and what was just done to it. The rest of a query is about comments, which have moved. */
function queryOfMerged({ searchParams }: URL, { number }: PostRow): URLSearchParams {
  const done = [...searchParams].filter(([name]) => /^(done|notice|operation)$/.test(name));
  return new URLSearchParams([['from', String(number)], ...done]);
}

/** The merged post from which the visitor was redirected to this one; null if there is none. */
export async function findSource({ context: { db, board, actor } }: View, { searchParams }: URL, post: PostRow) {
  const from = searchParams.get('from');
  const source = from && (await findPostByNumber(db.read, board.id, Number(from), actor));
  return source && source.merged_root_id === post.id ? { title: source.title, path: postPath(source) } : null;
}
