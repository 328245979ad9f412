import { useCallback, useEffect, useRef } from 'react';
import { useHref, useLocation, useNavigation } from 'react-router';
import { tabStorage } from './browser-storage.ts';

/** What a form has in its fields, by their names. */
export type KeptFields = Record<string, string>;

/**
 * Keeps what is typed into a form in this tab, so that leaving the page and coming back does not lose it; forgets it once
 * the form was accepted. Files, hidden fields and what the page wrote itself are not kept.
 * @param name which form of the page it is; undefined to keep nothing
 * @param onRestored is told what was filled in again
 * @param onAccepted is told that the form was accepted
 */
export function useKeptForm(
  name: string | undefined,
  onRestored: (fields: KeptFields) => void,
  onAccepted: () => void,
) {
  const { pathname } = useLocation();
  const here = useHref(pathname);
  const { state, location, formData } = useNavigation();
  const place = `form:${here}:${name}`;
  const current = useRef<HTMLFormElement>(null);
  const tell = useRef({ onRestored, onAccepted });
  tell.current = { onRestored, onAccepted };
  const forget = useCallback(() => tabStorage.remove(place), [place]);
  useEffect(() => {
    const isAccepted =
      state === 'loading' && location && (/[?&]done=/.test(location.search) || location.pathname !== here);
    if (!isAccepted || !formData || !current.current) return;
    tell.current.onAccepted();
    const kept = Object.entries(fieldsOf(current.current));
    if (kept.every(([field, text]) => formData.get(field) === text)) forget();
  }, [state, location, formData, here, forget]);
  const ref = useCallback(
    (form: HTMLFormElement | null) => {
      current.current = form;
      if (!form || name === undefined) return;
      const kept = JSON.parse(tabStorage.get(place) ?? '{}') as KeptFields;
      const restored = fill(form, kept);
      if (Object.keys(restored).length > 0) tell.current.onRestored(restored);
      const keep = () => tabStorage.set(place, JSON.stringify(fieldsOf(form)));
      form.addEventListener('input', keep);
      return () => form.removeEventListener('input', keep);
    },
    [name, place],
  );
  return { ref, forget };
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isChoice = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio');

/** The controls that someone types into or chooses from. */
function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.elements].filter((control): control is Control => {
    if (control instanceof HTMLTextAreaElement || control instanceof HTMLSelectElement) return control.name !== '';
    return control instanceof HTMLInputElement && control.name !== '' && !/file|hidden|password/.test(control.type);
  });
}

const startOf = (control: Control): string => {
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue;
  return ([...control.options].find((option) => option.defaultSelected) ?? control.options[0])?.value ?? '';
};

/** What is typed and chosen. */
function fieldsOf(form: HTMLFormElement): KeptFields {
  const chosen = controlsOf(form).filter((control) => !isChoice(control) || control.checked);
  return Object.fromEntries(chosen.map(({ name, value }) => [name, value]));
}

/** Fills in what was kept, unless something else was typed since. Returns what the page did not have itself. */
function fill(form: HTMLFormElement, kept: KeptFields): KeptFields {
  const filled = controlsOf(form).filter((control) => {
    const text = kept[control.name];
    if (text === undefined || control.value !== startOf(control)) return false;
    if (!isChoice(control)) control.value = text;
    else if (control.value === text) control.checked = true;
    return isChoice(control) ? control.checked && !control.defaultChecked : text !== startOf(control);
  });
  return Object.fromEntries(filled.map(({ name, value }) => [name, value]));
}
