import { findDescription } from '../../feedback/comments/comments.ts';
import { type IssueLinkRow, setLink } from '../../feedback/issues/issues.ts';
import { requireBoard } from '../../identity/board/board.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Db } from '../../platform/db/db.ts';
import { DecryptionError } from '../../platform/lib/cipher.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { Loop } from '../../platform/lib/loop.ts';
import { msg } from '../../platform/messages.ts';
import { cutText, fitLine } from '../../platform/texts/text.ts';
import type { Dial } from '../../webhooks/http/exchange.ts';
import type { Sender } from '../../webhooks/http/sender.ts';
import { makeTrackerDial, type TrackerClient } from './client.ts';
import { DEADLINES, type TrackerDeadlines } from './deadlines.ts';
import { storeFailure, TrackerFault } from './fault.ts';
import { findPost, linkTo, titleOf } from './idea-text.ts';
import { findPending, type PendingLink } from './pending.ts';
import type { TrackerProduct } from './product.ts';
import { type Asking, Slots } from './slots.ts';
import { takeIssue, takeRelease } from './taking-in.ts';
import { openTracker, products, type TrackerRow } from './trackers.ts';

export type TrackerDeps = {
  db: Db;
  clock: Clock;
  log: Logger;
  baseUrl: string;
  sender: Sender;
  deadlines?: Partial<TrackerDeadlines>;
};

/** How often votes are compared with what issues were told. */
const POLL_MS = 10 * SECOND_MS;
/** How often a tracker is asked for what its requests did not bring. */
const READ_MS = 5 * MINUTE_MS;
/** How far back it is asked again: its copies may lag behind. */
const OVERLAP_MS = 5 * MINUTE_MS;
/** An issue is told of new votes at most this often. */
const TELL_MS = MINUTE_MS;
/** How long one process has a link to itself: longer than the requests that look for what was made, and make it, may take. */
const CLAIM_MS = 150 * SECOND_MS;
const MAX_PAUSE_MS = 60 * MINUTE_MS;
const LINKS_PER_LOOK = 100;
/** Times that one look looks for links of trackers which may be asked, too. */
const MAX_ROUNDS = 20;
/** Pages of changes that are read at once: 30,000 issues. */
const MAX_PAGES = 300;
/** Characters of a title; GitHub and GitLab take 255. */
const MAX_TITLE = 250;
/** What a text for an issue may have: GitHub takes 65,536 characters. */
const MAX_TEXT = 30_000;

/** A tracker that is asked, and the board that it belongs to. */
type Open = { context: RequestContext; row: TrackerRow; product: TrackerProduct; client: TrackerClient };

/**
 * Keeps the links of ideas and issues true: makes issues, reads how they are, and tells them in a comment of votes and
 * status. Each request is prepared by a transaction and its result kept by another one. One that may have arrived without
 * a response is not repeated before the tracker was asked for what it made.
 */
export class TrackerWorker {
  readonly #deps: TrackerDeps;
  readonly #dial: Dial;
  readonly #loop: Loop;
  readonly #deadlines: TrackerDeadlines;
  /** The trackers that are being asked: one that takes long keeps no other waiting. */
  readonly #slots: Slots;

  constructor(deps: TrackerDeps) {
    this.#deps = deps;
    this.#deadlines = { ...DEADLINES, ...deps.deadlines };
    this.#slots = new Slots(this.#deadlines.turn);
    this.#dial = makeTrackerDial(deps.sender, this.#deadlines.request);
    this.#loop = new Loop({
      name: 'update issues',
      look: (signal) => this.#work(signal),
      pollMs: POLL_MS,
      retryMs: SECOND_MS,
      listen: (wake) => deps.db.listen('issues', wake),
      log: deps.log,
      failure: 'Linked issues cannot be updated',
    });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await Promise.all(this.#slots.working);
  }

  /** Resolves once nothing is due at the clock's time. For tests, which move the clock. */
  async settled(): Promise<void> {
    do {
      this.#loop.wake();
      await this.#loop.looking;
      await Promise.all(this.#slots.working);
    } while (this.#loop.looking !== null || this.#slots.working.length > 0);
  }

  async #work(signal: AbortSignal): Promise<number> {
    await this.#readDue(signal);
    for (let round = 0; round < MAX_ROUNDS && !signal.aborted; round++) {
      if (!(await this.#updateDue(signal))) break;
    }
    return POLL_MS;
  }

  /** Asks a tracker while others are asked, too. What is left then follows in another look. @returns whether there is room */
  #begin(asking: Asking, work: () => Promise<void>): boolean {
    if (!this.#slots.hasRoomFor(asking)) return false;
    const logged = () =>
      work().catch((err) => this.#deps.log.error({ err, tracker: asking.id }, 'Linked issues cannot be updated'));
    void this.#slots.hold(asking, logged).then(() => this.#loop.wake());
    return true;
  }

  /** Begins to ask of the links that have waited longest. @returns whether others may follow now */
  async #updateDue(signal: AbortSignal): Promise<boolean> {
    const { db, clock } = this.#deps;
    if (this.#slots.isFull) return false;
    const pending = await findPending(db.read, clock.now(), { taken: this.#slots.taken, limit: LINKS_PER_LOOK });
    const begun = [...Map.groupBy(pending, (link) => link.tracker_id)].filter(([id, links]) => {
      const [{ board_id, api_url }] = links as [PendingLink];
      return this.#begin({ id, board_id, api_url, failures: 0 }, () => this.#updateAll(links, signal));
    });
    return begun.length > 0;
  }

  async #updateAll(links: readonly PendingLink[], signal: AbortSignal): Promise<void> {
    const ends = performance.now() + this.#deadlines.turn;
    for (const link of links) {
      if (signal.aborted || performance.now() > ends) return;
      // One that has begun to fail takes no more: a claim would keep the link from it for long.
      const row = await this.#findTracker(link);
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(this.#deadlines.link)]);
      if (row && (await this.#claimLink(link)))
        await this.#with(link.board_id, row, { stop: signal, inTime }, (open) => this.#update(open, link), link);
    }
  }

  /** Begins to read the trackers that are due, each in one process; those that have waited longest first. */
  async #readDue(signal: AbortSignal): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const columns = ['board_id', 'id', 'api_url', 'failures'] as const;
    const query = db.read.selectFrom('trackers').select(columns).where('date_due', '<=', now);
    for (const asking of await query.orderBy('date_due').orderBy('id').execute()) {
      if (this.#slots.isFull || signal.aborted) return;
      if (!this.#slots.hasRoomFor(asking)) continue;
      const { board_id, id } = asking;
      const row = await db.transaction((tx) =>
        tx
          .updateTable('trackers')
          .set({ date_due: now + READ_MS })
          .where('board_id', '=', board_id)
          .where('id', '=', id)
          .where('date_due', '<=', now)
          .returningAll()
          .executeTakeFirst(),
      );
      const work = (claimed: TrackerRow) =>
        this.#with(board_id, claimed, { stop: signal, inTime: signal }, (open) => this.#read(open));
      if (row) this.#begin(asking, () => work(row));
    }
  }

  #findTracker({ board_id, tracker_id }: IssueLinkRow): Promise<TrackerRow | undefined> {
    const query = this.#deps.db.read.selectFrom('trackers').selectAll().where('board_id', '=', board_id);
    return query.where('id', '=', tracker_id).where('failures', '=', 0).executeTakeFirst();
  }

  /** Takes a link for this process, and counts the attempt before it is made. */
  async #claimLink({ board_id, id, date_due, attempts }: PendingLink): Promise<boolean> {
    const { db, clock } = this.#deps;
    const { numUpdatedRows } = await db.transaction((tx) =>
      tx
        .updateTable('issue_links')
        .set({ date_due: clock.now() + CLAIM_MS, attempts: attempts + 1 })
        .where('board_id', '=', board_id)
        .where('id', '=', id)
        .where('date_due', '=', date_due)
        .where('attempts', '=', attempts)
        .executeTakeFirst(),
    );
    return numUpdatedRows > 0n;
  }

  /** Does what asks a tracker. What it refuses is kept where the team reads it, and tried again later. */
  async #with(
    boardId: string,
    row: TrackerRow,
    { stop, inTime }: { stop: AbortSignal; inTime: AbortSignal },
    work: (open: Open) => Promise<unknown>,
    link?: PendingLink,
  ): Promise<void> {
    const { db, clock, baseUrl, sender } = this.#deps;
    try {
      const context = { db, clock, baseUrl, board: await requireBoard(db.read, boardId) };
      const client = openTracker(row, { ...sender, dial: this.#dial, signal: inTime });
      await work({ context, row, product: products[row.kind], client });
    } catch (error) {
      if (stop.aborted) return;
      const { said, message, pauseMs } = inTime.aborted ? tooSlow() : faultOf(error);
      const failure = storeFailure(said);
      const now = clock.now();
      const [failures, pause] = [(link ?? row).failures + 1, pauseMs ?? 0];
      const later = { failure, failures, date_due: now + Math.min(Math.max(growing(failures), pause), MAX_PAUSE_MS) };
      await db.transaction(async (tx) => {
        if (link && pauseMs === null) return setLink(tx, link, later);
        // The whole tracker waits, and the link longer each time: other requests may succeed. Whether this one has arrived is
        // found out when it is asked again.
        if (link) await setLink(tx, link, later);
        const update = tx.updateTable('trackers').set(later).where('board_id', '=', boardId);
        await update.where('id', '=', row.id).execute();
      });
      this.#deps.log.warn({ tracker: row.id, failures, reason: message }, 'A tracker did not do what was asked');
    }
  }

  /** Reads what has changed at the tracker since it was read last, whatever its own requests have brought. */
  async #read({ context, row, product, client }: Open): Promise<void> {
    let page: string | null = null;
    let began: number | null = null;
    let pages = 0;
    let askedMs = 0;
    do {
      if (!(await this.#isConnected(row))) return;
      if (++pages > MAX_PAGES) throw new TrackerFault(msg('trackerTooMuchChanged'), 0);
      // Only what the tracker takes counts, and each page that comes gives it time for one more.
      if (askedMs > this.#deadlines.read + pages * this.#deadlines.page) throw tooSlow();
      const asked = performance.now();
      const changed = await product.listChanged(client, row.date_read - OVERLAP_MS, page);
      askedMs += performance.now() - asked;
      began ??= Math.min(changed.sent ?? row.date_read, context.clock.now());
      for (const issue of changed.issues) await takeIssue(context, row, issue, true);
      page = changed.next;
    } while (page !== null);
    for (const release of await product.listReleases(client)) await takeRelease(context, row, release);
    const set = { date_read: began ?? row.date_read, failures: 0, failure: null };
    await context.db.transaction(async (tx) => {
      const update = tx.updateTable('trackers').set(set).where('board_id', '=', row.board_id);
      await update.where('id', '=', row.id).execute();
    });
  }

  /** It may have been disconnected in between. */
  async #isConnected({ board_id, id }: TrackerRow): Promise<boolean> {
    const query = this.#deps.db.read.selectFrom('trackers').select('id').where('board_id', '=', board_id);
    return (await query.where('id', '=', id).executeTakeFirst()) !== undefined;
  }

  async #update(open: Open, link: PendingLink): Promise<void> {
    const { context, row, product, client } = open;
    const now = context.clock.now();
    const keep = (set: Partial<IssueLinkRow>) => context.db.transaction((tx) => setLink(tx, link, set));
    const done = { attempts: 0, failures: 0, failure: null } as const;
    if (link.issue === null) {
      const made = await this.#make(open, link);
      await keep({ ...done, issue: made.issue, date_due: now });
      return takeIssue(context, row, made, true);
    }
    if (link.is_read === 0 && link.is_removed === 0) {
      const issue = await product.readIssue(client, link.issue);
      if (issue) await takeIssue(context, row, issue, true);
      const failure = issue ? null : storeFailure(msg('trackerIssueGone'));
      return keep({ ...done, failure, is_read: 1, date_due: now });
    }
    const comment_id = await this.#tell(open, link);
    const failure = link.says !== null && comment_id === null ? storeFailure(msg('trackerTakesNoComment')) : null;
    await keep({ ...done, failure, comment_id, told: link.says, date_due: now + TELL_MS });
  }

  async #make({ context, product, client }: Open, link: PendingLink) {
    const key = link.id;
    const earlier = link.attempts > 0 ? await product.findIssue(client, key, link.date_created - OVERLAP_MS) : null;
    if (earlier) return earlier;
    const post = await findPost(context, link);
    const description = (await findDescription(context.db.read, post))?.text ?? '';
    // Without votes and status, which only the comment keeps true.
    const text = [cutText(product.makeInert(description), MAX_TEXT), titleOf(context, product, post)].filter(Boolean);
    const title = fitLine(product.makeInert(post.title), MAX_TITLE);
    return product.makeIssue(client, { title, text: text.join('\n\n'), key });
  }

  /** Brings the comment on an issue up to date. @returns its id; null if there is none */
  async #tell({ context, product, client }: Open, link: PendingLink): Promise<string | null> {
    const issue = link.issue ?? '';
    const key = link.id;
    const mayBeThere = link.comment_id === null && link.attempts > 0;
    const earlier = mayBeThere ? await product.findComment(client, issue, key, link.date_created - OVERLAP_MS) : null;
    const commentId = link.comment_id ?? earlier;
    if (link.says === null) {
      if (commentId !== null) await product.deleteComment(client, commentId);
      return null;
    }
    const content = { text: linkTo(context, product, await findPost(context, link)), key };
    const written = await product.writeComment(client, issue, commentId, content);
    // Someone has deleted the comment there: it is made once more.
    return written ?? (commentId === null ? null : await product.writeComment(client, issue, null, content));
  }
}

const tooSlow = () => new TrackerFault(msg('trackerTooSlow'), 0);

function faultOf(error: unknown): TrackerFault {
  if (error instanceof TrackerFault) return error;
  if (error instanceof DecryptionError) return new TrackerFault(msg('trackerKeyLost'), 0);
  throw error;
}

/** Twice as long each time. */
function growing(failures: number): number {
  return Math.min(2 ** Math.min(failures, 12) * 5 * SECOND_MS, MAX_PAUSE_MS);
}
