import { type RefObject, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { useParams } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { usePrefix } from '../../lib/prefix.ts';
import { useLocale } from '../requests/locale.ts';
import { Avatar } from '../show/avatar.tsx';
import { findCharacter } from './caret.ts';
import { type Begun, findBegun, type Mention, suggest, writeMention } from './mentioning.ts';
import styles from './mentions.css?url';

/**
 * Suggests whom a text mentions, once an @ is typed. The field keeps the focus: arrow keys move through the list, Return
 * and Tab choose, Escape closes it.
 */
export function Mentions({ field }: { field: RefObject<HTMLTextAreaElement | null> }) {
  const l = useLocale();
  const id = useId();
  const people = usePeople();
  const [begun, setBegun] = useState<Begun | null>(null);
  const [chosen, setChosen] = useState(0);
  const found = begun ? suggest(people, begun) : [];
  const isOpen = found.length > 0;

  function follow(): void {
    const { value = '', selectionStart = 0, selectionEnd = 0 } = field.current ?? {};
    setBegun(selectionStart === selectionEnd ? findBegun(value, selectionStart) : null);
    setChosen(0);
  }

  function insert(user: Mention | undefined): void {
    const area = field.current;
    if (!area || !begun || !user) return;
    area.focus();
    area.setSelectionRange(begun.start, area.selectionStart);
    // The only way that browsers can undo.
    document.execCommand('insertText', false, `${writeMention(people, user)} `);
    setBegun(null);
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isOpen || event.isComposing || event.ctrlKey || event.metaKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setChosen((chosen + step + found.length) % found.length);
    else if (event.key === 'Escape') setBegun(null);
    else if (event.key === 'Enter' || event.key === 'Tab') insert(found[chosen]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const onInput = useEffectEvent(follow);
  const onLeave = useEffectEvent(() => setBegun(null));

  useEffect(() => {
    const area = field.current;
    const key = (event: KeyboardEvent) => onKey(event);
    const input = () => onInput();
    const leave = () => onLeave();
    area?.addEventListener('keydown', key);
    area?.addEventListener('input', input);
    area?.addEventListener('click', leave);
    area?.addEventListener('blur', leave);
    input();
    return () => {
      area?.removeEventListener('keydown', key);
      area?.removeEventListener('input', input);
      area?.removeEventListener('click', leave);
      area?.removeEventListener('blur', leave);
    };
  }, [field]);

  useListbox(field, { id, isOpen, chosen });
  const list = useAtCharacter(field, begun?.start, found.length);

  const link = <link rel="stylesheet" href={usePrefix() + styles} precedence="texts" />;
  if (!isOpen) return link;
  return (
    <>
      {link}
      <div ref={list} id={id} className="menu-list mentions" role="listbox" aria-label={m.mentionList(l)}>
        {found.map((user, n) => (
          <Suggestion key={user.id} user={user} id={`${id}${n}`} isChosen={n === chosen} insert={insert} />
        ))}
      </div>
    </>
  );
}

type SuggestionProps = { user: Mention; id: string; isChosen: boolean; insert: (user: Mention) => void };

function Suggestion({ user, id, isChosen, insert }: SuggestionProps) {
  const l = useLocale();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and handles the keys
    <div
      id={id}
      className="menu-item"
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => insert(user)}
    >
      <Avatar {...user} size={24} />
      <bdi>{user.name}</bdi>
      {user.isTeam && <span className="badge">{m.team(l)}</span>}
    </div>
  );
}

/** Tells screen readers of the list that belongs to a field, and of the chosen one in it. */
function useListbox(
  field: RefObject<HTMLTextAreaElement | null>,
  { id, isOpen, chosen }: { id: string; isOpen: boolean; chosen: number },
): void {
  useEffect(() => {
    const area = field.current;
    area?.setAttribute('aria-autocomplete', 'list');
    if (!isOpen) return;
    area?.setAttribute('aria-controls', id);
    area?.setAttribute('aria-activedescendant', `${id}${chosen}`);
    return () => {
      area?.removeAttribute('aria-controls');
      area?.removeAttribute('aria-activedescendant');
    };
  }, [field, id, isOpen, chosen]);
}

/** Shows a list below the character of a field that it belongs to. @param length of the list, which decides its size */
function useAtCharacter(field: RefObject<HTMLTextAreaElement | null>, index: number | undefined, length: number) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [area, box] = [field.current, list.current];
    const around = box?.offsetParent?.getBoundingClientRect();
    if (!area || !box || !around || index === undefined || length === 0) return;
    const { x, y } = findCharacter(area, index);
    const edges = area.getBoundingClientRect();
    const left = Math.max(edges.left, Math.min(x, edges.right - box.offsetWidth));
    box.style.left = `${left - around.left}px`;
    box.style.top = `${Math.min(y, edges.bottom) - around.top + 4}px`;
  }, [field, index, length]);
  return list;
}

/** Whom texts of this page can mention; no one until the server has answered. */
function usePeople(): readonly Mention[] {
  const prefix = usePrefix();
  const { pid, number } = useParams();
  const [people, setPeople] = useState<readonly Mention[]>([]);
  useEffect(() => {
    const query = number === undefined ? '' : `?post=${number}`;
    fetch(`${prefix}/b/${pid}/mentions${query}`)
      .then((answer) => (answer.ok ? answer.json() : []))
      // Writing goes on without suggestions.
      .then(setPeople, () => {});
  }, [prefix, pid, number]);
  return people;
}
