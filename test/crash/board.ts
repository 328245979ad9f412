import type { TestContext } from 'node:test';
import { listStatuses } from '../../src/feedback/statuses/statuses.ts';
import type { Reader } from '../../src/platform/db/db.ts';
import { openDb } from '../../src/platform/db/open.ts';
import type { StorePlace } from '../support/store.ts';
import { makeClient } from './client.ts';
import { ADMIN, createWriters, type LoadOptions } from './load.ts';
import { askEarshot, type ProgramOptions, type Server, startServer } from './server.ts';

/** A server on a store that was empty, with what writing clients need. */
export type PreparedBoard = { server: Server; key: string; statuses: LoadOptions['statuses'] };

/** Starts a server on an empty store, with users for `writers` clients, an admin, and a key without limits. */
export async function prepareBoard(
  t: TestContext,
  place: StorePlace,
  writers: number,
  options: ProgramOptions = {},
): Promise<PreparedBoard> {
  const server = await startServer(t, place, options);
  const { key = '' } = await askEarshot(place, 'key', 'create', '--name', 'load', '--rate', 'none');
  await createWriters(makeClient(server.url, key), writers);
  await askEarshot(place, 'user', 'role', '--ssotype', 'SSO', '--user-id', ADMIN, '--role', 'admin');
  return { server, key, statuses: await withReader(place, readStatuses) };
}

/** The statuses that a post may be moved to, with the arguments that choose them. */
async function readStatuses(reader: Reader): Promise<LoadOptions['statuses']> {
  const board = await reader.selectFrom('boards').select('id').executeTakeFirstOrThrow();
  const statuses = await listStatuses(reader, board.id);
  return statuses
    .filter(({ type }) => type !== 'MERGED')
    .map(({ id, type }) => ({ id, type, statusId: type === 'CUSTOM' ? id : null }));
}

/** Opens the store beside the server, or without one, and closes it. */
export async function withReader<T>(place: StorePlace, read: (reader: Reader) => Promise<T>): Promise<T> {
  const db = openDb(place);
  try {
    return await read(db.read);
  } finally {
    await db.close();
  }
}
