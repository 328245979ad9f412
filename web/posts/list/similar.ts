import { type ClientLoaderFunctionArgs, data, type LoaderFunctionArgs } from 'react-router';
import { POST_TITLE } from '#src/feedback/posts/posts.ts';
import { findSimilar } from '#src/feedback/search/similar.ts';
import { listStatuses } from '#src/feedback/statuses/statuses.ts';
import { isFailure, retryHeaders } from '../../parts/requests/failure.ts';
import { openView } from '../../parts/requests/joining.ts';
import type { Similar } from '../../parts/team/palette.tsx';
import { viewPosts } from '../posts.ts';

/** How many are shown while writing. */
const LIMIT = 4;

/** Ideas that resemble a title being written. */
export async function loader(args: LoaderFunctionArgs) {
  const view = await openView(args);
  const { visit, context } = view;
  const { db } = visit;
  const title = (args.url.searchParams.get('title') ?? '').trim().slice(0, POST_TITLE.max).toWellFormed();
  if (title !== '') {
    try {
      await visit.countSearch();
    } catch (error) {
      if (!isFailure(error)) throw error;
      // Writing continues without; an error page would discard the text.
      return data({ title, posts: [] }, { status: 429, headers: retryHeaders(error) });
    }
  }
  const similar = title === '' ? [] : await findSimilar(context, { title, text: null }, LIMIT);
  const statuses = await listStatuses(db.read, context.board.id);
  const found = similar.map(({ post }) => post);
  return { title, posts: await viewPosts(view, found, statuses) } satisfies Similar;
}

/** Writing continues without, too, when the server does not answer. */
export async function clientLoader({ url, serverLoader }: ClientLoaderFunctionArgs) {
  try {
    return await serverLoader<typeof loader>();
  } catch {
    return { title: url.searchParams.get('title') ?? '', posts: [] };
  }
}
