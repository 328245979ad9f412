import { createReadStream } from 'node:fs';
import { analyse } from 'chardet';
import { ImportError } from './items.ts';

/** The encodings in which a table may be, by the names that the WHATWG's Encoding Standard gives them. */
export const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1254',
  'windows-1256',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
] as const;
export type Encoding = (typeof encodings)[number];

/** What bytes that mean nothing in an encoding become. */
export const UNREADABLE = '\ufffd';
/** One in so many letters beyond ASCII may be unreadable in a file that is still taken for UTF-8. */
const MAX_UNREADABLE = 3;
/** Bytes from which an encoding is guessed: those beyond ASCII, and what stands beside them. */
const EVIDENCE_BYTES = 262_144;
/** Bytes beside those beyond ASCII that are looked at as well: words. */
const BESIDE = 16;
/** Below this, out of 100, a guess is no better than what most such files are in. */
const MIN_CONFIDENCE = 40;

/** The text of a file, piece by piece. @throws ImportError if it is not in UTF-8 */
export async function* decode(file: string): AsyncGenerator<string> {
  try {
    yield* decodeAs(file, 'utf-8', true);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ImportError('The file is not in UTF-8');
  }
}

/**
 * The text of a file, piece by piece. Bytes that mean nothing in its encoding are U+FFFD.
 * @throws TypeError for such bytes if `isStrict`
 */
export async function* decodeAs(file: string, encoding: Encoding, isStrict = false): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: isStrict, ignoreBOM: true });
  for await (const chunk of createReadStream(file)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/**
 * The encoding of a file: that of the mark at its beginning; UTF-16 if every second byte of its beginning is 0; UTF-8 if
 * that is what it is in; otherwise the likeliest one by the letters that it would have.
 */
export async function guessEncoding(file: string): Promise<Encoding> {
  const head = await readStart(file, 4);
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  const marked = head.length >= 3 && first === 0xef && second === 0xbb && head[2] === 0xbf;
  return marked || (await isUtf8(file)) ? 'utf-8' : guessByLetters(await collectEvidence(file));
}

async function readStart(file: string, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(file, { end: bytes - 1 })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Whether a file is in UTF-8, but for a few bytes that mean nothing there. */
async function isUtf8(file: string): Promise<boolean> {
  let letters = 0;
  let unreadable = 0;
  for await (const text of decodeAs(file, 'utf-8')) {
    for (const [run] of text.matchAll(/[^\0-\x7f]+/gu)) {
      letters += run.length;
      unreadable += run.split(UNREADABLE).length - 1;
    }
  }
  return unreadable * MAX_UNREADABLE <= letters;
}

/** The parts of a file that are not ASCII, and a little beside them. */
async function collectEvidence(file: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let end = 0;
    for (let at = 0; at < chunk.length && bytes < EVIDENCE_BYTES; at++) {
      if ((chunk[at] ?? 0) < 0x80 || at < end) continue;
      const start = Math.max(at - BESIDE, end);
      end = Math.min(at + BESIDE, chunk.length);
      parts.push(chunk.subarray(start, end));
      bytes += end - start;
    }
    if (bytes >= EVIDENCE_BYTES) break;
  }
  return Buffer.concat(parts);
}

function guessByLetters(evidence: Buffer): Encoding {
  for (const { name, confidence } of analyse(evidence)) {
    const encoding = encodingNamed(name);
    if (encoding !== null && confidence >= MIN_CONFIDENCE) return encoding;
  }
  // What Excel writes as “CSV” in Western Europe and America.
  return 'windows-1252';
}

/** An encoding by another of its names, such as ISO-8859-1 for Windows-1252; null if it is none of those that are read. */
export function encodingNamed(name: string): Encoding | null {
  try {
    const { encoding } = new TextDecoder(name);
    return encodings.find((known) => known === encoding) ?? null;
  } catch {
    return null;
  }
}
