import { createContext, type FormEvent, use, useEffect, useId, useRef, useState } from 'react';
import type { FormAnswer } from '../lib/forms.ts';

/** Tells the guard around a form whether something in it is not saved. */
export const GuardContext = createContext<(form: string, isUnsaved: boolean) => void>(() => {});

/**
 * Watches whether a form has something that is not saved, for the guard and for the looks of the form.
 * @param answer of the server to the form: one that it did not accept is not saved
 * @returns what the form needs as properties
 */
export function useUnsaved(isGuarded: boolean, answer: FormAnswer | undefined) {
  const tell = use(GuardContext);
  const id = useId();
  const [isUnsaved, setIsUnsaved] = useState(false);
  const saved = useRef<string | null>(null);
  useEffect(() => {
    if (isGuarded && answer) setIsUnsaved(true);
  }, [isGuarded, answer]);
  useEffect(() => {
    tell(id, isUnsaved);
    return () => tell(id, false);
  }, [tell, id, isUnsaved]);
  if (!isGuarded) return {};
  return {
    'data-unsaved': isUnsaved || undefined,
    onFocus(event: FormEvent<HTMLFormElement>) {
      saved.current ??= contentOf(event.currentTarget);
    },
    onInput(event: FormEvent<HTMLFormElement>) {
      setIsUnsaved(answer !== undefined || contentOf(event.currentTarget) !== saved.current);
    },
    onSubmit() {
      // Until the server has answered it counts as saved: what the form does itself is no leaving.
      saved.current = null;
      setIsUnsaved(false);
    },
  };
}

function contentOf(form: HTMLFormElement): string {
  return JSON.stringify([...new FormData(form)].filter(([, value]) => typeof value === 'string'));
}
