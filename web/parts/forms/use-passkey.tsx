import { useEffect, useState } from 'react';
import { useFetcher, useSubmit } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { signWithPasskey } from '../../lib/passkeys.ts';
import { type FormAnswer, formAnswerOf } from '../requests/forms.ts';
import { useLocale } from '../requests/locale.ts';
import { ownAnswer } from './form.tsx';

type UsePasskeyProps = {
  /** The answer to the last form. */
  answer: FormAnswer | undefined;
  next: string | null;
  within: undefined | { action: string; navigate: false; fetcherKey: string };
};

/** The button to sign in with a passkey: the browser signs a challenge of the server, which is sent like a form. */
export function UsePasskey({ answer, next, within }: UsePasskeyProps) {
  const begun = useFetcher<FormAnswer | { passkey: PublicKeyCredentialRequestOptionsJSON }>();
  const submit = useSubmit();
  const l = useLocale();
  const [isUnused, setIsUnused] = useState(false);
  const options = begun.data && 'passkey' in begun.data ? begun.data.passkey : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each challenge is signed once, wherever its result is sent
  useEffect(() => {
    if (!options) return;
    signWithPasskey(options).then(
      (passkey) => {
        const form = { intent: 'passkey', passkey, next: next ?? '', ...(within && { within: 'page' }) };
        submit(form, { method: 'post', action: '/sign-in', ...within });
      },
      () => setIsUnused(true),
    );
  }, [options]);
  const message =
    ownAnswer(answer, 'passkey')?.message ?? formAnswerOf(begun.data)?.message ?? (isUnused && m.passkeyUnused(l));
  return (
    <>
      <button
        type="button"
        className="button"
        data-kind="quiet"
        disabled={begun.state !== 'idle'}
        onClick={() => {
          setIsUnused(false);
          begun.submit({ intent: 'passkey-begin' }, { method: 'post', action: '/sign-in' });
        }}
      >
        {m.passkeyUse(l)}
      </button>
      {message && (
        <span className="error" role="alert">
          {message}
        </span>
      )}
    </>
  );
}
