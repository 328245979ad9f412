import * as m from '../i18n/messages.ts';
import { useLocale } from '../parts/requests/locale.ts';

const HEIGHT = 40;
/** The weeks that stand out. */
const LAST = 2;

/** The votes of each week as bars, the oldest first; nothing without weeks. */
export function VoteChart({ weeks }: { weeks: readonly number[] }) {
  const l = useLocale();
  if (weeks.length === 0) return null;
  const most = Math.max(...weeks, 1);
  const step = 100 / weeks.length;
  const words = { weeks: weeks.length, least: Math.min(...weeks), most: Math.max(...weeks) };
  return (
    <svg className="vote-chart" height={HEIGHT} role="img" aria-label={m.votesPerWeek(l, words)}>
      {weeks.map((votes, week) => {
        const height = Math.max(2, (votes / most) * HEIGHT);
        const place = { x: `${week * step}%`, y: HEIGHT - height, width: `${step * 0.82}%`, height, rx: 2 };
        // biome-ignore lint/suspicious/noArrayIndexKey: the weeks are what is shown.
        return <rect key={week} {...place} data-last={week >= weeks.length - LAST || undefined} />;
      })}
    </svg>
  );
}
