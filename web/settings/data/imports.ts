import { listFields } from '#src/feedback/fields/fields.ts';
import { listStatuses } from '#src/feedback/statuses/statuses.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import { dateOrders } from '#src/operations/imports/dates.ts';
import { type Encoding, encodings } from '#src/operations/imports/decoding.ts';
import type { ImportReport } from '#src/operations/imports/import.ts';
import type { Problem, SourceName } from '#src/operations/imports/items.ts';
import { type ImportChoices, readingOf } from '#src/operations/imports/job-runner.ts';
import { findJob, type ImportJobRow, stateOf } from '#src/operations/imports/jobs.ts';
import { keyOfStatus } from '#src/operations/imports/labels.ts';
import { newTallies } from '#src/operations/imports/outcome.ts';
import { describeLastImport } from '#src/operations/imports/past-imports.ts';
import { isField, type Meaning, meanings } from '#src/operations/imports/sources/meanings.ts';
import { localizeOutcome } from '../../lib/localize.ts';
import { nameOfStatus } from '../../posts/statuses.ts';

/** Problems that the page lists; the file has more. */
const SHOWN_PROBLEMS = 20;

/** Columns that the page lists, and those of a table at most. */
const SHOWN_COLUMNS = 100;
const MAX_COLUMNS = 1_000;

/** What the name of a field that chooses a status begins with; the name in the file follows. */
const STATUS_FIELD = 'status ';

const products: Record<SourceName, string> = {
  astuto: 'Astuto',
  canny: 'Canny',
  clearflask: 'ClearFlask',
  csv: 'CSV',
  earshot: 'Earshot',
  featurebase: 'Featurebase',
  fider: 'Fider',
  github: 'GitHub',
  gitlab: 'GitLab',
  jira: 'Jira',
  linear: 'Linear',
  logchimp: 'LogChimp',
  nolt: 'Nolt',
  notion: 'Notion',
  plane: 'Plane',
  productboard: 'Productboard',
  quackback: 'Quackback',
  trello: 'Trello',
  uservoice: 'UserVoice',
};

export type ImportView = Awaited<ReturnType<typeof viewImport>>;
export type JobView = NonNullable<ImportView['job']>;
export type ReadingView = NonNullable<JobView['reading']>;
export type StatusesView = NonNullable<JobView['statuses']>;
export type LastImportView = NonNullable<ImportView['last']>;

/** What is imported on a board now, and what was imported last, unless that is about to change. */
export async function viewImport(context: ActorContext) {
  const { db, board, clock, actor } = context;
  const row = await findJob(db.read, board.id);
  const fields = row?.reading ? await listFields(db.read, board.id, actor) : [];
  const viewed = row && viewJob(row, clock.now());
  const statuses = row && viewed?.isPlanned ? await viewStatuses(context, row, viewed.report) : null;
  const reading = row && viewReading(row, fields);
  const job = viewed && { ...viewed, reading, statuses, chosen: chosenIn(valuesOf({ reading, statuses })) };
  const isOpen = job !== null && (job.state === 'RUNNING' || job.isPlanned);
  const last = isOpen ? null : await describeLastImport(context);
  return { job, isOpen, last: last && { ...last, source: products[last.source as SourceName] ?? last.source } };
}

function viewJob(row: ImportJobRow, now: number) {
  const { id, task, file_name: file, source, items, total } = row;
  // What is wrong with a file is said in English.
  const message = row.message && task === 'UNDO' ? localizeOutcome(row.message) : row.message;
  const problems = readProblems(row).slice(0, SHOWN_PROBLEMS);
  // One by an earlier version lacks what was not counted then.
  const report: ImportReport | null =
    row.report === null ? null : { ...newTallies(), foundStatuses: [], ...JSON.parse(row.report) };
  const product = source && products[source];
  const state = stateOf(row, now);
  const isPlanned = task === 'PLAN' && state === 'DONE';
  return { id, task, state, isPlanned, file: file ?? '', product, items, total, message, report, problems };
}

/** What the statuses of a planned file become, and those of the board with their names on the page; null without any. */
async function viewStatuses({ db, board }: ActorContext, row: ImportJobRow, report: ImportReport | null) {
  const found = report?.foundStatuses;
  if (!found || found.length === 0) return null;
  const statuses = (await listStatuses(db.read, board.id)).filter(({ type }) => type !== 'MERGED');
  const names = new Set(statuses.map(({ name }) => name));
  // A new one is named as in the file, unless another name was chosen.
  const rows = found.map(({ name, status }) => ({
    name,
    value: status === null || names.has(status) ? (status ?? '') : name,
  }));
  const isChosen = readingOf(row).choices.statuses !== undefined;
  const isOpen = isChosen || found.some(({ status }) => status === null || !names.has(status));
  return { rows, isOpen, ofBoard: Object.fromEntries(statuses.map(({ name }) => [name, nameOfStatus(name)])) };
}

type Shown = { reading: ReturnType<typeof viewReading> | null; statuses: Awaited<ReturnType<typeof viewStatuses>> };

/** What the fields of the form have until someone changes them. */
function valuesOf({ reading, statuses }: Shown): [string, string][] {
  const { columns = [], dates = null, encoding = null } = reading ?? {};
  return [
    ...columns.map(({ at, meaning }): [string, string] => [`column-${at}`, meaning ?? '']),
    ...(dates === null || dates === 'ASK' ? [] : [['dates', dates] as [string, string]]),
    ...(encoding === null ? [] : [['encoding', encoding] as [string, string]]),
    ...(statuses?.rows ?? []).map(({ name, value }): [string, string] => [STATUS_FIELD + name, value]),
  ];
}

/** The choices among the values of a form, in a form that can be compared. */
function chosenIn(values: readonly [string, string][]): string {
  const isChoice = ([name]: [string, string]) =>
    name === 'dates' || name === 'encoding' || name.startsWith('column-') || name.startsWith(STATUS_FIELD);
  return JSON.stringify(values.filter(isChoice).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** Whether something was chosen otherwise than the plan has it that the form was sent from. */
export function isChanged(form: Record<string, string>): boolean {
  return form.before !== undefined && chosenIn(Object.entries(form)) !== form.before;
}

/** How the table was read that is planned; null for other files. */
function viewReading(row: ImportJobRow, fields: readonly { label: string }[]) {
  const { reading } = readingOf(row);
  if (row.task !== 'PLAN' || !reading) return null;
  const { columns, dates, encoding } = reading;
  const places = columns.map(({ name, meaning, samples }, at) => ({ at, name, meaning, samples }));
  // Some products write a column for everything that they could have.
  const used = places.filter(({ meaning }) => meaning !== null);
  const others = places.filter(({ meaning, samples }) => meaning === null && samples.some((value) => value !== ''));
  const shown = [...used, ...others].slice(0, SHOWN_COLUMNS);
  return {
    columns: shown,
    more: columns.length - shown.length,
    fields: fields.map(({ label }) => label),
    dates,
    encodings,
    // Texts in UTF-8 can hardly be anything else.
    encoding: encoding === 'utf-8' ? null : encoding,
  };
}

/** What a form chooses about columns, if it has any, and about statuses, by their names in the file. */
export function readChoices(form: Record<string, string>): ImportChoices {
  const fields = Object.entries(form);
  const statuses = fields.flatMap(([field, status]) =>
    field.startsWith(STATUS_FIELD) && status !== '' ? [[keyOfStatus(field.slice(STATUS_FIELD.length)), status]] : [],
  );
  const ofStatuses = statuses.length > 0 && { statuses: Object.fromEntries(statuses) };
  if (!fields.some(([field]) => field.startsWith('column-'))) return { ...ofStatuses };
  return {
    ...ofStatuses,
    meanings: Array.from({ length: MAX_COLUMNS }, (_, at) => meaningOf(form[`column-${at}`] ?? '')),
    dates: dateOrders.find((order) => order === form.dates),
    encoding: encodings.find((encoding): encoding is Encoding => encoding === form.encoding),
  };
}

function meaningOf(text: string): Meaning | null {
  return meanings.find((meaning) => meaning === text) ?? (isField(text) ? text : null);
}

/** The problems that were kept of a job. */
export function readProblems({ problems }: ImportJobRow): Problem[] {
  return problems === null ? [] : (JSON.parse(problems) as Problem[]);
}
