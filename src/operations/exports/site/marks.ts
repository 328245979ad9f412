/** Bytes of a mark, or of what stands for one. */
const MARK = 22;
/** What follows it says whether this run has seen the post. */
const SLOT = MARK + 1;
/** Stands for a mark that counts for nothing; an empty slot has zeros. */
const NONE = '-';
const GROWTH = 1.5;

/** The marks of posts by their numbers: 23 bytes for each, so that a board of any size fits. */
export class Marks {
  #slots = Buffer.alloc(SLOT * 1_000);

  /** The mark of a post; undefined if it has none. */
  get(number: number): string | undefined {
    const start = number * SLOT;
    if (!this.#slots[start]) return undefined;
    const mark = this.#slots.toString('latin1', start, start + MARK).replace(/\0+$/, '');
    return mark === NONE ? '' : mark;
  }

  /** @param mark at most 22 characters of ASCII */
  set(number: number, mark: string): void {
    const start = number * SLOT;
    if (start + SLOT > this.#slots.length) this.#grow(start + SLOT);
    this.#slots.fill(0, start, start + MARK).write(mark || NONE, start, MARK, 'latin1');
  }

  /** Remembers that a post with a mark is there. */
  see(number: number): void {
    this.#slots[number * SLOT + MARK] = 1;
  }

  /** Forgets what was seen. */
  seeNone(): void {
    for (let at = MARK; at < this.#slots.length; at += SLOT) this.#slots[at] = 0;
  }

  hasSeen(number: number): boolean {
    return this.#slots[number * SLOT + MARK] === 1;
  }

  /** The numbers of the posts that have a mark. */
  *numbers(): Generator<number> {
    for (let number = 0; number * SLOT < this.#slots.length; number++) {
      if (this.#slots[number * SLOT]) yield number;
    }
  }

  #grow(length: number): void {
    const slots = Buffer.alloc(Math.ceil((length * GROWTH) / SLOT) * SLOT);
    this.#slots.copy(slots);
    this.#slots = slots;
  }
}
