import { useState } from 'react';
import * as m from '../i18n/messages.ts';
import { useLocale } from '../lib/locale.ts';
import { useCanCopy } from './copy.tsx';

/** A longer text to copy, which scrolls within its frame. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  const l = useLocale();
  return (
    <div className="stack tight">
      <div className="code-head">
        <p className="label small">{label}</p>
        <CopyButton text={text} words={m.copy(l)} />
      </div>
      <Scrollable text={text} label={label} />
    </div>
  );
}

/** A verbatim text, which scrolls within its frame. Direction marks in it do not affect the text outside. */
export function Scrollable({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it must be scrollable without a mouse
    <figure className="code" tabIndex={0} aria-label={label}>
      <pre dir="ltr">{text}</pre>
    </figure>
  );
}

/** Copies a text; the button appears once it works. */
function CopyButton({ text, words }: { text: string; words: string }) {
  const l = useLocale();
  const canCopy = useCanCopy();
  const [isCopied, setIsCopied] = useState(false);
  if (!canCopy) return null;
  async function copy() {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  }
  return (
    <span className="row">
      <span role="status" className="small">
        {isCopied && m.copied(l)}
      </span>
      <button type="button" className="button" data-kind="quiet" onClick={copy}>
        {words}
      </button>
    </span>
  );
}
