import pg from 'pg';

/** The more of them, the likelier two get one connection of a pooler that other processes use as well. */
const CLIENTS = 3;
const SETTINGS = { connectionTimeoutMillis: 5_000, fallback_application_name: 'earshot' };

/**
 * Tries whether statements that are prepared on a connection stay there, and apart from those of others. A pooler that
 * hands on connections and knows nothing of them has the second client meet the statement of the first.
 * @throws what the database says then (26000, 42P05), or why it cannot be reached
 */
export async function requirePreparedStatements(url: string): Promise<void> {
  const clients = Array.from({ length: CLIENTS }, () => new pg.Client({ ...SETTINGS, connectionString: url }));
  try {
    for (const [n, client] of clients.entries()) {
      client.on('error', () => {});
      await client.connect();
      await run(client, n);
    }
    for (const [n, client] of clients.entries()) await run(client, n);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

/** Each has another statement of the same name. */
async function run(client: pg.Client, n: number): Promise<void> {
  await client.query({ name: 'earshot_try', text: `select ${n} as n` });
}
