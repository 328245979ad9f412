/** Makes an element with attributes and content. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name];
export function element(name: string, attributes: Record<string, string>, ...content: (Node | string)[]): HTMLElement;
export function element(name: string, attributes: Record<string, string>, ...content: (Node | string)[]): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Makes a picture of lines, 24 units wide and high. */
export function icon(lines: string): SVGElement {
  const picture = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  picture.setAttribute('viewBox', '0 0 24 24');
  picture.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', lines);
  picture.append(path);
  return picture;
}
