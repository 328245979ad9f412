/** Returns what `work` has returned last, and does it again once that is so long ago: for what anybody may ask for. */
export function atMostEach<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let last: { at: number; result: Promise<T> } | null = null;
  return () => {
    const now = performance.now();
    if (last === null || now - last.at >= ms) last = { at: now, result: work() };
    return last.result;
  };
}
