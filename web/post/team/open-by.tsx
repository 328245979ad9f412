import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { useHeard } from '../../posts/live.ts';

/** Which other members of the team have an idea open. Its place is kept, so that nothing moves when they come and go. */
export function OpenBy({ number }: { number: number }) {
  const l = useLocale();
  const { open = [], more = 0 } = useHeard(number) ?? {};
  const names = new Intl.ListFormat(l, { type: 'unit' }).format([...open, ...(more > 0 ? [`+${more}`] : [])]);
  return (
    <p role="status" className="open-by">
      {open.length > 0 && m.openBy(l, { names })}
    </p>
  );
}
