import { emptyPage, type Page } from '../lib/page.ts';
import type { Context } from './context.ts';
import { Later } from './later.ts';

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
type Loader<Key, Args, Value> = (context: Context, key: Key, args: Args) => Later<Value>;

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
  const batches = new WeakMap<Context, Map<string, Batch<Key, Value | None>>>();

  async function load(context: Context, keys: readonly Key[], args: Args): Promise<ReadonlyMap<Key, Value>> {
    const read = () => loadMany(context, [...new Set(keys)], args);
    return context.steps ? context.steps.take(read) : read();
  }

  return (context, key, args) => {
    let open = batches.get(context);
    if (!open) {
      open = new Map();
      batches.set(context, open);
    }
    const argsKey = keyOf(args);
    let batch = open.get(argsKey);
    if (!batch) {
      const stepSize = Math.ceil(HEAVY_ROWS / rowsOf(args));
      batch = new Batch(context.steps ? Math.min(maxBatchSize, stepSize) : maxBatchSize);
      open.set(argsKey, batch);
      // Once the promises of this turn are settled, which may ask for more. A batch is not kept: a request may change
      // what it has read.
      const current = batch;
      const end = () => {
        open.delete(argsKey);
        current.end((keys) => load(context, keys, args), none);
      };
      queueMicrotask(() => process.nextTick(end));
    }
    return batch.add(key);
  };
}

/** Values that are loaded together. */
class Batch<Key, Value> {
  readonly #maxSize: number;
  readonly #keys: Key[] = [];
  readonly #values: Later<Value>[] = [];

  /** @param maxSize keys of one statement */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  add(key: Key): Later<Value> {
    const value = new Later<Value>();
    this.#keys.push(key);
    this.#values.push(value);
    return value;
  }

  /** Loads the values. @param none that of keys which have none */
  end(load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>, none: Value): void {
    for (let first = 0; first < this.#keys.length; first += this.#maxSize) {
      const keys = this.#keys.slice(first, first + this.#maxSize);
      const values = this.#values.slice(first, first + this.#maxSize);
      load(keys).then(
        (found) => {
          for (const [n, value] of values.entries()) value.resolve(found.get(keys[n] as Key) ?? none);
        },
        (error) => {
          for (const value of values) value.reject(error);
        },
      );
    }
  }
}

/** Arguments as texts: those of a field without variables are the same object each time. */
const argsKeys = new WeakMap<object, string>();

function keyOf(args: unknown): string {
  if (typeof args !== 'object' || args === null) return String(args);
  const known = argsKeys.get(args) ?? JSON.stringify(args);
  argsKeys.set(args, known);
  return known;
}
