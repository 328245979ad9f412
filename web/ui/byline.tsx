import * as m from '../i18n/messages.ts';
import { useLocale } from '../lib/locale.ts';
import { Avatar } from './avatar.tsx';
import { Time } from './time.tsx';

/** The author of something, and its age. */
export function Byline({ author, date, isTeam }: { author: string | null; date: number; isTeam?: boolean }) {
  const l = useLocale();
  return (
    <>
      <span className="who">
        {author !== null && <Avatar name={author} size={18} isTeam={isTeam ?? false} />}
        <bdi>{author ?? m.formerUser(l)}</bdi>
      </span>
      <Time date={date} />
    </>
  );
}
