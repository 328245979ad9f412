import { createHash } from 'node:crypto';

/**
 * What a look at another product has found, in short, so that the next look takes only what is new. What it finds counts
 * once it is on the board.
 */
export class Memory {
  readonly #kept = new Map<string, string>();
  #found = new Map<string, string>();

  /** Whether nothing has been kept yet. */
  get isEmpty(): boolean {
    return this.#kept.size === 0;
  }

  /** Whether something is not as it was when it was last kept. */
  isNew(key: string, value: unknown): boolean {
    const found = digestOf(value);
    this.set(key, found);
    return this.#kept.get(key) !== found;
  }

  /** What was kept under a name. */
  get(key: string): string | undefined {
    return this.#kept.get(key);
  }

  /** Notes something, to be kept. */
  set(key: string, value: string): void {
    this.#found.set(key, value);
  }

  /** Begins a look, and forgets what one before it has found that did not come to its end. */
  begin(): void {
    this.#found = new Map();
  }

  /** Ends a look: what it has found is on the board. */
  keep(): void {
    for (const [key, value] of this.#found) this.#kept.set(key, value);
    this.begin();
  }
}

/** A short text that differs for other values. */
export function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('base64')
    .slice(0, 16);
}

/** A look at another product: what is known of it, and whether it is looked through as a whole where that is not the rule. */
export type Look = { memory: Memory; isWhole: boolean };

/** The first look, or the only one. */
export function firstLook(): Look {
  return { memory: new Memory(), isWhole: true };
}
