import { Link } from 'react-router';
import { formatCount } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { Avatar } from '../parts/show/avatar.tsx';
import { Icon } from '../parts/show/icon.tsx';
import { Time } from '../parts/show/time.tsx';
import { OpenBy } from '../post/team/open-by.tsx';
import { useNow } from '../posts/live.ts';
import type { PostView } from '../posts/posts.ts';
import { CommentCount } from '../posts/row.tsx';
import { StatusChip } from '../posts/status.tsx';
import { BULK } from './bulk.tsx';

/** An idea in the list of triage. */
export function TriageItem({ post: loaded, path, isOpen }: { post: PostView; path: string; isOpen: boolean }) {
  const l = useLocale();
  const post = useNow(loaded);
  return (
    <li className="triage-item" data-open={isOpen || undefined}>
      <input
        type="checkbox"
        name="post"
        value={post.id}
        form={BULK}
        id={`choose-${post.number}`}
        aria-label={m.chooseIdea(l, { title: post.title })}
      />
      <h2 dir="auto">
        <Link to={path} aria-current={isOpen ? 'true' : undefined} preventScrollReset>
          {post.title}
        </Link>
      </h2>
      <Time date={post.date} />
      <div className="meta">
        {post.isHeld && <span className="held">{m.waitsForApproval(l)}</span>}
        {post.status && <StatusChip status={post.status} isBare />}
        {post.author && (
          <span className="who">
            <Avatar {...post.author} size={18} />
            <bdi>{post.author.name}</bdi>
          </span>
        )}
        <span className="count">
          <Icon name="vote" size={14} />
          <span aria-hidden="true">{formatCount(l, post.votes)}</span>
          <span className="visually-hidden">{m.votes(l, { count: post.votes })}</span>
        </span>
        <CommentCount count={post.comments} />
      </div>
      <OpenBy number={post.number} />
    </li>
  );
}
