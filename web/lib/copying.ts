import { copyText } from './clipboard.ts';

/** Copies a text that is in no field. @returns whether that has worked */
export async function copyFromNowhere(text: string): Promise<boolean> {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  const isCopied = await copyText(text, () => {
    // Nothing outside of a modal dialog can be selected.
    (document.querySelector('dialog:modal') ?? document.body).append(area);
    area.select();
  });
  if (!area.isConnected) return isCopied;
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
