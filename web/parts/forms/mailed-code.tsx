import { type ReactNode, useEffect, useRef } from 'react';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../requests/locale.ts';
import { TextField, useAnswer } from './form.tsx';

/** The field for a mailed code: it has the focus at once, and a wrong code is selected, so that typing replaces it. */
export function MailedCode({ help }: { help?: ReactNode }) {
  const l = useLocale();
  const answer = useAnswer();
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (answer?.errors.code) ref.current?.select();
  }, [answer]);
  return (
    <TextField
      ref={ref}
      name="code"
      label={m.mailedCode(l)}
      help={help}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={12}
      autoFocus
      required
    />
  );
}
