import { hash } from 'node:crypto';
import type { Reader } from '../../platform/db/db.ts';
import { type AnyRow, readRows, type TableShape } from '../../platform/db/tables.ts';

/** The number of rows of a table, and the sum of their hashes, which does not depend on their order. */
export type Digest = { rows: number; sum: bigint };

const ROWS_PER_READ = 500;
/** Sums stay below 2^128. */
const MASK = (1n << 128n) - 1n;

/** Reads a whole table in constant memory. Equal rows have equal hashes on both engines. */
export async function digestTable(
  reader: Reader,
  table: TableShape,
  onRows: (count: number) => void = () => {},
): Promise<Digest> {
  const digest: Digest = { rows: 0, sum: 0n };
  for await (const rows of walkTable(reader, table, null)) {
    for (const row of rows) digest.sum = (digest.sum + hashRow(table, row)) & MASK;
    digest.rows += rows.length;
    onRows(rows.length);
  }
  return digest;
}

/** All rows of a table after a key, some at a time. */
async function* walkTable(reader: Reader, table: TableShape, after: readonly unknown[] | null) {
  for (let key = after; ; ) {
    const rows = await readRows(reader, table, key, ROWS_PER_READ);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    key = keyOf(table, last);
  }
}

function hashRow(table: TableShape, row: AnyRow): bigint {
  const text = JSON.stringify(table.columns.map(({ name }) => canonical(row[name])));
  return BigInt(`0x${hash('sha256', text, 'hex').slice(0, 32)}`);
}

/** Bytes as text; the engines return everything else alike. */
function canonical(value: unknown): unknown {
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value;
}

/** The values of the primary key of a row. */
export function keyOf({ key }: TableShape, row: AnyRow): unknown[] {
  return key.map((column) => row[column]);
}
