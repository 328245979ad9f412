import type { FileFolder } from '../../feedback/files/folder.ts';
import { updatePost } from '../../feedback/lifecycle/editing.ts';
import { mergePosts } from '../../feedback/lifecycle/merging.ts';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import { withinTransaction } from '../../platform/db/db.ts';
import { transactionOrBack } from '../../platform/db/taking-back.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { makeTurns } from '../../platform/lib/turns.ts';
import { printable } from '../../platform/texts/text.ts';
import { actAsImport } from './acting.ts';
import { addBatch } from './batch.ts';
import { receiveFiles } from './files.ts';
import {
  type ImportedLock,
  type ImportedMerge,
  type ImportedPost,
  type ImportItem,
  type ImportItems,
  MAX_MESSAGE,
  type Problem,
  type SourceName,
} from './items.ts';
import { findImported, tellApart } from './known.ts';
import { type FoundStatus, keyOfStatus, type StatusChoices } from './labels.ts';
import { newTallies, none, type Outcome, type Tallies, type Tally, Told, tallied } from './outcome.ts';
import { chooseImportId, finishImport, recordImport } from './past-imports.ts';
import { People } from './people.ts';
import type { Changes } from './taking-over.ts';

/** Items in a transaction, at most and, where those take long, at least. */
const BATCH = { most: 50, least: 5 };
/** How long a transaction should hold up others who write to the board: after a longer one, the next is smaller. */
const BATCH_MS = 100;
/** What is really added is on the board. */
const NOTHING_BEFORE = { statuses: new Set<string>(), tags: new Set<string>() };
/** Statuses of the source that are told. */
const MAX_STATUSES = 100;
/** Ideas that a plan shows. */
const SHOWN = 20;

/** What an import did, or would do. */
export type ImportReport = Tallies & {
  merges: Tally;
  /** Pictures and other files that were added. */
  files: number;
  /** Ideas of which a change at the source was taken over. */
  changed: number;
  /** Users who were created. */
  people: number;
  /** What the statuses of the source became: their names there, and on the board. */
  foundStatuses: readonly FoundStatus[];
  /** Names of the statuses and tags that were added. */
  statuses: readonly string[];
  tags: readonly string[];
  problems: number;
  /** The first ideas of the source. */
  first: readonly { title: string; status: string | null; tags: readonly string[] }[];
};

export type ImportOptions = {
  /** Carries everything out and takes it back. */
  isPlan: boolean;
  /** Whether later changes at the source are remembered or taken over; ignored by default. */
  changes?: Changes;
  /** Which status of the board stands for one of the source; a missing one is added. */
  statuses?: StatusChoices | undefined;
  /** The file or address: one that was interrupted is continued by the same one alone. */
  origin?: string;
  /** Where the bytes of files go. */
  folder: FileFolder;
  /** Called after each batch and each merge; the import waits for it, and ends with what it throws. */
  onProgress?: (items: number) => unknown;
  onProblem?: (problem: Problem) => void;
};

/**
 * Adds what a source has to a board, notifying no one. What an earlier import has added is left alone, so that an import
 * that was interrupted is continued by running it again.
 */
export async function importItems(
  request: RequestContext,
  source: SourceName,
  items: ImportItems,
  options: ImportOptions,
): Promise<ImportReport> {
  const id = await chooseImportId(request, source, {
    origin: options.origin ?? '',
    isFollowing: options.changes === 'TAKEN',
  });
  const run = new ImportRun(request, source, { ...options, id });
  for await (const batch of batchesOf(items, run)) await run.add(batch);
  await run.finish();
  return run.report;
}

async function* batchesOf(items: ImportItems, run: { batchSize: number }): AsyncGenerator<ImportItem[]> {
  let batch: ImportItem[] = [];
  const takeTurns = makeTurns();
  for await (const item of items) {
    await takeTurns();
    batch.push(item);
    if (batch.length < run.batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** An import in progress: what it has done so far. */
class ImportRun {
  /** Items of the next batch: as many as the last one could add in time. */
  batchSize = BATCH.most;
  readonly #context: RequestContext;
  readonly #source: SourceName;
  readonly #options: ImportOptions;
  readonly #people: People;
  readonly #id: string;
  readonly #merges: ImportedMerge[] = [];
  readonly #locks: ImportedLock[] = [];
  /** Ids of posts that a plan has added and taken back. */
  readonly #planned = new Set<string>();
  /** A plan takes back what it has created, and creates it again for the next batch. */
  readonly #created = { statuses: new Set<string>(), tags: new Set<string>() };
  readonly #told = new Told();
  readonly #foundStatuses = new Map<string, FoundStatus>();
  readonly #totals = { ...newTallies(), merges: none() };
  readonly #first: ImportReport['first'][number][] = [];
  #files = 0;
  #changed = 0;
  #problems = 0;
  #items = 0;

  constructor(context: RequestContext, source: SourceName, { id, ...options }: ImportOptions & { id: string }) {
    this.#id = id;
    this.#context = context;
    this.#source = source;
    this.#options = options;
    this.#people = new People(source);
  }

  get report(): ImportReport {
    const { statuses, tags } = this.#created;
    const created = { people: this.#people.created, statuses: [...statuses], tags: [...tags] };
    return {
      ...this.#totals,
      files: this.#files,
      changed: this.#changed,
      foundStatuses: [...this.#foundStatuses.values()],
      ...created,
      problems: this.#problems,
      first: this.#first.map((idea) => ({ ...idea, status: this.#statusOf(idea.status) })),
    };
  }

  /** The status of the board that one of the source became. */
  #statusOf(name: string | null): string | null {
    const found = name === null ? undefined : this.#foundStatuses.get(keyOfStatus(name));
    return found ? found.status : name;
  }

  async add(given: readonly ImportItem[]): Promise<void> {
    const items = await tellApart(this.#context, this.#source, given);
    this.#merges.push(...items.filter((item) => item.kind === 'merge'));
    this.#locks.push(...items.filter((item) => item.kind === 'lock'));
    const received = this.#options.isPlan ? null : await this.#receiveFiles(items);
    const { changes = 'IGNORED', statuses = new Map(), origin = '' } = this.#options;
    const start = performance.now();
    const outcome = await this.#inTransaction(async (context) => {
      const before = this.#options.isPlan ? this.#created : NOTHING_BEFORE;
      const [importId, source, people, planned] = [this.#id, this.#source, this.#people, this.#planned];
      const added = await addBatch(items, {
        context,
        importId,
        source,
        people,
        planned,
        received,
        changes,
        statuses,
        told: this.#told,
        before,
      });
      if (hasAdded(added)) await recordImport(context, { id: importId, source, origin }, added.addsTo);
      return added;
    });
    const fitting = Math.floor((items.length * BATCH_MS) / (performance.now() - start));
    this.batchSize = Math.min(Math.max(fitting, BATCH.least), BATCH.most);
    this.#count(outcome);
    for (const item of items) if (item.kind === 'post') this.#notePost(item);
    this.#items += items.length;
    await this.#options.onProgress?.(this.#items);
  }

  #receiveFiles(items: readonly ImportItem[]) {
    const { folder } = this.#options;
    return receiveFiles(this.#context, folder, this.#source, items, (problem) => this.#note(problem));
  }

  /** Merges what was merged and then locks what was locked, once everything is there. */
  async finish(): Promise<void> {
    for (const item of [...this.#merges, ...this.#locks]) {
      try {
        if (item.kind === 'merge') await this.#merge(item);
        else if (!this.#options.isPlan) await this.#lock(item);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        this.#note({ line: item.line, message: error.message });
      }
      await this.#options.onProgress?.(this.#items);
    }
    if (!this.#options.isPlan) await finishImport(this.#context, this.#id);
  }

  /** Leaves what an earlier import has added, which may have been unlocked since. */
  async #lock({ postId }: ImportedLock): Promise<void> {
    const post = (await findImported(this.#context, this.#source, [postId])).get(postId);
    if (!post?.isOpen || post.id < this.#id) return;
    await this.#change((context) => updatePost(context, post.id, { isLocked: true }));
  }

  async #merge({ postId, targetId }: ImportedMerge): Promise<void> {
    const { merges } = this.#totals;
    const found = await findImported(this.#context, this.#source, [postId, targetId]);
    const [post, target] = [found.get(postId), found.get(targetId)];
    const isPlanned = (id: string) => found.has(id) || this.#planned.has(id);
    const missing = [targetId, postId].find((id) => !isPlanned(id));
    if (missing !== undefined) throw notFound(`Idea ${missing.slice(0, 100)}`);
    if (post && !post.isOpen) merges.existing++;
    else {
      if (!this.#options.isPlan && post && target)
        await this.#change((context) => mergePosts(context, [post.id], target.id));
      merges.added++;
    }
  }

  async #change(work: (context: ActorContext) => Promise<unknown>): Promise<void> {
    const { db } = this.#context;
    await db.transaction(async (tx) => {
      const context = await actAsImport({ ...this.#context, db: withinTransaction(db, tx) });
      await work(context);
      await recordImport(context, { id: this.#id, source: this.#source, origin: this.#options.origin ?? '' });
    });
  }

  /** Runs a batch in a transaction, which a plan takes back. */
  async #inTransaction(work: (context: ActorContext) => Promise<Outcome>): Promise<Outcome> {
    const { db } = this.#context;
    const { isPlan } = this.#options;
    const outcome = await transactionOrBack<Outcome>(db, async (tx, takeBack) => {
      this.#people.begin();
      const done = await work(await actAsImport({ ...this.#context, db: withinTransaction(db, tx) }));
      return isPlan ? takeBack(done) : done;
    });
    this.#people.end({ isKept: !isPlan });
    return outcome;
  }

  #count(outcome: Outcome): void {
    for (const what of tallied) {
      this.#totals[what].added += outcome[what].added;
      this.#totals[what].existing += outcome[what].existing;
    }
    this.#files += outcome.files;
    this.#changed += outcome.changed;
    for (const [key, found] of outcome.foundStatuses) {
      const known = this.#foundStatuses.get(key);
      const status = found.status ?? known?.status ?? null;
      if (known || this.#foundStatuses.size < MAX_STATUSES)
        this.#foundStatuses.set(key, { name: known?.name ?? found.name, status });
    }
    for (const name of outcome.statuses) this.#created.statuses.add(name);
    for (const name of outcome.tags) this.#created.tags.add(name);
    for (const problem of outcome.problems) this.#note(problem);
  }

  /** A message may quote the source: only what is printable of it. */
  #note({ message, ...place }: Problem): void {
    this.#problems++;
    this.#options.onProblem?.({ ...place, message: printable(message, MAX_MESSAGE) });
  }

  #notePost({ id, title, status, tags }: ImportedPost): void {
    if (this.#options.isPlan) this.#planned.add(id);
    if (this.#first.length < SHOWN && title.trim() !== '') this.#first.push({ title, status, tags });
  }
}

function hasAdded(outcome: Outcome): boolean {
  return outcome.changed > 0 || tallied.some((what) => outcome[what].added > 0);
}
