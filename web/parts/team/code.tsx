import { CopyButton } from './copy.tsx';

/** A longer text to copy, which scrolls within its frame. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className="stack tight">
      <div className="code-head">
        <p className="label small">{label}</p>
        <CopyButton text={text} kind="quiet" />
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
