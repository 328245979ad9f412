import { crc32 } from 'node:zlib';
import { badRequest } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { makeExif, orientationOf } from './exif.ts';
import type { ImageSize } from './image.ts';

/** A picture as it is stored, and the largest size that any header in it claims: with width and height as it is shown. */
export type Cleaned = { bytes: Buffer; pixels: number } & ImageSize;

/**
 * Removes everything from a JPEG, PNG or WebP picture that is not needed to show it: locations, cameras, names,
 * comments, thumbnails, and data after the end. The rotation stays. For GIF and AVIF only the size is read. It takes
 * time in proportion to the bytes. A broken picture is read as far as possible, as browsers do.
 * @returns null for what is none of these
 * @throws BAD_REQUEST for a picture of too many parts
 */
export function cleanPicture(contentType: string, bytes: Buffer): Cleaned | null {
  const read = Object.hasOwn(readers, contentType) ? readers[contentType] : undefined;
  if (!read) return null;
  const kept = new Kept(bytes);
  read(bytes, kept);
  return { bytes: kept.join(), pixels: kept.pixels, ...kept.size };
}

const readers: Readonly<Record<string, (bytes: Buffer, kept: Kept) => void>> = {
  'image/jpeg': readJpeg,
  'image/png': readPng,
  'image/apng': readPng,
  'image/webp': readWebp,
  'image/gif': readGif,
  'image/avif': readAvif,
};

/** Segments, chunks or boxes of a picture: encoders make some thousands at most, and each costs far more than its bytes. */
export const MAX_PARTS = 20_000;

/** The parts of a picture that are kept. */
class Kept {
  readonly #bytes: Buffer;
  readonly #parts: Buffer[] = [];
  #start = 0;
  #end = 0;
  #read = 0;
  pixels = 0;
  #width = 0;
  #height = 0;
  #isTurned = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Counts a part that is read. @throws BAD_REQUEST for more than pictures have */
  count(): void {
    if (++this.#read <= MAX_PARTS) return;
    throw badRequest(msg('imageTooManyParts', MAX_PARTS), 'file');
  }

  /** Keeps a range of the bytes. Those that follow one another are one. */
  keep(start: number, end: number): void {
    if (start !== this.#end) {
      this.#parts.push(this.#bytes.subarray(this.#start, this.#end));
      this.#start = start;
    }
    this.#end = Math.min(end, this.#bytes.length);
  }

  /** Inserts bytes that were not there. */
  add(bytes: Buffer): void {
    this.#parts.push(this.#bytes.subarray(this.#start, this.#end), bytes);
    this.#start = this.#end;
  }

  claim(width: number, height: number): void {
    if (width * height <= this.pixels) return;
    this.pixels = width * height;
    this.#width = width;
    this.#height = height;
  }

  /** What is kept of Exif data: the rotation, if there is one. */
  turn(tiff: Buffer): Buffer | null {
    const orientation = orientationOf(tiff);
    this.#isTurned = orientation > 4;
    return makeExif(orientation);
  }

  /** As the picture is shown: if it lies on its side, the other way round. */
  get size(): ImageSize {
    const [width, height] = this.#isTurned ? [this.#height, this.#width] : [this.#width, this.#height];
    return { width, height };
  }

  /** Of all that is kept. */
  get length(): number {
    return this.#parts.reduce((sum, part) => sum + part.length, this.#end - this.#start);
  }

  join(): Buffer {
    return Buffer.concat([...this.#parts, this.#bytes.subarray(this.#start, this.#end)]);
  }
}

const [EOI, SOS, APP0, APP1, APP2, APP14, APP15, COMMENT] = [0xd9, 0xda, 0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe] as const;
const EXIF = 'Exif\0\0';

/** Segments of a marker and a length; the header of a scan is followed by its packed bytes, up to the next marker. */
function readJpeg(bytes: Buffer, kept: Kept): void {
  let hasExif = false;
  kept.keep(0, 2);
  for (let at = findMarker(bytes, 2); at + 4 <= bytes.length; ) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === EOI) break;
    kept.count();
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    const next = findMarker(bytes, end);
    if (isFrame(marker) && at + 9 <= bytes.length) kept.claim(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    if (marker === APP1 && !hasExif && startsWith(bytes, at + 4, EXIF)) {
      const exif = kept.turn(bytes.subarray(at + 4 + EXIF.length, end));
      if (exif) kept.add(makeSegment(APP1, Buffer.concat([Buffer.from(EXIF, 'latin1'), exif])));
      hasExif = true;
    } else if (marker === SOS) kept.keep(at, next);
    else if (isNeeded(bytes, at)) kept.keep(at, end);
    at = next;
  }
  kept.add(Buffer.from([0xff, EOI]));
}

/** The next marker before a segment or at the end; after the last one, the end of the bytes. */
function findMarker(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    if (bytes[at] === 0xff && (bytes[at + 1] ?? 0) >= 0xc0 && bytes[at + 1] !== 0xff && !isRestart(bytes[at + 1]))
      return at;
  }
  return bytes.length;
}

/** Marks within the packed bytes, and the one at the beginning of a picture. */
function isRestart(marker = 0): boolean {
  return marker >= 0xd0 && marker <= 0xd8;
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Of the application segments, density, color profile and color encoding are needed. */
function isNeeded(bytes: Buffer, at: number): boolean {
  const marker = bytes[at + 1] ?? 0;
  if (marker === APP0) return startsWith(bytes, at + 4, 'JFIF\0');
  if (marker === APP2) return startsWith(bytes, at + 4, 'ICC_PROFILE\0');
  return marker === APP14 || ((marker < APP0 || marker > APP15) && marker !== COMMENT);
}

function makeSegment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

function startsWith(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}

/** What the picture needs besides the chunks that every program must know, whose names begin with a capital letter. */
const PNG_CHUNKS: ReadonlySet<string> = new Set([
  ...['tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT', 'bKGD', 'pHYs', 'sPLT', 'hIST'],
  ...['cICP', 'mDCV', 'cLLI', 'acTL', 'fcTL', 'fdAT'],
]);

/** Chunks of length, type, data and checksum. */
function readPng(bytes: Buffer, kept: Kept): void {
  kept.keep(0, 8);
  for (let at = 8; at + 12 <= bytes.length; ) {
    kept.count();
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 12 + bytes.readUInt32BE(at);
    if (type === 'IHDR' && at + 16 <= bytes.length) kept.claim(bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12));
    if (type === 'eXIf') {
      const exif = kept.turn(bytes.subarray(at + 8, end - 4));
      if (exif) kept.add(makeChunk('eXIf', exif));
    } else if (/^[A-Z]/.test(type) || PNG_CHUNKS.has(type)) kept.keep(at, end);
    if (type === 'IEND') break;
    at = end;
  }
}

function makeChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

const WEBP_CHUNKS: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** The parts that the header of an extended picture announces. */
const HAS = { exif: 0x08, xmp: 0x04 };

/** A container that states its length, of chunks that begin at even offsets. */
function readWebp(bytes: Buffer, kept: Kept): void {
  const container = Buffer.from(bytes.subarray(0, 12));
  let head: Buffer | null = null;
  kept.add(container);
  const limit = Math.min(bytes.length, 8 + bytes.readUInt32LE(4));
  for (let at = 12; at + 8 <= limit; ) {
    kept.count();
    const type = bytes.toString('latin1', at, at + 4);
    const end = at + 8 + bytes.readUInt32LE(at + 4);
    const next = end + (end % 2);
    const data = bytes.subarray(at + 8, Math.min(end, limit));
    claimWebp(type, data, kept);
    if (type === 'VP8X' && !head && data.length > 0) {
      head = Buffer.from(bytes.subarray(at, Math.min(next, limit)));
      head.writeUInt8(head.readUInt8(8) & ~(HAS.exif | HAS.xmp), 8);
      kept.add(head);
    } else if (type === 'EXIF' && head) {
      const exif = kept.turn(data.subarray(startsWith(data, 0, EXIF) ? EXIF.length : 0));
      if (exif) {
        head.writeUInt8(head.readUInt8(8) | HAS.exif, 8);
        kept.add(Buffer.concat([Buffer.from('EXIF'), Buffer.from([exif.length, 0, 0, 0]), exif]));
      }
    } else if (WEBP_CHUNKS.has(type)) kept.keep(at, Math.min(next, limit));
    at = next;
  }
  container.writeUInt32LE(kept.length - 8, 4);
}

function claimWebp(type: string, data: Buffer, kept: Kept): void {
  if (data.length < 10) return;
  if (type === 'VP8 ') kept.claim(data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff);
  if (type === 'VP8X') kept.claim(data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1);
  const bits = data.readUInt32LE(1);
  if (type === 'VP8L') kept.claim((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

/** A head with the size and maybe colors, then blocks; those of a picture have its size again. */
function readGif(bytes: Buffer, kept: Kept): void {
  kept.keep(0, bytes.length);
  const coloursOf = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  if (bytes.length < 13) return;
  kept.claim(bytes.readUInt16LE(6), bytes.readUInt16LE(8));
  for (let at = 13 + coloursOf(bytes.readUInt8(10)); at + 10 <= bytes.length; at++) {
    const kind = bytes.readUInt8(at);
    if (kind === 0x2c) kept.claim(bytes.readUInt16LE(at + 5), bytes.readUInt16LE(at + 7));
    else if (kind !== 0x21) return;
    at += kind === 0x2c ? 11 + coloursOf(bytes.readUInt8(at + 9)) : 2;
    while ((bytes[at] ?? 0) !== 0) at += 1 + (bytes[at] ?? 0);
  }
}

/** Boxes of length and type. The sizes of pictures are somewhere in two of them; only a decoder can find out where. */
function readAvif(bytes: Buffer, kept: Kept): void {
  kept.keep(0, bytes.length);
  for (let at = 0; at + 16 <= bytes.length; ) {
    kept.count();
    const type = bytes.toString('latin1', at + 4, at + 8);
    const declared = bytes.readUInt32BE(at);
    const length = declared === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : declared || bytes.length;
    const box = bytes.subarray(at, Math.min(at + length, bytes.length));
    for (const place of type === 'meta' ? placesOf('ispe', box, kept) : []) {
      if (place + 16 <= box.length) kept.claim(box.readUInt32BE(place + 8), box.readUInt32BE(place + 12));
    }
    for (const place of type === 'moov' ? placesOf('av01', box, kept) : []) {
      if (place + 32 <= box.length) kept.claim(box.readUInt16BE(place + 28), box.readUInt16BE(place + 30));
    }
    at += Math.max(8, length);
  }
}

function* placesOf(type: string, box: Buffer, kept: Kept): Generator<number> {
  for (let at = box.indexOf(type); at >= 0; at = box.indexOf(type, at + 4)) {
    kept.count();
    yield at;
  }
}
