/**
 * Copies a text. Over plain HTTP, and where a browser denies a frame the clipboard, what is selected can still be copied.
 * @returns whether that has worked
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  // Nothing outside of a modal dialog can be selected.
  (document.querySelector('dialog:modal') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
