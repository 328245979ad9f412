import { useEffect, useId, useRef, useState } from 'react';
import * as m from '../i18n/messages.ts';
import { copyText } from '../lib/clipboard.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { Picker } from '../parts/show/picker.tsx';

/** The popover with the link to an idea. */
export const SHARE = 'share';

/** The link to an idea, to be taken from its field, copied, or given to other programs of the device. */
export function Share({ url, title }: { url: string; title: string }) {
  const l = useLocale();
  const id = useId();
  const [can, setCan] = useState({ copy: false, share: false });
  const [isCopied, setIsCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // With the focus it is selected, and can still be copied by hand.
  const copy = () => copyText(url, () => field.current?.focus()).then(setIsCopied);
  // Not in frames that may not.
  useEffect(() => setCan({ copy: true, share: navigator.canShare?.({ url, title }) ?? false }), [url, title]);
  // Who closes the dialog of the device shares nothing, which is no fault.
  const share = () => navigator.share({ url, title }).catch(() => {});
  const button = (
    <>
      <Icon name="share-2" />
      {m.share(l)}
    </>
  );
  return (
    <Picker id={SHARE} label={m.share(l)} className="button" button={button}>
      <label className="small" htmlFor={id}>
        {m.linkToIdea(l)}
      </label>
      <input id={id} ref={field} className="input" readOnly value={url} onFocus={(event) => event.target.select()} />
      <div className="row">
        {can.copy && (
          <button type="button" className="button" onClick={copy}>
            {m.copyLink(l)}
          </button>
        )}
        {can.share && (
          <button type="button" className="button" data-kind="plain" onClick={share}>
            {m.shareWith(l)}
          </button>
        )}
        <span role="status" className="small">
          {isCopied && m.copied(l)}
        </span>
      </div>
    </Picker>
  );
}
