import type { CSSProperties } from 'react';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../requests/locale.ts';

/** Whether something is turned on, in a word beside a dot. */
export function OnOff({ isOn }: { isOn: boolean }) {
  const l = useLocale();
  const color = isOn ? 'var(--good)' : 'var(--line-strong)';
  return (
    <span className="status" style={{ '--status-color': color } as CSSProperties}>
      {isOn ? m.providerOn(l) : m.providerOff(l)}
    </span>
  );
}
