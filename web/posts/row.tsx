import { Link, useNavigation } from 'react-router';
import { formatCount } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { Avatar } from '../parts/show/avatar.tsx';
import { Icon } from '../parts/show/icon.tsx';
import { Time } from '../parts/show/time.tsx';
import { useNow } from './live.ts';
import type { Marked, PostView } from './posts.ts';
import { StatusChip } from './status.tsx';
import { Tag } from './tag.tsx';
import { VoteButton } from './votes/vote-button.tsx';

/** A post in a list. */
export function PostRow({ post, level, marked }: { post: PostView; level?: 'h2' | 'h3'; marked?: Marked | undefined }) {
  const l = useLocale();
  const board = useBoard();
  const { status, comments } = useNow(post);
  return (
    <li className="post-row">
      <VoteButton post={post} />
      <div className="post-text">
        <PostTitle post={post} level={level ?? 'h2'} parts={marked?.title} />
        {status && <StatusChip status={status} />}
        {post.excerpt && (
          <p className="excerpt" dir="auto">
            <Parts of={marked?.excerpt ?? [post.excerpt]} />
          </p>
        )}
        <div className="meta">
          {post.isPinned && <Pinned />}
          {post.isHeld && <span className="held">{m.waitsForApproval(l)}</span>}
          {post.mergedInto && (
            <span>
              {m.mergedInto(l)}{' '}
              <Link to={`/b/${board?.pid}/${post.mergedInto.path}`} dir="auto">
                {post.mergedInto.title}
              </Link>
            </span>
          )}
          {post.author && (
            <span className="who">
              <Avatar {...post.author} size={18} />
              <bdi>{post.author.name}</bdi>
            </span>
          )}
          <Time date={post.date} />
          <CommentCount count={comments} />
          {post.tags.map((tag) => (
            <Tag key={tag.name} {...tag} />
          ))}
        </div>
      </div>
    </li>
  );
}

type PostTitleProps = { post: Pick<PostView, 'title' | 'path'>; level: 'h2' | 'h3'; parts?: string[] | undefined };

/** The title of a post; the whole row or card around it links to the post, and shows when it is being opened. */
export function PostTitle({ post, level: Heading, parts }: PostTitleProps) {
  const board = useBoard();
  const path = `/b/${board?.pid}/${post.path}`;
  const isOpening = useNavigation().location?.pathname === path;
  return (
    <Heading className="post-title" dir="auto">
      <Link to={path} viewTransition aria-busy={isOpening || undefined}>
        <Parts of={parts ?? [post.title]} />
      </Link>
    </Heading>
  );
}

function Parts({ of }: { of: readonly string[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
  return of.map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));
}

/** The number of comments, if there are any. */
export function CommentCount({ count }: { count: number }) {
  const l = useLocale();
  if (count === 0) return null;
  return (
    <span className="count">
      <Icon name="message-circle" size={14} />
      <span aria-hidden="true">{formatCount(l, count)}</span>
      <span className="visually-hidden">{m.comments(l, { count })}</span>
    </span>
  );
}

/** Says that a post stays at the top of the list. */
export function Pinned() {
  return (
    <span className="pinned">
      <Icon name="pin" size={14} />
      {m.pinned(useLocale())}
    </span>
  );
}
