import { useCallback, useEffect, useRef } from 'react';
import { useHref, useLocation, useNavigation } from 'react-router';
import { tabStorage } from './browser-storage.ts';

/**
 * Keeps what is typed into a text area in this tab, so that leaving the page and coming back does not lose it; forgets it
 * once a form with it was accepted.
 * @param name which text of the page it is; undefined to keep nothing
 * @returns the ref of the text area
 */
export function useKeptText(name: string | undefined): (field: HTMLTextAreaElement | null) => (() => void) | undefined {
  const { pathname } = useLocation();
  const here = useHref(pathname);
  const navigation = useNavigation();
  const place = `text:${here}:${name}`;
  const current = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { state, location, formData } = navigation;
    const isAccepted = state === 'loading' && (/[?&]done=/.test(location.search) || location.pathname !== here);
    const field = current.current;
    if (isAccepted && field && formData?.get(field.name) === field.value) tabStorage.remove(place);
  }, [navigation, here, place]);
  return useCallback(
    (field) => {
      current.current = field;
      if (!field || name === undefined) return;
      // A form may begin with a text of its own.
      if (field.value === field.defaultValue) field.value = tabStorage.get(place) ?? field.value;
      const keep = () => tabStorage.set(place, field.value);
      field.addEventListener('input', keep);
      return () => field.removeEventListener('input', keep);
    },
    [name, place],
  );
}
