import pg from 'pg';

/** The more there are, the likelier two share a connection of a pooler that other processes use as well. */
const CLIENTS = 3;
const SETTINGS = { connectionTimeoutMillis: 5_000, fallback_application_name: 'earshot' };

/**
 * Tests whether statements that are prepared on a connection stay there, separate from those of others. With a pooler
 * that reassigns connections and does not track them, the second client meets the statement of the first.
 * @throws the database's error in that case (26000, 42P05), or why it cannot be reached
 */
export async function requirePreparedStatements(url: string): Promise<void> {
  const clients = Array.from({ length: CLIENTS }, () => new pg.Client({ ...SETTINGS, connectionString: url }));
  try {
    for (const client of clients) client.on('error', () => {});
    await Promise.all(clients.map((client) => client.connect()));
    for (const [n, client] of clients.entries()) await run(client, n);
    for (const [n, client] of clients.entries()) await run(client, n);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

/** Each has a different statement under the same name. */
async function run(client: pg.Client, n: number): Promise<void> {
  await client.query({ name: 'earshot_try', text: `select ${n} as n` });
}
