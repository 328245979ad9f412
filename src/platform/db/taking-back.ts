import type { Db, Tx } from './db.ts';

/** Rolls a transaction back that has a result all the same. */
class TakenBack<T> extends Error {
  readonly result: T;
  constructor(result: T) {
    super('The transaction is taken back');
    this.result = result;
  }
}

/**
 * Runs `work` in a transaction, which it can end with `takeBack(result)`: then everything is rolled back, and that is
 * the result.
 */
export async function transactionOrBack<T>(
  db: Db,
  work: (tx: Tx, takeBack: (result: T) => never) => Promise<T>,
): Promise<T> {
  const takeBack = (result: T): never => {
    throw new TakenBack(result);
  };
  try {
    return await db.transaction((tx) => work(tx, takeBack));
  } catch (error) {
    if (error instanceof TakenBack) return error.result;
    throw error;
  }
}
