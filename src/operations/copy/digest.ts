import { hash } from 'node:crypto';
import type { Reader } from '../../platform/db/db.ts';
import { type AnyRow, type TableShape, walkTable } from '../../platform/db/tables.ts';

/** The number of rows of a table, and the sum of their hashes, which does not depend on their order. */
type Digest = { rows: number; sum: bigint };

/** Sums stay below 2^128. */
const MASK = (1n << 128n) - 1n;

/** Reads a whole table in constant memory. Equal rows have equal hashes on both engines. */
export async function digestTable(
  reader: Reader,
  table: TableShape,
  onRows: (count: number) => void = () => {},
): Promise<Digest> {
  const digest: Digest = { rows: 0, sum: 0n };
  for await (const rows of walkTable(reader, table)) {
    for (const row of rows) digest.sum = (digest.sum + hashRow(table, row)) & MASK;
    digest.rows += rows.length;
    onRows(rows.length);
  }
  return digest;
}

function hashRow(table: TableShape, row: AnyRow): bigint {
  const text = JSON.stringify(table.columns.map(({ name }) => canonical(row[name])));
  return BigInt(`0x${hash('sha256', text, 'hex').slice(0, 32)}`);
}

/** Bytes as text; the engines return everything else alike. */
function canonical(value: unknown): unknown {
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value;
}
