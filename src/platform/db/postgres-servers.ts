import type pg from 'pg';

/** A column that differs between servers, and after each start of one. */
export const SERVER = 'pg_postmaster_start_time()::text as server';

/**
 * Watches which server the connections of a pool lead to. What a server has shown and not kept is lost when it recovers,
 * and when another takes over. The first breaks every connection; the second may leave old connections to a server that
 * knows nothing of it, so these are closed.
 */
export class ServerWatch {
  readonly #connected = new Map<pg.PoolClient, string>();
  readonly #onLoss: () => void;
  #server: string | undefined;

  /** @param onLoss called before the first answer from a server that may have lost what was shown */
  constructor(pool: pg.Pool, onLoss: () => void) {
    this.#onLoss = onLoss;
    pool.on('remove', (client) => this.#connected.delete(client as pg.PoolClient));
    pool.on('connect', (client) => {
      client.on('error', onLoss);
      // In the same round trip as the connection's first statement, and answered before it.
      const asked = client.query(`select ${SERVER}`);
      asked.then((answer) => this.#noteConnection(client, lastRow<{ server: string }>(answer)?.server)).catch(() => {});
    });
  }

  /** Records which server has answered. */
  note(server: string | undefined): void {
    if (server === undefined || server === this.#server) return;
    const isFirst = this.#server === undefined;
    this.#server = server;
    if (isFirst) return;
    this.#onLoss();
    for (const [client, connectedTo] of this.#connected) if (connectedTo !== server) cut(client);
  }

  #noteConnection(client: pg.PoolClient, server: string | undefined): void {
    if (server === undefined) return;
    this.#connected.set(client, server);
    this.note(server);
  }
}

/** The last row of an answer to one or several statements. */
export function lastRow<R>(answer: unknown): R | undefined {
  const last = [answer].flat().at(-1) as pg.QueryResult;
  return last.rows.at(-1) as R | undefined;
}

/** Statements in progress fail, and the pool drops the connection: an orderly end would wait for their answers. */
function cut(client: pg.PoolClient): void {
  (client as unknown as pg.Client).connection.stream.destroy();
}
