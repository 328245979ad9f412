/** What decides where a field breaks its lines. */
const SAME = [
  'direction',
  'font',
  'letterSpacing',
  'lineHeight',
  'padding',
  'borderWidth',
  'boxSizing',
  'textAlign',
  'textIndent',
  'tabSize',
  'unicodeBidi',
  'wordBreak',
] as const;

/**
 * Where a character of a field is on the screen, in pixels: the left edge of its line's box, and its lower edge. Browsers do
 * not tell, so the text is laid out once more beside the field.
 */
export function findCharacter(area: HTMLTextAreaElement, index: number): { x: number; y: number } {
  const computed = getComputedStyle(area);
  const twin = document.createElement('div');
  for (const property of SAME) twin.style[property] = computed[property];
  Object.assign(twin.style, {
    position: 'absolute',
    visibility: 'hidden',
    borderStyle: 'solid',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'break-word',
    // Without its scroll bar.
    width: `${area.clientWidth + Number.parseFloat(computed.borderLeftWidth) + Number.parseFloat(computed.borderRightWidth)}px`,
  });
  const character = document.createElement('span');
  character.textContent = area.value.slice(index, index + 1) || '.';
  twin.append(area.value.slice(0, index), character, area.value.slice(index + 1));
  document.body.append(twin);
  const [box, own, whole] = [area, character, twin].map((element) => element.getBoundingClientRect()) as [
    DOMRect,
    DOMRect,
    DOMRect,
  ];
  twin.remove();
  return { x: box.left + own.left - whole.left, y: box.top + own.bottom - whole.top - area.scrollTop };
}
