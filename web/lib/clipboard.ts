/**
 * Copies a text. Over plain HTTP, and where a browser denies a frame the clipboard, what is selected can still be copied.
 * @param select selects the text for that
 * @returns whether that has worked
 */
export async function copyText(text: string, select: () => void): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    select();
    return document.execCommand('copy');
  }
}
