import { useState, useSyncExternalStore } from 'react';
import * as m from '../i18n/messages.ts';
import { useLocale } from '../lib/locale.ts';

/** A text to copy. The button appears once it works; without scripts a click on the text selects all of it. */
export function CopyText({ text, label }: { text: string; label: string }) {
  const l = useLocale();
  const canCopy = useCanCopy();
  const [isCopied, setIsCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  }
  return (
    <div className="stack tight">
      <p className="label small">{label}</p>
      <code className="secret" dir="ltr">
        {text}
      </code>
      {canCopy && (
        <p className="row">
          <button type="button" className="button" onClick={copy}>
            {m.copy(l)}
          </button>
          <span role="status" className="small">
            {isCopied && m.copied(l)}
          </span>
        </p>
      )}
    </div>
  );
}

/** Whether this page may copy texts. A browser knows it when it first draws, so that nothing moves afterwards. */
export function useCanCopy(): boolean {
  return useSyncExternalStore(neverChanges, isSecure, () => false);
}

const neverChanges = () => () => {};
const isSecure = () => window.isSecureContext;
