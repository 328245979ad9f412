import { useEffect, useRef } from 'react';
import { Link, useNavigation, useRevalidator, useSearchParams } from 'react-router';
import * as m from '../i18n/messages.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { useNow } from '../posts/live.ts';
import type { PostPage } from './page.ts';

/**
 * How many comments others have written since the page was loaded. They are shown when the reader asks for them: until
 * then nothing on the page moves.
 */
export function NewComments({ post }: { post: PostPage }) {
  const l = useLocale();
  const { revalidate } = useRevalidator();
  const [search] = useSearchParams();
  // One's own comment that is being sent may be among them.
  const isIdle = useNavigation().state === 'idle';
  const count = useNow(post).comments - post.comments;
  const before = useRef<Set<string> | null>(null);
  useEffect(() => {
    const known = before.current;
    before.current = null;
    if (known && post)
      idsOfComments()
        .find(([id]) => !known.has(id))?.[1]
        ?.focus();
  }, [post]);
  const words = m.newComments(l, { count });
  const isOnOtherPage = post.order === 'OLDEST' ? post.discussion.next !== null : search.has('after');
  return (
    <div role="status" className="new-comments">
      {count > 0 &&
        isIdle &&
        (isOnOtherPage ? (
          <Link className="button" to="?comments=newest">
            {words}
          </Link>
        ) : (
          <button
            type="button"
            className="button"
            onClick={() => {
              before.current = new Set(idsOfComments().map(([id]) => id));
              revalidate();
            }}
          >
            {words}
          </button>
        ))}
    </div>
  );
}

/** The comments on the page, with their links to themselves. */
function idsOfComments(): [id: string, link: HTMLElement | null][] {
  return [...document.querySelectorAll('.comment')].map(({ id }) => [
    id,
    document.querySelector<HTMLElement>(`#${id} .permalink`),
  ]);
}
