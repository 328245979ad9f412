/** Random choices that a seed repeats. */
export type Random = {
  /** At least 0, below 1. */
  next(): number;
  pick<T>(values: readonly T[]): T | undefined;
  /** A word that is unlikely to come twice. */
  text(): string;
};

/** Mulberry32: small, and good enough to choose what to do next. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    pick: (values) => values[Math.floor(next() * values.length)],
    text: () => `${next().toString(36).slice(2)}${next().toString(36).slice(2)}`,
  };
}
