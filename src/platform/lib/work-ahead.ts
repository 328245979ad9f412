/**
 * Does work for each item, for some of them at a time, and gives the results in the order of the items. After a failure
 * nothing more is begun, and what was begun has ended.
 */
export async function* workAhead<Item, Result>(
  items: AsyncIterable<Item>,
  atATime: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const begun: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      // It may fail while another is awaited; its own turn comes.
      result.catch(() => {});
      begun.push(result);
      const first = begun.length < atATime ? undefined : begun.shift();
      if (first) yield await first;
    }
    for (let first = begun.shift(); first; first = begun.shift()) yield await first;
  } finally {
    await Promise.allSettled(begun);
  }
}
