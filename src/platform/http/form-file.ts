import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { type AppError, badRequest } from '../errors.ts';
import { fileNameOf } from './file-name.ts';

/** Bytes of the headers of a part. */
const MAX_HEAD_BYTES = 16_384;

/** RFC 2046, §5.1.1; only ASCII, and without what would have to be escaped in quotes. */
const BOUNDARY = /^[ !#-[\]-~]{0,69}[!#-[\]-~]$/;

/** A file as it arrives: the name that its sender gives it, and its bytes. */
export type FormFile = { name: string; bytes: Readable };

/**
 * The file of a form (RFC 7578) that has nothing else. Its bytes end with an error if the form does not end with them.
 * @param chunks the body
 * @throws BAD_REQUEST for any other body
 */
export async function openFormFile(chunks: AsyncIterable<Buffer>, boundary: string | null): Promise<FormFile> {
  if (boundary === null || !BOUNDARY.test(boundary)) throw broken('Content-Type has no valid boundary');
  const body = new MarkedBytes(chunks);
  const delimiter = `\r\n--${boundary}`;
  await body.skipTo(delimiter);
  if (await body.begins('--')) throw onlyOneFile();
  const headers = readHead(await body.takeTo('\r\n\r\n'));
  const name = fileNameOf(headers.get('content-disposition') ?? '');
  const isFile = name !== null || /^application\/octet-stream\b/i.test(headers.get('content-type') ?? '');
  if (!isFile) throw onlyOneFile();
  requireAsIs(headers.get('content-transfer-encoding') ?? 'binary');
  return { name: name ?? '', bytes: Readable.from(readFile(body, delimiter), { objectMode: false }) };
}

async function* readFile(body: MarkedBytes, delimiter: string): AsyncGenerator<Buffer> {
  yield* body.upTo(delimiter);
  if (!(await body.begins('--'))) throw onlyOneFile();
  // To its end, so that a compressed body is checked as a whole.
  await body.skipRest();
}

/** The headers of a part, which follow what may be behind its delimiter. */
function readHead(head: Buffer): Map<string, string> {
  if (!isUtf8(head))
    throw badRequest('The name of the file must be UTF-8, or be sent as filename* (RFC 8187)', 'filename');
  const [padding = '', ...lines] = head
    .toString()
    .replace(/\r\n(?=[\t ])/g, '')
    .split('\r\n');
  if (padding.trim() !== '') throw broken('a part has no headers');
  return new Map(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):[\t ]*(.*)$/s.exec(line) ?? [];
      if (name === '') throw broken('a header of a part is none');
      return [name.toLowerCase(), value];
    }),
  );
}

/** A deprecated header (RFC 7578, §4.7), by which the bytes would not be those of the file. */
function requireAsIs(encoding: string): void {
  if (/^(binary|8bit|7bit)$/i.test(encoding.trim())) return;
  throw badRequest('Content-Transfer-Encoding must be binary, or be left out');
}

function onlyOneFile(): AppError {
  return badRequest('The body must have one part, which is a file');
}

function broken(why: string): AppError {
  return badRequest(`The body cannot be read: ${why}`);
}

/** Bytes that are read up to marks in them. They begin with an end of line, so that a delimiter may come first. */
class MarkedBytes {
  readonly #chunks: AsyncIterator<Buffer>;
  #held = Buffer.from('\r\n');

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** What comes before the mark; what follows it is read next. */
  async *upTo(mark: string): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(mark);
      // Without the mark, all is certain but what may be its beginning.
      const end = at >= 0 ? at : Math.max(0, this.#held.length - mark.length + 1);
      const certain = this.#held.subarray(0, end);
      this.#held = this.#held.subarray(at >= 0 ? end + mark.length : end);
      if (certain.length > 0) yield certain;
      if (at >= 0) return;
      if (!(await this.#hasMore())) throw broken('it ends too early');
    }
  }

  async skipTo(mark: string): Promise<void> {
    for await (const _ of this.upTo(mark));
  }

  /** @throws BAD_REQUEST for more bytes than the headers of a part may have */
  async takeTo(mark: string): Promise<Buffer> {
    let taken = Buffer.alloc(0);
    for await (const piece of this.upTo(mark)) {
      taken = Buffer.concat([taken, piece]);
      if (taken.length > MAX_HEAD_BYTES) throw broken(`the headers of a part have more than ${MAX_HEAD_BYTES} bytes`);
    }
    return taken;
  }

  /** Whether these bytes come next; then they are passed over. */
  async begins(bytes: string): Promise<boolean> {
    while (this.#held.length < bytes.length && (await this.#hasMore()));
    if (!this.#held.subarray(0, bytes.length).equals(Buffer.from(bytes))) return false;
    this.#held = this.#held.subarray(bytes.length);
    return true;
  }

  async skipRest(): Promise<void> {
    do this.#held = Buffer.alloc(0);
    while (await this.#hasMore());
  }

  async #hasMore(): Promise<boolean> {
    const { value, done } = await this.#chunks.next();
    if (done) return false;
    this.#held = Buffer.concat([this.#held, value]);
    return true;
  }
}
