import { sql } from 'kysely';
import type { FileFolder } from '../../feedback/files/folder.ts';
import { storedFiles } from '../../feedback/files/stored.ts';
import { findBrokenReferences, findDamage } from '../../platform/db/damage.ts';
import type { Db, Reader } from '../../platform/db/db.ts';
import { sizeOf } from '../copy/files.ts';
import { describeMismatch, type Mismatch, type Rule } from './rule.ts';
import { storeRules } from './rules.ts';
import { findUnreadableSecrets } from './secrets.ts';

/** Something that is wrong with a store: what, and some of the rows or files concerned. */
export type Problem = { problem: string; examples: string[]; count: number };

/** What a store is checked with; without a key, its secrets are unreadable. */
export type CheckDeps = { db: Db; folder: FileFolder; secretKey: string | null };

/** Examples of a problem; the others are only counted. */
const EXAMPLES = 5;

/**
 * Verifies a store without changing it, in constant memory: its file, counters, the sequence of events, references,
 * secrets and uploaded files. A server may be using it.
 * @param onProgress called after each of several parts
 */
export async function checkStore(
  { db, folder, secretKey }: CheckDeps,
  onProgress: (done: number, all: number) => void = () => {},
): Promise<Problem[]> {
  const damage = toProblems('The file of the store is damaged: restore a backup', await findDamage(db.read));
  // Nothing else that is read from it can be relied on.
  if (damage.length > 0) return damage;
  const parts: (() => Promise<Problem[]>)[] = [
    async () => toProblems('Rows that refer to missing ones', await findBrokenReferences(db.read)),
    ...storeRules.map((rule) => () => checkRule(db.read, rule)),
    () => collect('Secrets that this SECRET_KEY does not open', findUnreadableSecrets(db.read, secretKey)),
    () => collect('Uploaded files that are missing or incomplete', findBadFiles(db.read, folder)),
  ];
  const problems: Problem[] = [];
  for (const [n, part] of parts.entries()) {
    problems.push(...(await part()));
    onProgress(n + 1, parts.length);
  }
  return problems;
}

async function checkRule(reader: Reader, { rule, mismatches }: Rule): Promise<Problem[]> {
  const { rows } = await sql<Mismatch & { total: number }>`
    select m.*, count(*) over () as total from (${mismatches}) m limit ${sql.lit(EXAMPLES)}`.execute(reader);
  const [first] = rows;
  return first ? [{ problem: `Not true: ${rule}`, examples: rows.map(describeMismatch), count: first.total }] : [];
}

/** Files whose bytes are not what the store says, except those that were deleted just now. */
async function* findBadFiles(reader: Reader, folder: FileFolder): AsyncGenerator<string> {
  for await (const { id, size } of storedFiles(reader)) {
    const found = await sizeOf(folder.pathOf(id));
    if (found === size || !(await isStored(reader, id))) continue;
    yield found === null ? `${id} is missing` : `${id} has ${found} bytes instead of ${size}`;
  }
}

async function isStored(reader: Reader, id: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from files where id = ${id} union all select 1 from account_pictures where id = ${id}`.execute(reader);
  return rows.length > 0;
}

async function collect(problem: string, findings: AsyncIterable<string>): Promise<Problem[]> {
  const examples: string[] = [];
  let count = 0;
  for await (const finding of findings) if (++count <= EXAMPLES) examples.push(finding);
  return count === 0 ? [] : [{ problem, examples, count }];
}

function toProblems(problem: string, findings: readonly string[]): Problem[] {
  return findings.length === 0 ? [] : [{ problem, examples: findings.slice(0, EXAMPLES), count: findings.length }];
}
