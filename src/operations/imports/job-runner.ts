import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { FileFolder } from '../../feedback/files/folder.ts';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { AppError, badRequest, conflict } from '../../platform/errors.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { msg } from '../../platform/messages.ts';
import { printable } from '../../platform/texts/text.ts';
import type { Sender } from '../../webhooks/http/sender.ts';
import { type ImportReport, importItems } from './import.ts';
import { ImportError, type Problem } from './items.ts';
import { claimJob, holdsBoard, type ImportJobRow, requireSeen, updateJob } from './jobs.ts';
import { describeLastImport } from './past-imports.ts';
import { Remote } from './remote.ts';
import type { TableChoices, TableReading } from './sources/survey.ts';
import { undoImport } from './undo.ts';
import { expireExport, keepExport } from './upload.ts';

/** Problems that are kept for the page and its file. */
const KEPT_PROBLEMS = 1_000;
/** Bytes that each table of a backup may unpack to: while one is parsed, some 70 ms, the process serves no one. */
export const MAX_TABLE_BYTES = 5 * 1_048_576;
/** How long an import pauses after each batch, in which requests are served. */
const PAUSE_MS = 10;
const MAX_NAMES = 100;
const MAX_TITLE = 200;
const MAX_PROBLEM = 500;

const NEW_JOB = { file_id: null, file_name: null, source: null, reading: null, total: null };

const GONE = msg('importFileGone');

/** Ends the work of a job that was canceled or replaced, or whose process stops. */
class Stopped extends Error {}

type Observer = { onProgress(items: number): Promise<void>; onProblem(problem: Problem): void };
type Changes = Partial<ImportJobRow>;

/**
 * Plans, carries out and undoes imports beside requests, in the process that was asked to. What was added is in the store,
 * as with the command line, so another process continues what one has not finished.
 */
export class ImportJobs {
  readonly #folder: FileFolder;
  readonly #log: Logger;
  readonly #running = new Set<Promise<void>>();
  readonly #remote: Remote;
  readonly #stopping = new AbortController();

  constructor(folder: FileFolder, log: Logger, sender: Pick<Sender, 'rules' | 'resolve'>) {
    this.#remote = new Remote(sender, { attempts: 1, stopping: this.#stopping.signal });
    this.#folder = folder;
    this.#log = log;
  }

  /** Starts to plan the import of a file. @throws FORBIDDEN, CONFLICT */
  async plan(context: ActorContext, file: { id: string; name: string }): Promise<void> {
    const name = printable(file.name);
    const chosen = { ...NEW_JOB, task: 'PLAN', file_id: file.id, file_name: name } as const;
    this.#start(context, await claimJob(context, async () => chosen));
  }

  /**
   * Plans the import of the same file again, read as a person has chosen.
   * @param seen the job that they were shown
   * @throws FORBIDDEN, BAD_REQUEST without a title, CONFLICT
   */
  async planAgain(context: ActorContext, choices: ImportChoices, seen?: string): Promise<void> {
    const isTold = choices.meanings?.some((meaning) => meaning === 'title' || meaning === 'text' || meaning === 'idea');
    if (choices.meanings && !isTold) throw badRequest(msg('importNoTitle'));
    const job = await claimJob(context, async (tx, before) => {
      const job = await this.#requireFile(context, tx, requireSeen(before, seen));
      const { file_id, file_name } = job;
      // What was chosen elsewhere on the page stays.
      const all = { ...readingOf(job).choices, ...choices };
      return { ...NEW_JOB, task: 'PLAN', file_id, file_name, reading: JSON.stringify({ choices: all }) };
    });
    this.#start(context, job);
  }

  /**
   * Starts to import the file that was planned, or continues what ended early.
   * @param seen the job whose plan the actor was shown: another file may have taken its place since
   * @throws FORBIDDEN, CONFLICT
   */
  async proceed(context: ActorContext, seen?: string): Promise<void> {
    const job = await claimJob(context, async (tx, before) => {
      const { task, file_id, file_name, source, reading, total } = await this.#requireFile(
        context,
        tx,
        requireSeen(before, seen),
      );
      return { task: isPlanned(before) ? 'IMPORT' : task, file_id, file_name, source, reading, total };
    });
    this.#start(context, job);
  }

  /** The job whose file is still there. @throws CONFLICT */
  async #requireFile({ clock }: ActorContext, tx: Tx, job: ImportJobRow | null): Promise<ImportJobRow> {
    const fileId = job?.file_id ?? null;
    const isKept = fileId !== null && (await keepExport(tx, clock, fileId));
    if (!job || !isKept || !existsSync(this.#folder.pathOf(fileId))) throw conflict(GONE);
    return job;
  }

  /** Starts to undo the last import. @throws FORBIDDEN, CONFLICT */
  async undo(context: ActorContext): Promise<void> {
    const last = await describeLastImport(context);
    const chosen = { ...NEW_JOB, task: 'UNDO', total: last?.posts ?? null } as const;
    this.#start(context, await claimJob(context, async () => chosen));
  }

  /** Ends what is running here; it can be continued. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Stopped());
    await Promise.all(this.#running);
  }

  #start({ db, clock, baseUrl, board }: ActorContext, job: ImportJobRow): void {
    // Without the user's operation: an import has its own undo.
    const running = this.#run({ db, clock, baseUrl, board }, job)
      .catch((err) => this.#log.error({ err, boardId: board.id }, 'The end of an import was not recorded'))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #run(context: RequestContext, job: ImportJobRow): Promise<void> {
    const problems: Problem[] = [];
    const observer: Observer = {
      onProgress: (items) => this.#step(context, job, items),
      onProblem: ({ message, ...place }) => {
        if (problems.length < KEPT_PROBLEMS) problems.push({ ...place, message: printable(message, MAX_PROBLEM) });
      },
    };
    const own = { ...context, db: whileHeld(context.db, job) };
    const changes = await this.#work(own, job, observer).catch((error) => this.#explain(error));
    await updateJob(context, job, { outcome: 'DONE', problems: JSON.stringify(problems), ...changes });
    const isImported = job.task === 'IMPORT' && changes.outcome === undefined;
    if (isImported) await context.db.transaction((tx) => expireExport(tx, job.file_id));
  }

  async #work(context: RequestContext, job: ImportJobRow, observer: Observer): Promise<Changes> {
    if (job.task === 'UNDO') return { items: (await undoImport(context, observer.onProgress)).posts };
    const isPlan = job.task === 'PLAN';
    const path = this.#folder.pathOf(job.file_id ?? '');
    // The formats take 15 ms and 5 MB to load, and few processes ever import.
    const [{ recognizeFile }, { openFile }] = await Promise.all([import('./recognizing.ts'), import('./sources.ts')]);
    const { choices, reading: known = null } = readingOf(job);
    const recognized = job.source ? { source: job.source, reading: known } : await recognizeFile(path, choices);
    const { source, reading } = recognized;
    // Before the import, which fails without a title: the page asks which column it is.
    if (reading || choices.statuses) await updateJob(context, job, { reading: JSON.stringify({ choices, reading }) });
    const items = openFile(source, path, {
      reading,
      remote: this.#remoteOf(context, job),
      maxTableBytes: MAX_TABLE_BYTES,
    });
    let total = 0;
    const onProgress = (done: number) => {
      total = done;
      return observer.onProgress(done);
    };
    const statuses = new Map(Object.entries(choices.statuses ?? {}));
    const options = { ...observer, onProgress, isPlan, folder: this.#folder, statuses, origin: job.file_name ?? '' };
    const report = await importItems(context, source, items, options);
    return { source, total, report: JSON.stringify(shorten(report)) };
  }

  /** What a canceled job downloads is at most one file. */
  #remoteOf(context: RequestContext, job: ImportJobRow): Pick<Remote, 'get'> {
    return {
      get: async (url) => {
        if (!(await updateJob(context, job, {}))) throw new Stopped();
        return this.#remote.get(url);
      },
    };
  }

  async #step(context: RequestContext, job: ImportJobRow, items: number): Promise<void> {
    this.#stopping.signal.throwIfAborted();
    if (!(await updateJob(context, job, { items }))) throw new Stopped();
    await delay(PAUSE_MS);
  }

  #explain(error: unknown): Changes {
    if (error instanceof Stopped) return { outcome: 'STOPPED' };
    if (error instanceof ImportError || error instanceof AppError) return { outcome: 'FAILED', message: error.message };
    this.#log.error({ err: error }, 'An import failed');
    return { outcome: 'FAILED' };
  }
}

/** A store in which a job changes something only as long as it is the one of its board. */
function whileHeld(db: Db, job: ImportJobRow): Db {
  return {
    ...db,
    transaction: (work) =>
      db.transaction(async (tx) => {
        if (!(await holdsBoard(tx, job))) throw new Stopped();
        return work(tx);
      }),
  };
}

function isPlanned(job: ImportJobRow | null): boolean {
  return job?.task === 'PLAN' && job.outcome === 'DONE';
}

/** What was chosen about the table of a job, and how it is read once that has been found out. */
export function readingOf({ reading }: Pick<ImportJobRow, 'reading'>): StoredReading {
  return reading === null ? { choices: {} } : (JSON.parse(reading) as StoredReading);
}

type StoredReading = { choices: ImportChoices; reading?: TableReading | null };

/** What a person has chosen about a file: how a table is read, and statuses by their names there in lower case. */
export type ImportChoices = TableChoices & { statuses?: Readonly<Record<string, string>> | undefined };

/** Texts of the source are of any length. */
function shorten({ first, statuses, tags, foundStatuses, ...report }: ImportReport): ImportReport {
  const names = (list: readonly string[], most = MAX_NAMES) => list.slice(0, most).map((name) => printable(name));
  const ideas = first.map(({ title, status, tags }) => ({
    title: printable(title, MAX_TITLE),
    status: status === null ? null : printable(status),
    tags: names(tags, 10),
  }));
  // As they are: what is chosen about them names them.
  const found = foundStatuses.filter(({ name }) => name.length <= MAX_TITLE && printable(name) === name);
  return { ...report, statuses: names(statuses), tags: names(tags), foundStatuses: found, first: ideas };
}
