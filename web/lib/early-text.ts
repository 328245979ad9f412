const early = new WeakMap<Element, string>();

/** Notes what is typed into text areas before React takes them over: it sets them back to the text that the server wrote. */
export function noteEarlyText(): void {
  const note = (area: unknown) => {
    if (!(area instanceof HTMLTextAreaElement)) return;
    if (area.value === area.defaultValue) early.delete(area);
    else early.set(area, area.value);
  };
  for (const area of document.querySelectorAll('textarea')) note(area);
  document.addEventListener('input', ({ target }) => note(target));
}

/** Gives a text area, once React has it, what was typed into it before. */
export function restoreEarlyText(area: Element | null): void {
  const text = area ? early.get(area) : undefined;
  if (area instanceof HTMLTextAreaElement && text !== undefined) area.value = text;
}
