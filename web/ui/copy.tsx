import { useState, useSyncExternalStore } from 'react';
import * as m from '../i18n/messages.ts';
import { useLocale } from '../lib/locale.ts';

/** A text to copy. Without scripts, a click on the text selects all of it. */
export function CopyText({ text, label }: { text: string; label: string }) {
  return (
    <div className="stack tight">
      <p className="label small">{label}</p>
      <code className="secret" dir="ltr">
        {text}
      </code>
      <CopyButton text={text} />
    </div>
  );
}

/** Copies a text. Until scripts run it only takes its place, so that nothing moves when it appears. */
export function CopyButton({ text, kind }: { text: string; kind?: 'quiet' }) {
  const l = useLocale();
  const hasScripts = useSyncExternalStore(neverChanges, yes, no);
  const [isCopied, setIsCopied] = useState(false);
  async function copy() {
    await copyText(text);
    setIsCopied(true);
  }
  return (
    <p className="row copy" data-waiting={!hasScripts || undefined}>
      <button type="button" className="button" data-kind={kind} onClick={copy}>
        {m.copy(l)}
      </button>
      <span role="status" className="small">
        {isCopied && m.copied(l)}
      </span>
    </p>
  );
}

const neverChanges = () => () => {};
const yes = () => true;
const no = () => false;

/** Copies a text. Over plain HTTP there is no clipboard for pages, but what is selected can be copied. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
