import { createContext, type FormEvent, use, useEffect, useId, useRef, useState } from 'react';
import type { FormAnswer } from '../requests/forms.ts';

/** Reports to the guard around a form whether it has unsaved input. */
export const GuardContext = createContext<(form: string, isUnsaved: boolean) => void>(() => {});

/**
 * Watches whether a form has unsaved input, for the guard and for the form's appearance. Saved is what the server has
 * written into the form, so input from before the scripts loaded counts as well.
 * @param answer the server's result: a form that it did not accept is not saved
 * @returns the properties that the form needs
 */
export function useUnsaved(isGuarded: boolean, answer: FormAnswer | undefined) {
  const localize = use(GuardContext);
  const id = useId();
  const ref = useRef<HTMLFormElement>(null);
  const [isUnsaved, setIsUnsaved] = useState(false);
  useEffect(() => {
    if (isGuarded && (answer || (ref.current && isChanged(ref.current)))) setIsUnsaved(true);
  }, [isGuarded, answer]);
  useEffect(() => {
    localize(id, isUnsaved);
    return () => localize(id, false);
  }, [localize, id, isUnsaved]);
  if (!isGuarded) return {};
  return {
    ref,
    'data-unsaved': isUnsaved || undefined,
    onInput(event: FormEvent<HTMLFormElement>) {
      setIsUnsaved(answer !== undefined || isChanged(event.currentTarget));
    },
    onSubmit() {
      // Until the server has responded it counts as saved: submitting the form is not leaving it.
      setIsUnsaved(false);
    },
  };
}

/** Whether anything in a form differs from what the server wrote. */
function isChanged(form: HTMLFormElement): boolean {
  return [...form.elements].some((control) => {
    if (control instanceof HTMLTextAreaElement) return control.value !== control.defaultValue;
    if (control instanceof HTMLSelectElement) return isOtherOption(control);
    if (!(control instanceof HTMLInputElement) || control.type === 'file') return false;
    const isChoice = control.type === 'checkbox' || control.type === 'radio';
    return isChoice ? control.checked !== control.defaultChecked : control.value !== control.defaultValue;
  });
}

/** Where the server has chosen none, the first one is. */
function isOtherOption({ options, selectedIndex }: HTMLSelectElement): boolean {
  const chosen = [...options].findIndex((option) => option.defaultSelected);
  return selectedIndex !== Math.max(0, chosen);
}
