/** The value in the middle of the sorted values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which the given share of the values lies, for example 0.95. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? 0;
  return below + (above - below) * (place - Math.floor(place));
}

/** The order in which variants take their turns in a round: every second round backwards, each starting elsewhere. */
export function turns<T>(variants: readonly T[], round: number): T[] {
  const start = Math.floor(round / 2) % variants.length;
  const rotated = [...variants.slice(start), ...variants.slice(0, start)];
  return round % 2 === 0 ? rotated : rotated.reverse();
}
