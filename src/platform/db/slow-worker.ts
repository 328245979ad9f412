import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { SlowAnswer, SlowQuery } from './slow-reader.ts';
import { SqliteStatements } from './sqlite-statements.ts';

/** The thread of `SlowReader`: runs one statement after the other on a connection that can only read. */
const connection = new DatabaseSync(workerData.file, { readOnly: true, timeout: 1_000 });
connection.exec('pragma cache_size = -16384; pragma temp_store = memory');
const statements = new SqliteStatements(connection);

parentPort?.on('message', (query: SlowQuery) => parentPort?.postMessage(answer(query)));

function answer({ n, sql, parameters }: SlowQuery): SlowAnswer {
  const start = performance.now();
  try {
    const result = statements.run(sql, parameters);
    return { n, result, milliseconds: performance.now() - start };
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number };
    return { n, error: { message, errcode }, milliseconds: performance.now() - start };
  }
}
