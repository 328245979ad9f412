import type { LoaderFunctionArgs } from 'react-router';
import { listPosts } from '#src/feedback/posts/list.ts';
import * as m from '../../i18n/messages.ts';
import { authorName, FEED_ENTRIES, openFeed, sendFeed } from '../../parts/requests/feeds.ts';
import { peopleOf } from '../../parts/requests/people.ts';
import { postPath } from '../posts.ts';

/** New ideas as a feed. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const open = await openFeed(args);
  const { context, home, l } = open;
  const { db, board } = context;
  const query = { viewer: null, order: 'NEWEST' as const, cursor: null, limit: FEED_ENTRIES };
  const { nodes } = await listPosts(db.read, board.id, query);
  const ids = nodes.map(({ author_id }) => author_id);
  const personOf = await peopleOf(open, ids);
  return sendFeed(args, open, {
    about: board.id,
    kind: 'posts',
    page: '?sort=new',
    path: '/posts.atom',
    title: `${m.ideas(l)} · ${board.name}`,
    entries: nodes.map((post) => ({
      id: post.id,
      title: post.title,
      url: `${home}/${postPath(post)}`,
      published: post.date_created,
      // Each vote changes a post; readers would take every one for news.
      updated: post.date_created,
      author: authorName(open, personOf(post.author_id)),
      content: { type: 'text', value: post.excerpt ?? '' },
    })),
  });
}
