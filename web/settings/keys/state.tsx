import type { CSSProperties } from 'react';
import type { Locale } from '../../i18n/languages.ts';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import type { KeyFields, stateOf } from './settings.ts';

type State = ReturnType<typeof stateOf>;
const colors: Record<State, string> = { active: 'var(--good)', expired: 'var(--warn)', revoked: 'var(--bad)' };

/** Whether a key works, and until when. */
export function KeyState({ state, expires }: { state: State; expires: string }) {
  const l = useLocale();
  const words = { active: m.stateActive(l), expired: m.stateExpired(l), revoked: m.stateRevoked(l) };
  return (
    <>
      <span className="status" style={{ '--status-color': colors[state] } as CSSProperties}>
        {words[state]}
      </span>
      {state === 'active' && expires !== '' && <span className="muted small"> {m.until(l, { day: expires })}</span>}
    </>
  );
}

/** What a key may do, in words. */
export function permissionWords(
  l: Locale,
  { read, write, webhooks }: Pick<KeyFields, 'read' | 'write' | 'webhooks'>,
): string {
  const words = [read && m.permissionRead(l), write && m.permissionWrite(l), webhooks && m.permissionWebhooks(l)];
  return words.filter(Boolean).join(', ');
}
