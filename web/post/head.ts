import type { PostRow } from '#src/feedback/posts/posts.ts';
import { isPostIndexed } from '#src/feedback/sharing/indexing.ts';
import type { StatusRow } from '#src/feedback/statuses/statuses.ts';
import { pictureOf } from '#src/pages/pictures/picture.ts';
import { formatCount, parseLocale } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { describePage } from '../parts/requests/head.ts';
import type { View } from '../parts/requests/joining.ts';
import { describePosting } from '../parts/requests/structured-data.ts';
import type { PostView } from '../posts/posts.ts';
import { nameOfStatus } from '../posts/statuses.ts';

/** Describes the page of a post for search engines and for link previews. */
export async function describePost(
  { visit, context }: View,
  post: PostRow,
  { path, excerpt, author }: PostView,
  statuses: readonly StatusRow[],
) {
  const status = statuses.find(({ id }) => id === post.status_id);
  const { board } = context;
  const l = parseLocale(visit.language());
  const statusName = nameOfStatus(status?.name ?? '');
  const head = describePage(context, {
    title: post.title,
    description: excerpt ?? m.ideaFacts(l, { count: post.upvotes, status: statusName, board: board.name }),
    path: `/${path}`,
    facts: [
      [m.votesName(l), formatCount(l, post.upvotes)],
      [m.status(l), statusName],
    ],
    isIndexed: await isPostIndexed(context, post),
    published: post.date_created,
    ...(!visit.isStatic && {
      picture: { path: `/posts/${post.number}/picture.png`, shows: pictureOf(board, post, status) },
      feed: { title: post.title, path: `/posts/${post.number}/feed.atom` },
    }),
  });
  const name = author?.name ?? m.formerUser(l);
  return { ...head, data: head.isIndexed ? describePosting(context, post, head, name) : null };
}
