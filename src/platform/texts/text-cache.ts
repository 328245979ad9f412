import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** The approximate overhead of an entry besides its text. */
const ENTRY_BYTES = 200;

/** Caches texts derived from other texts, by their hash: the most recently used, up to this many bytes. */
export class TextCache {
  readonly #made: LRUCache<string, string>;

  constructor(maxBytes: number) {
    this.#made = new LRUCache({ maxSize: maxBytes, sizeCalculation: (text) => 2 * text.length + ENTRY_BYTES });
  }

  /** The text derived from a text; undefined if it is not cached. */
  get(source: string): string | undefined {
    return this.#made.get(keyOf(source));
  }

  set(source: string, made: string): void {
    this.#made.set(keyOf(source), made);
  }

  /** Bytes that are taken. */
  get bytes(): number {
    return this.#made.calculatedSize;
  }
}

function keyOf(source: string): string {
  return hash('sha256', source, 'base64url');
}
