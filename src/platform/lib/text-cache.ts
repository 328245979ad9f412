import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** About what an entry takes beside its text. */
const ENTRY_BYTES = 200;

/** Keeps texts that were made of other texts, known by their hash: those used last, up to so many bytes. */
export class TextCache {
  readonly #made: LRUCache<string, string>;

  constructor(maxBytes: number) {
    this.#made = new LRUCache({ maxSize: maxBytes, sizeCalculation: (text) => 2 * text.length + ENTRY_BYTES });
  }

  /** What was made of a text; undefined when it is not there any more, or never was. */
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
