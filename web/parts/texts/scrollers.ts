/** Lets the keyboard reach, and so move, the code and the tables of a text that are wider than it. @returns ends that */
export function reachScrollers(text: HTMLElement | null): (() => void) | undefined {
  if (!text) return;
  const observer = new ResizeObserver(() => {
    for (const each of text.querySelectorAll<HTMLElement>('pre, table')) {
      if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
      else each.removeAttribute('tabindex');
    }
  });
  observer.observe(text);
  return () => observer.disconnect();
}
