import { statfs } from 'node:fs/promises';
import { listBoards } from '../../../identity/board/board.ts';
import type { Config } from '../../../platform/config.ts';
import { type Db, StoreUnavailableError } from '../../../platform/db/db.ts';
import { requireCurrentSchema } from '../../../platform/db/migrate.ts';
import { quote } from '../../../platform/messages.ts';
import { type Finding, right, unclear, wrong } from '../finding.ts';
import { judgeMail, listMailResults, type MailWay } from '../mail.ts';

/** What the store says: the custom domains of its boards, and how sending mail went. */
export type StoreRecords = { finding: Finding<'store'>; domains: string[]; mail: Finding<'mail'> | null };

/** Boards whose mails are looked at. */
const MAX_BOARDS = 20;

/** Whether the store can be read and has the schema of this version. Changes nothing. */
export async function readStore(db: Db, way: MailWay): Promise<StoreRecords> {
  try {
    await requireCurrentSchema(db);
    const boards = await listBoards(db.read);
    const mails: Finding<'mail'>[] = [];
    for (const { id } of boards.slice(0, MAX_BOARDS)) mails.push(judgeMail(await listMailResults(db.read, id), way));
    const mail = mails.find(({ isRight }) => isRight === false) ?? mails.find(({ isRight }) => isRight) ?? mails[0];
    const domains = boards.flatMap(({ domain }) => domain ?? []);
    return { finding: right({ check: 'store', seen: db.engine }), domains, mail: mail ?? null };
  } catch (error) {
    const detail = error instanceof StoreUnavailableError ? error.detail : null;
    const why = quote([(error as Error).message, detail].filter(Boolean).join(' at ').slice(0, 300));
    return { finding: wrong({ check: 'store', seen: db.engine }, why, null), domains: [], mail: null };
  }
}

const MIB = 1_048_576;
/** With less, the next upload or the next checkpoint of the store may fail. */
const LEAST_FREE = 256 * MIB;

/** Whether there is room for the data. */
export async function checkDisk({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding<'disk'>> {
  const { bavail, bsize } = await statfs(dataDir).catch(() => ({ bavail: 0, bsize: 0 }));
  if (bsize === 0) return unclear({ check: 'disk', seen: dataDir }, quote('There is no such folder here.'));
  const free = bavail * bsize;
  const subject = { check: 'disk', seen: `${Math.floor(free / MIB)} MiB free` } as const;
  if (free >= LEAST_FREE) return right(subject);
  return wrong(subject, quote('The disk of DATA_DIR is almost full.'), `df -h ${dataDir}`);
}
