import type { LoaderFunctionArgs } from 'react-router';
import { hasMessage } from '#src/feedback/comments/changes.ts';
import { type CommentRow, isWritten } from '#src/feedback/comments/comments.ts';
import { listComments } from '#src/feedback/comments/list.ts';
import { findPostByNumber } from '#src/feedback/posts/posts.ts';
import { listStatuses, statusNameIn } from '#src/feedback/statuses/statuses.ts';
import { renderBeginning } from '#src/pages/rendering.ts';
import type { AtomEntry } from '#src/platform/lib/atom.ts';
import { printChange } from '../comments/change-words.ts';
import { readChanges } from '../comments/history.ts';
import * as m from '../i18n/messages.ts';
import { authorName, FEED_ENTRIES, openFeed, sendFeed } from '../parts/requests/feeds.ts';
import { peopleOf } from '../parts/requests/people.ts';
import { postPath } from '../posts/posts.ts';

/** A longer text is in a feed with its beginning. */
const FOLDING = { from: 3_000, shown: 2_000 };

/** The discussion of an idea as a feed: comments, answers of the team, and what happened to it. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const open = await openFeed(args);
  const { context, home, l } = open;
  const { db, board } = context;
  const post = await findPostByNumber(db.read, board.id, Number(args.params.number), null);
  if (!post) throw new Response(null, { status: 404 });
  const query = { order: 'NEWEST' as const, types: null, columns: null, cursor: null, limit: FEED_ENTRIES + 1 };
  const found = (await listComments(context, post.id, query)).nodes;
  const comments = found.filter(({ is_first }) => is_first === 0).slice(0, FEED_ENTRIES);
  const ids = comments.map(({ user_id }) => user_id);
  const personOf = await peopleOf(open, ids);
  const history = comments.filter((comment) => !isWritten(comment));
  const statuses = await listStatuses(db.read, board.id);
  const changeOf = await readChanges(open, history, statuses, (name) => statusNameIn(board.locale, name));
  const toEntry = async (comment: CommentRow) => {
    const author = authorName(open, personOf(comment.user_id));
    return {
      id: comment.id,
      title: titleOf(comment, author),
      url: `${home}/${postPath(post)}#comment-${comment.id}`,
      published: comment.date_created,
      updated: comment.date_updated ?? comment.date_created,
      author,
      content: await contentOf(comment, author),
    };
  };
  // The text of a change names statuses that not everyone may see.
  const contentOf = async (comment: CommentRow, author: string): Promise<AtomEntry['content']> =>
    isWritten(comment) || hasMessage(comment)
      ? { type: 'html', value: (await renderBeginning(comment.text, FOLDING)).html }
      : { type: 'text', value: printChange(l, changeOf(comment), author) };
  const titleOf = ({ type }: CommentRow, name: string) => {
    if (type === 'BASIC') return m.feedComment(l, { name });
    return type === 'OFFICIAL' ? m.officialAnswer(l) : m.feedChange(l);
  };
  const page = `/${postPath(post)}`;
  return sendFeed(args, open, {
    about: post.id,
    kind: 'post',
    page,
    path: `/posts/${post.number}/feed.atom`,
    title: `${post.title} · ${board.name}`,
    entries: await Promise.all(comments.map(toEntry)),
  });
}
