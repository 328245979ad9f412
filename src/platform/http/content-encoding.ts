import { pipeline, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { AppError, badRequest, UnsupportedBodyError } from '../errors.ts';
import { printable } from '../texts/text.ts';

/** Memory that a stream of zstd may ask for: 8 MiB, as RFC 9659 has it for HTTP. */
const ZSTD = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } };
/** What follows the end of a stream is no part of it, and must not be lost in silence. */
const WHOLE = { rejectGarbageAfterEnd: true };

/** What decodes each encoding, by the first byte of the body. */
const decoders = {
  // It may have several members (RFC 1952, §2.2), which are garbage to WHOLE; `decode` finds what is after them.
  gzip: () => zlib.createGunzip(),
  // It should begin with the header of zlib (RFC 1950), but some send it without, and browsers accept both.
  deflate: (first) => ((first & 0x0f) === 8 ? zlib.createInflate(WHOLE) : zlib.createInflateRaw(WHOLE)),
  br: () => zlib.createBrotliDecompress(WHOLE),
  zstd: () => zlib.createZstdDecompress({ ...ZSTD, ...WHOLE }),
} satisfies Record<string, (first: number) => Transform & { bytesWritten: number }>;

export type Encoding = keyof typeof decoders;

/** Encodings that are understood, for the header `Accept-Encoding` of a refusal (RFC 9110, §15.5.16). */
const ENCODINGS = Object.keys(decoders).join(', ');

/**
 * The encoding in a Content-Encoding, null for none (RFC 9110, §8.4).
 * @throws UnsupportedBodyError for others, and for several
 */
export function encodingOf(header: string | undefined): Encoding | null {
  if (header === undefined) return null;
  const names = header
    .toLowerCase()
    .split(',', 10)
    .map((name) => name.trim());
  const [encoding = null, ...others] = names.filter((name) => name !== '' && name !== 'identity');
  if (encoding === null) return null;
  const known = encoding === 'x-gzip' ? 'gzip' : encoding;
  if (others.length === 0 && Object.hasOwn(decoders, known)) return known as Encoding;
  throw new UnsupportedBodyError(
    `Content-Encoding must be one of ${ENCODINGS}, or be left out; it is ${printable(header, 60)}`,
    'content-encoding',
    { 'accept-encoding': ENCODINGS },
  );
}

/**
 * Decodes a body as it arrives, no more of it than is read: its reader counts.
 * @throws BAD_REQUEST for one that is cut off or damaged
 */
export async function* decode(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  const source = chunks[Symbol.asyncIterator]();
  const { value: first } = await source.next();
  let [sent, isSent] = [0, false];
  async function* whole() {
    for (let piece = first; piece; piece = (await source.next()).value) {
      sent += piece.length;
      yield piece;
    }
    isSent = true;
  }
  const decoder = decoders[encoding](first?.[0] ?? 0);
  try {
    yield* pipeline(whole, decoder, () => {});
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw damaged(encoding);
  }
  if (!isSent || decoder.bytesWritten !== sent) throw damaged(encoding);
}

function damaged(encoding: Encoding): AppError {
  return badRequest(`The body cannot be decoded as ${encoding}: it is cut off or damaged`, 'content-encoding');
}
