import { useState, useSyncExternalStore } from 'react';
import * as m from '../../i18n/messages.ts';
import { copyFromNowhere } from '../../lib/copying.ts';
import { useLocale } from '../requests/locale.ts';

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
  const [isCopied, setIsCopied] = useState<boolean>();
  return (
    <p className="row copy" data-waiting={!hasScripts || undefined}>
      <button type="button" className="button" data-kind={kind} onClick={() => copyFromNowhere(text).then(setIsCopied)}>
        {m.copy(l)}
      </button>
      <span role="status" className="small">
        {isCopied !== undefined && (isCopied ? m.copied(l) : m.notCopied(l))}
      </span>
    </p>
  );
}

const neverChanges = () => () => {};
const yes = () => true;
const no = () => false;
