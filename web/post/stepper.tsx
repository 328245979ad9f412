import { formatShortDay } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { useLocale, useTimeZone } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { Time } from '../parts/show/time.tsx';
import type { Step } from './steps.ts';

/** How far an idea has come, and since when. */
export function Stepper({ steps }: { steps: readonly Step[] }) {
  const l = useLocale();
  if (steps.length < 2) return null;
  return (
    <ol className="steps" aria-label={m.progress(l)}>
      {steps.map(({ status, state, date }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: statuses may have the same name, and never change places here.
        <li key={n} data-state={state} aria-current={state === 'now' || state === 'done' ? 'step' : undefined}>
          <span className="step-name">
            <Icon name={state === 'past' ? 'ring-done' : status.ring} size={14} />
            <bdi>{status.name}</bdi>
          </span>
          {date !== null && (state === 'now' ? <Time date={date} /> : <Day date={date} />)}
        </li>
      ))}
    </ol>
  );
}

function Day({ date }: { date: number }) {
  return <time dateTime={new Date(date).toISOString()}>{formatShortDay(useLocale(), date, useTimeZone())}</time>;
}
