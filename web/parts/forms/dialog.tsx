import './dialog.css';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../requests/locale.ts';

/**
 * A dialog that is a page with its own URL. Without scripts it is part of the page; with them it is modal, and Escape
 * leads back.
 */
export function Dialog({ title, back, children }: { title: string; back: string; children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const id = useId();
  const l = useLocale();
  useEffect(() => {
    const dialog = ref.current;
    dialog?.close();
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      open
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        navigate(back);
      }}
    >
      <h2 id={id} className="dialog-title">
        {title}
      </h2>
      {children}
      {/* Last, so that the first field has the focus when the dialog opens. */}
      <Link className="button dialog-close" data-kind="quiet" to={back}>
        {m.close(l)}
      </Link>
    </dialog>
  );
}
