/** Colors that are easy to tell apart, also next to each other. */
const COLORS = [
  '#2f6f8f',
  '#8b5500',
  '#146c39',
  '#764aa2',
  '#b3262e',
  '#00706b',
  '#a8327a',
  '#5c6b00',
  '#3a55c4',
  '#8a4b3c',
] as const;

/** The color that a form proposes for something new: the first of those that the others use least. */
export function nextColor(used: readonly string[]): string {
  const usesOf = (color: string) => used.filter((each) => each.toLowerCase() === color).length;
  return COLORS.reduce((best: string, color) => (usesOf(color) < usesOf(best) ? color : best), COLORS[0]);
}
