import { useEffect } from 'react';
import { siteStorage } from '../../lib/browser-storage.ts';

/** Set by those who turned single keys off: people who speak to their device, or hit keys by mistake. */
const NAME = 'earshot.shortcuts';
const OFF = 'off';

/**
 * Listens to single keys: a key does what the element is for that names it in `aria-keyshortcuts`; `j` and `k` otherwise
 * lead to the next and the previous idea of a list. Ctrl+K leads to the search, where it opens no palette.
 */
export function useShortcuts({ hasPalette }: { hasPalette: boolean }): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!hasPalette && isCtrlK(event)) goToSearch(event);
      else onKey(event);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [hasPalette]);
}

function isCtrlK({ key, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented }: KeyboardEvent): boolean {
  return key === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey && !defaultPrevented;
}

function goToSearch(event: KeyboardEvent): void {
  const field = namedBy('/', document.body);
  if (!field) return;
  event.preventDefault();
  show(field);
}

/** Whether single keys do something in this browser. */
export function areSingleKeysOn(): boolean {
  return siteStorage.get(NAME) !== OFF;
}

export function turnSingleKeys(areOn: boolean): void {
  if (areOn) siteStorage.remove(NAME);
  else siteStorage.set(NAME, OFF);
}

function onKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (ctrlKey || metaKey || altKey || event.defaultPrevented || !areSingleKeysOn()) return;
  if (!(target instanceof HTMLElement) || target.closest('input, textarea, select, dialog, [popover]')) return;
  const named = namedBy(key, target);
  const found = named ?? (key === 'j' ? ideaBeside(target, 1) : key === 'k' ? ideaBeside(target, -1) : undefined);
  if (!found) return;
  event.preventDefault();
  if (found !== named || found.matches('input, textarea')) show(found);
  else press(found);
}

/** Clicks an element; what that opens has the focus then, so that the next key is for it. */
function press(element: HTMLElement): void {
  element.click();
  const opened = element instanceof HTMLButtonElement ? (element.popoverTargetElement as HTMLElement | null) : null;
  opened?.querySelector<HTMLElement>('select, input:not([type=hidden]), button')?.focus();
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

/** Focuses an element, also one that opens only on narrow screens or that is in another tab. */
function show(element: HTMLElement): void {
  document.getElementById(element.closest<HTMLElement>('[data-tab]')?.dataset.tab ?? '')?.click();
  const popover = element.closest<HTMLElement>('[popover]');
  if (popover && !element.checkVisibility()) popover.showPopover();
  element.focus();
  element.scrollIntoView({ block: 'nearest' });
}
