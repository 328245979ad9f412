import { Link } from 'react-router';
import { formatDay } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { useBoard, useLocale } from '../lib/locale.ts';
import type { PostView } from '../lib/posts.ts';
import { StatusName } from './status.tsx';
import { VoteButton } from './vote.tsx';

/** A post in a list. */
export function PostRow({ post, level: Heading = 'h2' }: { post: PostView; level?: 'h2' | 'h3' }) {
  const l = useLocale();
  const board = useBoard();
  return (
    <li className="post-row">
      <VoteButton post={post} />
      <div className="post-text">
        <Heading className="post-title">
          <Link to={`/b/${board?.pid}/${post.path}`} dir="auto">
            {post.title}
          </Link>
        </Heading>
        {post.excerpt && (
          <p className="muted excerpt" dir="auto">
            {post.excerpt}
          </p>
        )}
        <p className="muted small row">
          {post.status && <StatusName {...post.status} />}
          {post.isPinned && <span>{m.pinned(l)}</span>}
          {post.isHeld && <span className="held">{m.waitsForApproval(l)}</span>}
          <span>{m.comments(l, { count: post.comments })}</span>
          <time dateTime={new Date(post.date).toISOString()}>{formatDay(l, post.date)}</time>
        </p>
      </div>
    </li>
  );
}
