import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventRow } from '../../events/events.ts';
import type { LogCursor } from '../../feedback/event-log/cursor.ts';
import { endOfLog, listEvents } from '../../feedback/event-log/list.ts';
import type { BoardRow } from '../../identity/board/board.ts';
import type { ViewerContext } from '../../identity/users/request-context.ts';
import type { Db } from '../../platform/db/db.ts';
import { AppError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { Bell } from './bell.ts';

/** Streams that one process serves, and those of one board. */
const MAX_FOLLOWERS = 2_000;
const MAX_OF_BOARD = 1_000;
/** Anyone can have sandboxes: streams of one, and of all of them, which leave room for those of boards. */
const MAX_OF_SANDBOX = 10;
const MAX_OF_SANDBOXES = 200;
/** How often the ends of the logs are looked at: one statement for all boards with followers. */
const LOOK_MS = 200;
/** Events that one read examines, whether they are sent or not: about 2 ms on SQLite. */
const WINDOW = 5_000;
/** Characters of events that wait for a follower who does not read; one event may be longer. */
const MAX_WAITING = 65_536;
/** Events that one read returns at most, and those of the first one, when nothing is known of their size. */
const MAX_EVENTS = 100;
export const FIRST_EVENTS = 10;
/** A read over so many events waits for its turn. */
const LONG_READ = 200;

/** What a follower reads on from (null: the oldest event that is kept), and how many events fit by the size of the last ones. */
export type Position = { after: LogCursor | null; types: readonly string[] | null; limit: number };

/** What counts for the room of a board. */
type Followable = Pick<BoardRow, 'id' | 'sandbox_visitor'>;

/** The next events, where the follower is after them, and whether the log goes on. */
export type Batch = { events: readonly EventRow[]; next: Position; hasMore: boolean };

/**
 * Who follows the event logs in this process. Events come from the log, never from a hint: a follower that is woken reads
 * on from its own position, and those at the same position with the same view share one read.
 */
export class Followers {
  readonly #db: Db;
  readonly #log: Logger;
  /** By board. */
  readonly #bells = new Map<string, Set<Bell>>();
  /** The last event of each of these boards. */
  readonly #ends = new Map<string, number>();
  #reads = new Map<string, Promise<Batch>>();
  #turn: Promise<unknown> = Promise.resolve();
  #count = 0;
  #inSandboxes = 0;
  #looking: NodeJS.Timeout | null = null;

  constructor(db: Db, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** How many there are. */
  get count(): number {
    return this.#count;
  }

  /**
   * Makes room for a follower of a board.
   * @returns what rings whenever the log of the board has grown, and what gives the room back
   * @throws RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE
   */
  enter(board: Followable): { bell: Bell; leave: () => void } {
    const bells = this.#bells.get(board.id) ?? new Set();
    this.#requireRoom(board, bells.size);
    const bell = new Bell();
    this.#bells.set(board.id, bells.add(bell));
    this.#count++;
    if (board.sandbox_visitor !== null) this.#inSandboxes++;
    this.#looking ??= this.#lookLater();
    return { bell, leave: () => this.#leave(board, bell) };
  }

  #requireRoom({ sandbox_visitor: visitor }: Followable, there: number): void {
    const [kind, most] = visitor === null ? ['board', MAX_OF_BOARD] : ['sandbox', MAX_OF_SANDBOX];
    if (there >= most) throw full('RATE_LIMIT_EXCEEDED', `This ${kind} has ${most} streams already`);
    if (visitor !== null && this.#inSandboxes >= MAX_OF_SANDBOXES)
      throw full('SERVICE_UNAVAILABLE', 'All streams of sandboxes are in use');
    if (this.#count >= MAX_FOLLOWERS) throw full('SERVICE_UNAVAILABLE', 'All streams of this server are in use');
  }

  #leave(board: Followable, bell: Bell): void {
    this.#count--;
    if (board.sandbox_visitor !== null) this.#inSandboxes--;
    const bells = this.#bells.get(board.id);
    bells?.delete(bell);
    if (bells && bells.size > 0) return;
    this.#bells.delete(board.id);
    this.#ends.delete(board.id);
  }

  /** The next events for a follower. @throws CURSOR_EXPIRED */
  read(context: ViewerContext, position: Position): Promise<Batch> {
    const { board, actor } = context;
    const key = JSON.stringify([board.id, actor?.id, actor?.role, position]);
    const known = this.#reads.get(key);
    if (known) return known;
    const reading = this.#read(context, position);
    this.#reads.set(key, reading);
    return reading;
  }

  async #read(context: ViewerContext, { after, types, limit }: Position): Promise<Batch> {
    const end = await endOfLog(context);
    const start = Math.max(after?.seq ?? 0, context.board.events_removed);
    const upTo = Math.min(end.seq, start + WINDOW);
    const list = () => listEvents(context, { after, types, limit, upTo });
    const page = await (upTo - start > LONG_READ ? this.#inTurn(list) : list());
    const events = fit(page.nodes);
    const isCut = page.hasMore || events.length < page.nodes.length;
    const hasMore = isCut || upTo < end.seq;
    const seq = (isCut ? events.at(-1)?.seq : null) ?? Math.max(upTo, start);
    const seenUntil = hasMore ? (after?.seenUntil ?? 0) : end.seenUntil;
    return { events, next: { after: { seq, seenUntil }, types, limit: fitting(events, limit) }, hasMore };
  }

  /** On SQLite a read occupies the process: one after another, and requests in between. */
  #inTurn<T>(read: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(read);
    this.#turn = mine.catch(() => {}).then(() => nextTurn());
    return mine;
  }

  #lookLater(): NodeJS.Timeout {
    return setTimeout(() => this.#look(), LOOK_MS).unref();
  }

  async #look(): Promise<void> {
    try {
      const followed = [...this.#bells.keys()];
      const boards = this.#db.read.selectFrom('boards').select(['id', 'event_seq']);
      const ends = followed.length > 0 ? await boards.where('id', 'in', followed).execute() : [];
      // What was read for one follower holds for others until the log has grown.
      this.#reads = new Map();
      for (const { id, event_seq: end } of ends) this.#ring(id, end);
    } catch (err) {
      this.#log.warn({ err }, 'The event log cannot be followed at the moment');
    } finally {
      this.#looking = this.#count > 0 ? this.#lookLater() : null;
    }
  }

  #ring(boardId: string, end: number): void {
    if (this.#ends.get(boardId) === end) return;
    this.#ends.set(boardId, end);
    for (const bell of this.#bells.get(boardId) ?? []) bell.ring();
  }
}

/** The first events that may wait together; at least one. */
function fit(events: readonly EventRow[]): readonly EventRow[] {
  let size = 0;
  const tooMany = events.findIndex(({ body }) => {
    size += body.length;
    return size > MAX_WAITING;
  });
  return tooMany < 0 ? events : events.slice(0, Math.max(1, tooMany));
}

/** As many events as fit if they are like the last ones: those that do not are read in vain. */
function fitting(last: readonly EventRow[], limit: number): number {
  const size = last.reduce((sum, { body }) => sum + body.length, 0);
  if (size === 0) return limit;
  return Math.max(1, Math.min(Math.floor((last.length * MAX_WAITING) / size), limit * 2, MAX_EVENTS));
}

function full(code: 'RATE_LIMIT_EXCEEDED' | 'SERVICE_UNAVAILABLE', message: string): AppError {
  return new AppError(code, message, { retryAfter: 10 });
}
