import { type KeyboardEvent, type ReactNode, useState } from 'react';
import * as m from '../../i18n/messages.ts';
import { useIsStatic, useLocale } from '../requests/locale.ts';

/** So many choices are seen at a glance. */
const FEW = 10;

type Narrowing = { field: ReactNode; isNarrowed: boolean; fits: (name: string) => boolean };

/** A field that narrows a long list to the names that contain what is typed; for a short list there is none. */
export function useNarrowing(names: readonly string[]): Narrowing {
  const l = useLocale();
  const isStatic = useIsStatic();
  const [typed, setTyped] = useState('');
  const words = typed.trim().toLowerCase();
  const fits = (name: string) => name.toLowerCase().includes(words);
  const field = names.length > FEW && !isStatic && (
    <div className="narrowing">
      <input
        type="search"
        className="input"
        aria-label={m.narrow(l)}
        placeholder={m.narrow(l)}
        maxLength={100}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={leadOn}
      />
      <p role="status" className="muted small">
        {!names.some(fits) && m.paletteNone(l)}
      </p>
    </div>
  );
  return { field, isNarrowed: words !== '', fits };
}

/** Enter leads to the first choice, and does not send the form around. */
function leadOn(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
  event.preventDefault();
  const list = event.currentTarget.closest('.narrowing')?.parentElement;
  const choices = list?.querySelectorAll<HTMLElement>('input:not([type=search]), button, a') ?? [];
  [...choices].find((choice) => choice.checkVisibility())?.focus();
}
