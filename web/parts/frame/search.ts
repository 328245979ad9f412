import { type ChangeEvent, useEffect, useRef } from 'react';
import { useNavigate, useNavigation } from 'react-router';
import { type Asked, printAsked } from './list-query.ts';

/** The pause in typing after which a list is searched. */
const PAUSE_MS = 200;

/**
 * Searches a list while one types. All words of one search take one place in the history.
 * @param asked what the list shows; null on other pages, which are left only by Enter
 * @returns what the field of the search needs, and its form
 */
export function useSearchWhileTyping(asked: Asked | null) {
  const navigate = useNavigate();
  const leavesFor = useNavigation().location?.pathname;
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const words = asked?.words ?? '';
  const stop = () => clearTimeout(timer.current);
  useEffect(() => {
    // The address has changed in another way: by a link, or by going back.
    const { current } = field;
    if (current && current !== document.activeElement) current.value = words;
  }, [words]);
  useEffect(() => {
    // Who has pressed a link in the meantime gets there.
    if (leavesFor !== undefined && leavesFor !== window.location.pathname) clearTimeout(timer.current);
  }, [leavesFor]);
  useEffect(() => () => clearTimeout(timer.current), []);
  function onChange({ target: { value } }: ChangeEvent<HTMLInputElement>): void {
    stop();
    const typed = value.trim();
    if (!asked || typed === words) return;
    const to = printAsked({ ...asked, words: typed });
    timer.current = setTimeout(() => navigate(to, { replace: words !== '', preventScrollReset: true }), PAUSE_MS);
  }
  return { field, onChange, onSubmit: stop };
}
