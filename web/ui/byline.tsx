import { formatDay } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { useLocale } from '../lib/locale.ts';

/** Who wrote something, and when. */
export function Byline({ author, date }: { author: string | null; date: number }) {
  const l = useLocale();
  return (
    <>
      <span dir="auto">{author ?? m.formerUser(l)}</span>
      <time dateTime={new Date(date).toISOString()}>{formatDay(l, date)}</time>
    </>
  );
}
