import { type ComponentProps, useState } from 'react';
import * as m from '../../i18n/messages.ts';
import { type KeptFields, useKeptForm } from '../../lib/kept-form.ts';
import { useLocale } from '../requests/locale.ts';
import { PageForm } from './form.tsx';

type KeptFormProps = ComponentProps<typeof PageForm> & {
  /** By what name it is kept in this tab, see `useKeptForm`; undefined to keep nothing. */
  keptAs: string | undefined;
  /** Is told what was filled in again; null when that was discarded. */
  onRestored?: (fields: KeptFields | null) => void;
};

/** A form whose fields survive leaving the page: it says so when they come back, and they can be discarded. */
export function KeptForm({ keptAs, onRestored, children, ...form }: KeptFormProps) {
  const l = useLocale();
  const [isRestored, setIsRestored] = useState(false);
  const { ref, forget } = useKeptForm(keptAs, (fields) => tell(fields));
  function tell(fields: KeptFields | null): void {
    setIsRestored(fields !== null);
    onRestored?.(fields);
  }
  function discard(): void {
    forget();
    tell(null);
  }
  return (
    <PageForm {...form} ref={ref} onReset={discard}>
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
