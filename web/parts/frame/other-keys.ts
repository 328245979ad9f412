// Loaded with the dialog that lists the keys.
import '../../lib/closed-by.ts';

/**
 * What single keys do on this page besides those that are known: each key, with the words of the element that names it; or
 * do once an idea is open.
 */
export function findOtherKeys(known: readonly string[]): Map<string, string> {
  const others = new Map<string, string>();
  for (const element of document.querySelectorAll<HTMLElement>('main :is([aria-keyshortcuts], [data-key]):not(li *)')) {
    const key = element.ariaKeyShortcuts ?? element.dataset.key ?? '';
    const named = element instanceof HTMLTextAreaElement ? element.labels[0] : element;
    if (!known.includes(key) && !others.has(key)) others.set(key, element.ariaLabel ?? named?.textContent.trim() ?? '');
  }
  return others;
}
