/** What a tool puts around the selected text, or in front of each of its lines. */
const signs = {
  bold: ['**', '**'],
  italic: ['_', '_'],
  code: ['`', '`'],
  link: ['[', '](https://)'],
  list: '- ',
  quote: '> ',
} as const;

export type Tool = keyof typeof signs;

/** Marks the selected text with Markdown; it stays selected, and undoing it works as for typing. */
export function applyTool(field: HTMLTextAreaElement, tool: Tool): void {
  const { selectionStart, selectionEnd, value } = field;
  const sign = signs[tool];
  const isOfLines = typeof sign === 'string';
  const start = isOfLines ? value.lastIndexOf('\n', selectionStart - 1) + 1 : selectionStart;
  const text = value.slice(start, selectionEnd);
  const marked = isOfLines ? text.replace(/^/gm, sign) : sign[0] + text + sign[1];
  field.focus();
  field.setSelectionRange(start, selectionEnd);
  // The only way that browsers can undo.
  document.execCommand('insertText', false, marked);
  if (isOfLines) field.setSelectionRange(start, start + marked.length);
  else field.setSelectionRange(start + sign[0].length, start + sign[0].length + text.length);
}
