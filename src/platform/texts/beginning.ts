/**
 * The beginning of a text that has more than this many UTF-16 units: up to the end of a line, or of a word, in its
 * second half. A text that is not longer is returned unchanged.
 */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  const end = [start.lastIndexOf('\n'), start.lastIndexOf(' ')].find((at) => at >= most / 2);
  return start.slice(0, end).trimEnd();
}
