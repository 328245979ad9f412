/**
 * Lists of posts by gram, as they are stored: the ids of the posts in `post_search`, in ascending order, in blocks of
 * several lists. A block has the grams of a range of numbers; for each of them, in ascending order, the difference from
 * the previous one, the length of its list in bytes, and the list, stored as the differences of its ids.
 */
export type Postings = Map<number, number[]>;

/** Numbers of grams are below this. */
const GRAMS = 2 ** 32;

/** The number of the block that contains a gram, in a segment with this many blocks. */
export function blockOf(gram: number, blockCount: number): number {
  return Math.floor(gram / (GRAMS / blockCount));
}

/**
 * Writes lists as blocks, by their numbers; blocks without a list are left out.
 * @param blockCount a power of two
 * @param firstId no id is smaller
 */
export function encodeBlocks(postings: Postings, blockCount: number, firstId: number): Map<number, Uint8Array> {
  const blocks = new Map<number, Uint8Array>();
  const grams = Float64Array.from(postings.keys()).sort();
  const bytes = new Writer();
  const list = new Writer();
  let [number, last] = [-1, 0];
  const finish = () => {
    if (bytes.length > 0) blocks.set(number, bytes.take());
  };
  for (const gram of grams) {
    const block = blockOf(gram, blockCount);
    if (block !== number) {
      finish();
      number = block;
      last = block * (GRAMS / blockCount);
    }
    let lastId = firstId;
    for (const id of inOrder(postings.get(gram) ?? [])) {
      list.add(id - lastId);
      lastId = id;
    }
    bytes.add(gram - last);
    bytes.add(list.length);
    bytes.append(list);
    last = gram;
  }
  finish();
  return blocks;
}

/** Each id once, in ascending order. Nearly all lists already are. */
function inOrder(ids: readonly number[]): readonly number[] {
  for (let n = 1; n < ids.length; n++) {
    if ((ids[n] as number) <= (ids[n - 1] as number)) return [...new Set(ids)].sort((a, b) => a - b);
  }
  return ids;
}

/** The list of a gram in a block, as it is stored; null if there is none. */
export function findList(block: Uint8Array, number: number, blockCount: number, gram: number): Uint8Array | null {
  const reader = new ByteReader(block);
  let current = number * (GRAMS / blockCount);
  while (reader.hasMore) {
    current += reader.next();
    const length = reader.next();
    if (current === gram) return reader.slice(length);
    if (current > gram) return null;
    reader.skip(length);
  }
  return null;
}

/** The ids of a list. */
export function decodeList(list: Uint8Array, firstId: number): number[] {
  const reader = new ByteReader(list);
  const ids: number[] = [];
  let id = firstId;
  while (reader.hasMore) {
    id += reader.next();
    ids.push(id);
  }
  return ids;
}

/** Adds all lists of a block to others. */
export function addBlock(
  postings: Postings,
  { block, number, blockCount, firstId }: { block: Uint8Array; number: number; blockCount: number; firstId: number },
): void {
  const reader = new ByteReader(block);
  let gram = number * (GRAMS / blockCount);
  while (reader.hasMore) {
    gram += reader.next();
    const end = reader.next() + reader.position;
    let ids = postings.get(gram);
    if (!ids) {
      ids = [];
      postings.set(gram, ids);
    }
    let id = firstId;
    while (reader.position < end) {
      id += reader.next();
      ids.push(id);
    }
  }
}

/** Numbers of any size in as few bytes as they need, seven bits in each. */
class Writer {
  #bytes = new Uint8Array(1_024);
  length = 0;

  add(value: number): void {
    this.#grow(8);
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.length++] = rest;
  }

  /** Takes over what another writer has written, and resets that one. */
  append(other: Writer): void {
    this.#grow(other.length);
    this.#bytes.set(other.#bytes.subarray(0, other.length), this.length);
    this.length += other.length;
    other.length = 0;
  }

  take(): Uint8Array {
    const bytes = this.#bytes.slice(0, this.length);
    this.length = 0;
    return bytes;
  }

  #grow(by: number): void {
    if (this.length + by <= this.#bytes.length) return;
    const bytes = new Uint8Array(2 * (this.length + by));
    bytes.set(this.#bytes.subarray(0, this.length));
    this.#bytes = bytes;
  }
}

class ByteReader {
  readonly #bytes: Uint8Array;
  position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get hasMore(): boolean {
    return this.position < this.#bytes.length;
  }

  next(): number {
    let byte = this.#bytes[this.position++] as number;
    if (byte < 128) return byte;
    let value = byte - 128;
    for (let factor = 128; ; factor *= 128) {
      byte = this.#bytes[this.position++] as number;
      if (byte < 128) return value + byte * factor;
      value += (byte - 128) * factor;
    }
  }

  skip(bytes: number): void {
    this.position += bytes;
  }

  slice(bytes: number): Uint8Array {
    this.position += bytes;
    return this.#bytes.subarray(this.position - bytes, this.position);
  }
}
