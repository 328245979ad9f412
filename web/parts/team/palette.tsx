import '../../lib/closed-by.ts';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useFetcher, useNavigate } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { usePrefix } from '../../lib/prefix.ts';
import { useFrame, useLocale } from '../requests/locale.ts';
import { Icon } from '../show/icon.tsx';
import { type Command, collectCommands } from './commands.ts';
import styles from './palette.css?url';
import { settingsPages } from './settings-pages.ts';

/** The pause in typing before ideas are looked up. */
const PAUSE_MS = 200;
/** Commands that are shown. */
const SHOWN = 40;

/** Ctrl+K, or on a Mac Command+K: everything that the team can do or go to from this page, by its words. */
export function Palette() {
  const prefix = usePrefix();
  const l = useLocale();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [commands, setCommands] = useState<Command[] | null>(null);
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState(0);
  const places = usePlaces();
  const ideas = useIdeas(words);
  useOpening(() => {
    setCommands(collectCommands({ idea: m.paletteHere(l), pages: m.palettePages(l) }));
    setWords('');
    setChosen(0);
    dialog.current?.showModal();
  });
  const found = commands === null ? [] : [...matching([...commands, ...places], words), ...ideas].slice(0, SHOWN);
  const run = (command: Command | undefined) => {
    if (!command) return;
    dialog.current?.close();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setChosen((chosen + step + found.length) % Math.max(found.length, 1));
    if (event.key === 'Enter') run(found[chosen]);
    if (step || event.key === 'Enter') event.preventDefault();
  };
  return (
    <dialog ref={dialog} className="palette" aria-label={m.palette(l)} closedby="any" onClose={() => setCommands(null)}>
      <link rel="stylesheet" href={prefix + styles} precedence="palette" />
      <div className="palette-field">
        <Icon name="search" />
        <input
          role="combobox"
          autoFocus
          value={words}
          maxLength={200}
          aria-label={m.palette(l)}
          placeholder={m.paletteHint(l)}
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setWords(target.value);
            setChosen(0);
          }}
        />
      </div>
      <div role="listbox" id={`${id}-list`} aria-label={m.palette(l)}>
        {found.map((command, n) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys.
          <div
            key={`${command.group} ${command.words}`}
            ref={(element) => {
              if (n === chosen) element?.scrollIntoView({ block: 'nearest' });
            }}
            id={`${id}-${n}`}
            role="option"
            tabIndex={-1}
            aria-selected={n === chosen}
            onClick={() => run(command)}
          >
            <span dir="auto">{command.words}</span>
            <small className={command.group === found[n - 1]?.group ? 'visually-hidden' : undefined}>
              {command.group}
            </small>
            {command.key && <kbd>{command.key.toUpperCase()}</kbd>}
          </div>
        ))}
      </div>
      <p role="status" className={found.length > 0 ? 'visually-hidden' : 'palette-none'}>
        {commands && (found.length > 0 ? m.paletteFound(l, { count: found.length }) : m.paletteNone(l))}
      </p>
    </dialog>
  );
}

/** Opens the palette by its keys, or by a button of the page. */
function useOpening(open: () => void): void {
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented } = event;
      if (key !== 'k' || !(ctrlKey || metaKey) || altKey || shiftKey || defaultPrevented) return;
      event.preventDefault();
      if (!document.querySelector('dialog[open]')) latest.current();
    };
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('[data-opens="palette"]')) latest.current();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('click', onClick);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('click', onClick);
    };
  }, []);
}

/** The pages of the settings, for those who have them. */
function usePlaces(): Command[] {
  const l = useLocale();
  const navigate = useNavigate();
  const frame = useFrame();
  const home = `/b/${frame?.board.pid}/settings`;
  if (!frame?.visitor?.isManager) return [];
  return settingsPages.map(({ path, title }) => ({
    group: m.settings(l),
    words: title(l),
    key: null,
    run: () => navigate(home + path),
  }));
}

/** The ideas that resemble a title, as their page answers. */
export type Similar = { title: string; posts: readonly { title: string; path: string }[] };

/** The ideas that the words resemble, or whose number they are. */
function useIdeas(words: string): Command[] {
  const l = useLocale();
  const navigate = useNavigate();
  const home = `/b/${useFrame()?.board.pid}`;
  const { data, load } = useFetcher<Similar>();
  const title = words.trim();
  useEffect(() => {
    if (title.length < 3) return;
    const timer = setTimeout(() => load(`${home}/similar?title=${encodeURIComponent(title)}`), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [title, home, load]);
  const group = m.ideas(l);
  const number = /^#?(\d{1,9})$/.exec(title)?.[1];
  const named = number
    ? [{ group, words: `#${number}`, key: null, run: () => navigate(`${home}/posts/${number}`) }]
    : [];
  const found = data?.title === title ? data.posts : [];
  return [
    ...named,
    ...found.map((post) => ({ group, words: post.title, key: null, run: () => navigate(`${home}/${post.path}`) })),
  ];
}

/** The commands that contain all of the words. */
function matching(commands: readonly Command[], words: string): Command[] {
  const parts = words.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ group, words: name }) => {
    const text = `${name} ${group}`.toLowerCase();
    return parts.every((part) => text.includes(part));
  });
}
