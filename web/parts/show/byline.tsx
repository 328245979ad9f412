import * as m from '../../i18n/messages.ts';
import { useLocale } from '../requests/locale.ts';
import type { AuthorView } from '../requests/people.ts';
import { Avatar } from './avatar.tsx';
import { Time } from './time.tsx';

/** The author of something, and its age. */
export function Byline({ author, date }: { author: AuthorView | null; date: number }) {
  const l = useLocale();
  return (
    <>
      <span className="who">
        {author && <Avatar {...author} size={18} />}
        <bdi>{author?.name ?? m.formerUser(l)}</bdi>
      </span>
      <Time date={date} />
    </>
  );
}
