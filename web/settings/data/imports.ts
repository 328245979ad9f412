import type { RequestContext } from '#src/identity/users/request-context.ts';
import type { ImportReport } from '#src/operations/imports/import.ts';
import type { Problem, SourceName } from '#src/operations/imports/items.ts';
import { findJob, type ImportJobRow, stateOf } from '#src/operations/imports/jobs.ts';
import { describeLastImport } from '#src/operations/imports/past-imports.ts';
import { localizeOutcome } from '../../lib/localize.ts';

/** Problems that the page lists; the file has more. */
const SHOWN_PROBLEMS = 20;

const products: Record<SourceName, string> = {
  canny: 'Canny',
  csv: 'CSV',
  earshot: 'Earshot',
  fider: 'Fider',
  nolt: 'Nolt',
  uservoice: 'UserVoice',
};

export type ImportView = Awaited<ReturnType<typeof viewImport>>;
export type JobView = NonNullable<ImportView['job']>;
export type LastImportView = NonNullable<ImportView['last']>;

/** What is imported on a board now, and what was imported last, unless that is about to change. */
export async function viewImport(context: RequestContext) {
  const { db, board, clock } = context;
  const row = await findJob(db.read, board.id);
  const job = row && viewJob(row, clock.now());
  const isOpen = job !== null && (job.state === 'RUNNING' || job.isPlanned);
  const last = isOpen ? null : await describeLastImport(context);
  return { job, isOpen, last: last && { ...last, source: products[last.source as SourceName] ?? last.source } };
}

function viewJob(row: ImportJobRow, now: number) {
  const { task, file_name: file, source, items, total } = row;
  // What is wrong with a file is said in English.
  const message = row.message && task === 'UNDO' ? localizeOutcome(row.message) : row.message;
  const problems = readProblems(row).slice(0, SHOWN_PROBLEMS);
  const report = row.report === null ? null : (JSON.parse(row.report) as ImportReport);
  const product = source && products[source];
  const state = stateOf(row, now);
  const isPlanned = task === 'PLAN' && state === 'DONE';
  return { task, state, isPlanned, file: file ?? '', product, items, total, message, report, problems };
}

/** The problems that were kept of a job. */
export function readProblems({ problems }: ImportJobRow): Problem[] {
  return problems === null ? [] : (JSON.parse(problems) as Problem[]);
}
