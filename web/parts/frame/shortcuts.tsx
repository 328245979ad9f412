import './shortcuts.css';
import { useId, useRef, useState } from 'react';
import * as m from '../../i18n/messages.ts';
import { useFrame, useLocale } from '../requests/locale.ts';
import { areSingleKeysOn, turnSingleKeys, useShortcuts } from './shortcuts.ts';

/** The keys of the pages, in a dialog where they can be turned off; browsers without scripts do not show it. */
export function Shortcuts() {
  const l = useLocale();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [areOn, setAreOn] = useState(true);
  const [others, setOthers] = useState<ReadonlyMap<string, string>>(new Map());
  const isTeam = useFrame()?.visitor?.isModerator ?? false;
  useShortcuts({ hasPalette: isTeam });
  const open = async () => {
    setAreOn(areSingleKeysOn());
    dialog.current?.showModal();
    const { findOtherKeys } = await import('./other-keys.ts');
    setOthers(findOtherKeys(Object.keys(keys)));
  };
  const turn = (next: boolean) => {
    turnSingleKeys(next);
    setAreOn(next);
  };
  const keys = {
    '/': m.searchIdeas(l),
    n: m.postIdea(l),
    j: m.nextIdea(l),
    k: m.previousIdea(l),
    v: m.voteByKey(l),
    c: m.writeComment(l),
    '?': m.shortcuts(l),
  };
  return (
    <>
      <button type="button" className="shortcuts-open" aria-keyshortcuts="?" onClick={open}>
        {m.shortcuts(l)}
      </button>
      <dialog ref={dialog} className="shortcuts" aria-labelledby={id} closedby="any">
        <h2 id={id}>{m.shortcuts(l)}</h2>
        <dl>
          {[...Object.entries(keys), ...others].map(([key, words]) => (
            <div key={key}>
              <dt>{words}</dt>
              <dd>
                <kbd>{key}</kbd>
              </dd>
            </div>
          ))}
          <div>
            <dt>{isTeam ? m.palette(l) : m.searchIdeas(l)}</dt>
            <dd>
              <kbd>Ctrl</kbd> <kbd>K</kbd>
            </dd>
          </div>
          <div>
            <dt>{m.sendText(l)}</dt>
            <dd>
              <kbd>Ctrl</kbd> <kbd>Enter</kbd>
            </dd>
          </div>
        </dl>
        <label className="choice">
          <input type="checkbox" checked={areOn} onChange={({ target }) => turn(target.checked)} />
          {m.useSingleKeys(l)}
        </label>
        <form method="dialog">
          <button type="submit" className="button">
            {m.close(l)}
          </button>
        </form>
      </dialog>
    </>
  );
}
