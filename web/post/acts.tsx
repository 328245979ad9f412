import type { CSSProperties } from 'react';
import * as m from '../i18n/messages.ts';
import { PageForm } from '../parts/forms/form.tsx';
import { useIsStatic, useLocale } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { useNow } from '../posts/live.ts';
import type { PostPage } from './page.ts';
import { SHARE, Share } from './share.tsx';

/** Where the votes of an idea are told, for links on its page. */
export const VOTES = 'votes';

/** What readers can do with an idea, in its panel. On narrow pages, where the panel is far below, `ActsLine` has it. */
export function Acts({ post }: { post: PostPage }) {
  const l = useLocale();
  if (useIsStatic()) return null;
  return (
    <section className="acts-section">
      <div className="pair">
        {mayFollow(post) && <Follow post={post} className="button" />}
        <Share url={post.head.url} title={post.title} />
      </div>
      {post.isSignedIn && <p className="muted small">{post.isFollowed ? m.followingHelp(l) : m.followHelp(l)}</p>}
    </section>
  );
}

/** Follow and share in one line below the title, and the way to the votes. */
export function ActsLine({ post }: { post: PostPage }) {
  const l = useLocale();
  const { votes } = useNow(post);
  if (useIsStatic()) return null;
  return (
    <ul className="acts-line">
      {mayFollow(post) && (
        <li>
          <Follow post={post} />
        </li>
      )}
      <li>
        <button type="button" popoverTarget={SHARE} style={{ anchorName: `--${SHARE}` } as CSSProperties}>
          {m.share(l)}
        </button>
      </li>
      <li>
        <a href={`#${VOTES}`}>{m.votes(l, { count: votes })}</a>
      </li>
    </ul>
  );
}

function mayFollow({ isSignedIn, target }: PostPage): boolean {
  return isSignedIn && target === null;
}

function Follow({ post: { isFollowed }, className }: { post: PostPage; className?: string }) {
  const l = useLocale();
  return (
    <PageForm answer={undefined} intent={isFollowed ? 'unfollow' : 'follow'} action="?">
      <button type="submit" className={className} title={isFollowed ? m.unfollow(l) : undefined}>
        {className && <Icon name="bell" />}
        {isFollowed ? m.following(l) : m.follow(l)}
      </button>
    </PageForm>
  );
}
