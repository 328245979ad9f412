import { useEffect } from 'react';

/** The cookie of those who turned single keys off: people who speak to their device, or hit keys by mistake. */
const OFF = 'shortcuts=off';
const YEAR_S = 365 * 86_400;

/**
 * Listens to single keys: `j` and `k` lead to the next and the previous idea of a list, and any other key does what the
 * element is for that names it in `aria-keyshortcuts`.
 */
export function useShortcuts(): void {
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Whether single keys do something in this browser. */
export function areSingleKeysOn(): boolean {
  return !document.cookie.includes(OFF);
}

export function turnSingleKeys(areOn: boolean): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere yet.
  document.cookie = `${OFF}; path=/; max-age=${areOn ? 0 : YEAR_S}; samesite=lax`;
}

function onKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (ctrlKey || metaKey || altKey || event.defaultPrevented || !areSingleKeysOn()) return;
  if (!(target instanceof HTMLElement) || target.closest('input, textarea, select, dialog, [popover]')) return;
  const found = key === 'j' ? ideaBeside(target, 1) : key === 'k' ? ideaBeside(target, -1) : namedBy(key, target);
  if (!found) return;
  event.preventDefault();
  if (key === 'j' || key === 'k' || found.matches('input, textarea')) show(found);
  else found.click();
}

/** The link to the idea after or before the one in focus, or to the first one. */
function ideaBeside(target: HTMLElement, step: 1 | -1): HTMLElement | undefined {
  const links = [...document.querySelectorAll<HTMLElement>('main .post-title a')];
  const current = target.closest('li')?.querySelector<HTMLElement>('.post-title a');
  return current ? links[links.indexOf(current) + step] : links[0];
}

/** The element that names a key: within the idea in focus, or else on the page, but for its lists. */
function namedBy(key: string, target: HTMLElement): HTMLElement | undefined {
  const named = (place: ParentNode) => [
    ...place.querySelectorAll<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(key)}"]`),
  ];
  const row = target.closest<HTMLElement>('main li');
  return (row && named(row)[0]) ?? named(document).find((element) => !element.closest('main li'));
}

/** Focuses an element, also one that opens only on narrow screens. */
function show(element: HTMLElement): void {
  const popover = element.closest<HTMLElement>('[popover]');
  if (popover && !element.checkVisibility()) popover.showPopover();
  element.focus();
  element.scrollIntoView({ block: 'nearest' });
}
