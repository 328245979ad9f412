import DataLoader from 'dataloader';
import { emptyPage, type Page } from '../lib/page.ts';
import type { Context } from './context.ts';

/** Maximum number of lists in one statement: SQLite accepts up to 500 parts of a compound select. */
const MAX_LISTS = 200;
/** Rows of one statement of a heavy operation: with the longest texts they take 20 ms. */
const HEAVY_ROWS = 100;

type LoadMany<Key, Args, Value> = (
  context: Context,
  keys: readonly Key[],
  args: Args,
) => Promise<ReadonlyMap<Key, Value>>;

/** Returns the value of one key; calls made together, with the same arguments, share one statement. */
export type Loader<Key, Args, Value> = (context: Context, key: Key, args: Args) => Promise<Value>;

/**
 * Defines how an edge is followed for many rows at once.
 * @param loadMany returns the existing values, by key
 */
export function defineLoader<Key, Args, Value>(
  loadMany: LoadMany<Key, Args, Value>,
  maxBatchSize = 1_000,
): Loader<Key, Args, Value | null> {
  return define<Key, Args, Value, null>(loadMany, null, maxBatchSize, () => 1);
}

/** Defines an edge to the beginning of a list. */
export function defineListLoader<Args extends { limit: number }, Row>(
  loadMany: LoadMany<string, Args, Page<Row>>,
): Loader<string, Args, Page<Row>> {
  return define(loadMany, emptyPage, MAX_LISTS, ({ limit }) => limit);
}

/**
 * @param none the value of keys that have none
 * @param maxBatchSize keys of one statement
 * @param rowsOf how many rows a key may have
 */
function define<Key, Args, Value, None>(
  loadMany: LoadMany<Key, Args, Value>,
  none: None,
  maxBatchSize: number,
  rowsOf: (args: Args) => number,
): Loader<Key, Args, Value | None> {
  const loaders = new WeakMap<Context, Map<string, DataLoader<Key, Value | None>>>();
  return (context, key, args) => {
    let byArgs = loaders.get(context);
    if (!byArgs) {
      byArgs = new Map();
      loaders.set(context, byArgs);
    }
    const argsKey = JSON.stringify(args) ?? '';
    let loader = byArgs.get(argsKey);
    if (!loader) {
      const stepSize = Math.min(maxBatchSize, Math.ceil(HEAVY_ROWS / rowsOf(args)));
      loader = new DataLoader(
        async (keys) => {
          const load = () => loadMany(context, [...new Set(keys)], args);
          const values = await (context.steps ? context.steps.take(load) : load());
          return keys.map((k) => values.get(k) ?? none);
        },
        // Not kept beyond the batch: a request may change what it has read.
        { cache: false, maxBatchSize: context.steps ? stepSize : maxBatchSize },
      );
      byArgs.set(argsKey, loader);
    }
    return loader.load(key);
  };
}
