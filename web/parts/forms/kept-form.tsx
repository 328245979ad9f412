import { type ComponentProps, useCallback, useRef, useState } from 'react';
import { useNavigation } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { type KeptFields, useKeptForm } from '../../lib/kept-form.ts';
import { outbox } from '../../lib/outbox.ts';
import { useLocale } from '../requests/locale.ts';
import { useResend } from '../requests/resend.ts';
import { ownAnswer, PageForm } from './form.tsx';

type KeptFormProps = ComponentProps<typeof PageForm> & {
  /** By what name it is kept in this tab, see `useKeptForm`; undefined to keep nothing. */
  keptAs: string | undefined;
  kind: 'comment' | 'post';
  /** Is told what was filled in again; null when that was discarded. */
  onRestored?: (fields: KeptFields | null) => void;
};

/**
 * A form whose fields survive leaving the page: it says so when they come back, and they can be discarded. While the server
 * does not answer, it is sent again by itself, until something else is typed, and also after the page was closed.
 */
export function KeptForm({ keptAs, kind, onRestored, children, ...form }: KeptFormProps) {
  const l = useLocale();
  const [isRestored, setIsRestored] = useState(false);
  const { ref: keep, forget } = useKeptForm(
    keptAs,
    (fields) => tell(fields),
    () => giveUp(),
  );
  const element = useRef<HTMLFormElement>(null);
  const ref = useCallback(
    (current: HTMLFormElement | null) => {
      element.current = current;
      return keep(current);
    },
    [keep],
  );
  const own = ownAnswer(form.answer, form.intent);
  // What another button of the form asked for, such as a preview, would be sent without that button.
  const isWhole = own?.values.intent === form.intent;
  const isHeldUp = useNavigation().state !== 'idle';
  const [waits, giveUp] = useResend(
    isWhole ? own : undefined,
    () => element.current?.requestSubmit(),
    () => (element.current && outbox.box?.describeForm(element.current, kind)) ?? null,
    { isHeldUp, onHeld: forget },
  );
  function tell(fields: KeptFields | null): void {
    setIsRestored(fields !== null);
    onRestored?.(fields);
  }
  function discard(): void {
    forget();
    tell(null);
  }
  return (
    <PageForm {...form} ref={ref} message={waits ? m.notSavedYet(l) : undefined} onInput={giveUp} onReset={discard}>
      {children}
      {isRestored && (
        <p className="draft-kept" role="status">
          {m.draftRestored(l)}
          <button type="reset" className="button" data-kind="quiet">
            {m.discard(l)}
          </button>
        </p>
      )}
    </PageForm>
  );
}
