import DataLoader from 'dataloader';
import type { Context } from './context.ts';

/** Lists that one statement reads the beginnings of: SQLite takes up to 500 parts of a compound select. */
export const MAX_LISTS = 200;

/** Gives the value of one key; calls made together, with the same arguments, are answered by one statement. */
export type Loader<Key, Args, Value> = (context: Context, key: Key, args: Args) => Promise<Value | null>;

/**
 * Defines how an edge is followed for many rows at once.
 * @param loadMany gives the values that exist, by key
 * @param maxBatchSize keys of one statement
 */
export function defineLoader<Key, Args, Value>(
  loadMany: (context: Context, keys: readonly Key[], args: Args) => Promise<ReadonlyMap<Key, Value>>,
  maxBatchSize = 1_000,
): Loader<Key, Args, Value> {
  const loaders = new WeakMap<Context, Map<string, DataLoader<Key, Value | null>>>();
  return (context, key, args) => {
    let byArgs = loaders.get(context);
    if (!byArgs) {
      byArgs = new Map();
      loaders.set(context, byArgs);
    }
    const argsKey = JSON.stringify(args) ?? '';
    let loader = byArgs.get(argsKey);
    if (!loader) {
      loader = new DataLoader(
        async (keys) => {
          const values = await loadMany(context, [...new Set(keys)], args);
          return keys.map((k) => values.get(k) ?? null);
        },
        // Not kept beyond the batch: a request may change what it has read.
        { cache: false, maxBatchSize },
      );
      byArgs.set(argsKey, loader);
    }
    return loader.load(key);
  };
}
