import { useEffect, useRef } from 'react';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../requests/locale.ts';
import { TextField, useAnswer } from './form.tsx';

/** Digits of a mailed code. */
const DIGITS = 6;

/**
 * The field for a mailed code. It has the focus at once, its last digit sends the form, and a wrong code is selected, so
 * that typing replaces it. The same code is not sent again while its answer is on its way.
 */
export function MailedCode({ isLabelHidden = false }: { isLabelHidden?: boolean }) {
  const l = useLocale();
  const answer = useAnswer();
  const ref = useRef<HTMLInputElement>(null);
  const sent = useRef('');
  useEffect(() => {
    sent.current = '';
    if (answer?.errors.code) ref.current?.select();
  }, [answer]);
  useEffect(() => {
    const form = ref.current?.form;
    const sendOnce = (event: SubmitEvent) => {
      const code = ref.current?.value ?? '';
      if (code === sent.current) event.preventDefault();
      sent.current = code;
    };
    form?.addEventListener('submit', sendOnce, { capture: true });
    return () => form?.removeEventListener('submit', sendOnce, { capture: true });
  }, []);
  return (
    <TextField
      ref={ref}
      name="code"
      label={m.mailedCode(l)}
      isLabelHidden={isLabelHidden}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={12}
      onInput={({ currentTarget: { value, form } }) => {
        if (value.replace(/\D/g, '').length === DIGITS) form?.requestSubmit();
      }}
      autoFocus
      required
    />
  );
}
