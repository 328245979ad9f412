import './dialog.css';
import './unsaved.css';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { type Blocker, useBlocker } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../requests/locale.ts';
import { GuardContext } from './unsaved.tsx';

/** Asks for confirmation before leaving a page with unsaved input. Without scripts nothing asks. */
export function UnsavedGuard({ children }: { children: ReactNode }) {
  const [unsaved, setUnsaved] = useState<readonly string[]>([]);
  const isUnsaved = unsaved.length > 0;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved && currentLocation.pathname !== nextLocation.pathname,
  );
  const [localize] = useState(() => (form: string, isUnsavedNow: boolean) => {
    setUnsaved((forms) => [...forms.filter((other) => other !== form), ...(isUnsavedNow ? [form] : [])]);
  });
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnsaved]);
  return (
    <GuardContext value={localize}>
      {children}
      {blocker.state === 'blocked' && <Question blocker={blocker} />}
    </GuardContext>
  );
}

function Question({ blocker }: { blocker: Extract<Blocker, { state: 'blocked' }> }) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const l = useLocale();
  useEffect(() => ref.current?.showModal(), []);
  return (
    <dialog ref={ref} className="dialog" aria-labelledby={id} onCancel={() => blocker.reset()}>
      <div className="stack">
        <h2 id={id}>{m.unsavedLeave(l)}</h2>
        <p className="row">
          <button type="button" className="button" data-kind="primary" onClick={() => blocker.reset()}>
            {m.unsavedStay(l)}
          </button>
          <button type="button" className="button" onClick={() => blocker.proceed()}>
            {m.unsavedDiscard(l)}
          </button>
        </p>
      </div>
    </dialog>
  );
}
