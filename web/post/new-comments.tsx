import { useEffect, useRef } from 'react';
import { Link, useNavigation, useRevalidator, useSearchParams } from 'react-router';
import * as m from '../i18n/messages.ts';
import { useLocale } from '../parts/requests/locale.ts';
import type { PostPage } from './page.ts';

/** A button for new comments. They are shown when the reader asks for them: until then nothing on the page moves. */
export function NewComments({ post, count }: { post: PostPage; count: number }) {
  const l = useLocale();
  const { revalidate } = useRevalidator();
  const [search] = useSearchParams();
  // One's own comment that is being sent may be among them.
  const isIdle = useNavigation().state === 'idle';
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
  if (count <= 0 || !isIdle) return null;
  return isOnOtherPage ? (
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
  );
}

/** The comments on the page, with their links to themselves. */
function idsOfComments(): [id: string, link: HTMLElement | null][] {
  return [...document.querySelectorAll('.comment')].map(({ id }) => [
    id,
    document.querySelector<HTMLElement>(`#${id} .permalink`),
  ]);
}
