import type { DatabaseConnection, Driver } from 'kysely';

/** Lends Kysely one connection for everything. Transactions are begun and ended by `Db.transaction` alone. */
export class LendingDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async releaseConnection(): Promise<void> {}
  async beginTransaction(): Promise<void> {
    throw new Error('Use Db.transaction');
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async destroy(): Promise<void> {}
}

/** The `streamQuery` of every connection. */
export function refuseToStream(): never {
  throw new Error('Long reads run page by page');
}
