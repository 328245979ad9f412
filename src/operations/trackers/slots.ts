/** Trackers that are asked at the same time. */
const MAX_BUSY = 20;
/** Of them, those of one board. */
const MAX_OF_BOARD = 2;
/** Of them, those at one server, and those that have failed or were slow the last time. */
const MAX_OF_SERVER = 10;
const MAX_POOR = 10;

/** A tracker that is to be asked. */
export type Asking = { id: string; board_id: string; api_url: string; failures: number };

/** Trackers, boards and servers of which nothing more may be asked now. */
export type Taken = { trackers: readonly string[]; boards: readonly string[]; servers: readonly string[] };

type Slot = { boardId: string; server: string; isPoor: boolean; working: Promise<void> };

/**
 * Divides what may be asked of trackers at a time, so that a board, a server, or all who fail or dawdle hold a share only, and
 * trackers that respond in time always find a slot.
 */
export class Slots {
  readonly #slots = new Map<string, Slot>();
  /** Trackers that took long for what they were asked last. */
  readonly #slow = new Set<string>();
  readonly #slowMs: number;

  /** @param slowMs how long what is asked takes of a tracker that is slow */
  constructor(slowMs: number) {
    this.#slowMs = slowMs;
  }

  get isFull(): boolean {
    return this.#slots.size >= MAX_BUSY;
  }

  /** The end of all that is asked. */
  get working(): Promise<void>[] {
    return [...this.#slots.values()].map(({ working }) => working);
  }

  get taken(): Taken {
    const full = (of: (slot: Slot) => string, most: number) =>
      [...Map.groupBy(this.#slots.values(), of)].flatMap(([name, { length }]) => (length >= most ? [name] : []));
    return {
      // Of slow ones, nothing may stand in the way of others that wait.
      trackers: [...this.#slots.keys(), ...(this.#arePoorMany ? this.#slow : [])],
      boards: full(({ boardId }) => boardId, MAX_OF_BOARD),
      servers: full(({ server }) => server, MAX_OF_SERVER),
    };
  }

  /** Whether a tracker may be asked now. */
  hasRoomFor(asking: Asking): boolean {
    const { trackers, boards, servers } = this.taken;
    const isTaken =
      trackers.includes(asking.id) || boards.includes(asking.board_id) || servers.includes(asking.api_url);
    return !this.isFull && !isTaken && !(this.#isPoor(asking) && this.#arePoorMany);
  }

  /** Asks a tracker. @param work never rejects */
  async hold(asking: Asking, work: () => Promise<void>): Promise<void> {
    const began = performance.now();
    const working = work().finally(() => {
      this.#slots.delete(asking.id);
      if (performance.now() - began > this.#slowMs) this.#slow.add(asking.id);
      else this.#slow.delete(asking.id);
    });
    const { board_id: boardId, api_url: server } = asking;
    this.#slots.set(asking.id, { boardId, server, isPoor: this.#isPoor(asking), working });
    await working;
  }

  get #arePoorMany(): boolean {
    return [...this.#slots.values()].filter(({ isPoor }) => isPoor).length >= MAX_POOR;
  }

  #isPoor({ id, failures }: Asking): boolean {
    return failures > 0 || this.#slow.has(id);
  }
}
