import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { badRequest } from '../platform/errors.ts';
import { PIECE_BYTES } from '../platform/http/body.ts';
import { encodingOf } from '../platform/http/content-encoding.ts';
import type { Holding } from '../platform/limits/shares.ts';
import { msg } from '../platform/messages.ts';
import { boundaryOf, FORM, isWithFiles, TOO_LARGE } from './form-limits.ts';
import { Refusal } from './refusal.ts';

/** The field by which a form says that files of it are missing, because it was too large. */
const WITHOUT_FILES = 'without-files';

/** No browser compresses what it sends. */
const COMPRESSED = 'A form must not be compressed: send it without Content-Encoding.';

/** What is kept of the end of a form that is too large: the fields after its files. */
const END_BYTES = 65_536;

/** What a form can take of memory, besides that of its pieces. */
const MOST_KEPT = FORM.bytes + 2 * END_BYTES;

/**
 * Reads the body of a form. One with files that is too large is received without them, so that its page can show again
 * what was typed.
 * @param holding what it holds of the memory for forms
 * @throws Refusal, and UnsupportedBodyError for an encoding that is none
 */
export async function readBody(
  headers: IncomingHttpHeaders,
  payload: Readable,
  holding: Holding | undefined,
): Promise<Buffer> {
  if (encodingOf(headers['content-encoding']) !== null) throw new Refusal(415, COMPRESSED);
  const contentType = headers['content-type'] ?? '';
  const most = isWithFiles(contentType) ? FORM.received : FORM.bytes;
  if (Number(headers['content-length']) > most) throw new Refusal(413, TOO_LARGE);
  const start: Buffer[] = [];
  const end = new LastBytes();
  let size = 0;
  try {
    // Ending the iteration must not end the connection: it is answered.
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      holding?.add(Math.min(chunk.length, Math.max(0, MOST_KEPT - size)) + PIECE_BYTES);
      const room = Math.max(0, FORM.bytes - size);
      size += chunk.length;
      if (size > most) throw new Refusal(413, TOO_LARGE);
      if (room > 0) start.push(chunk.subarray(0, room));
      // Smaller forms are whole in `start`.
      if (size > FORM.bytes - END_BYTES) end.push(chunk);
    }
  } catch (error) {
    // The client has gone.
    throw error instanceof Refusal ? error : new Refusal(400, 'This request cannot be read.');
  }
  const read = Buffer.concat(start);
  return size <= FORM.bytes ? read : leaveOutFiles(contentType, read, end.read(), size);
}

/** Refuses a form without its files, so that nothing is saved without them. @throws BAD_REQUEST */
export function requireFiles(form: Record<string, string>, field: string): void {
  if (WITHOUT_FILES in form) throw badRequest(msg('formFilesTooLarge'), field);
}

/** The end of what it is given. It is cut now and then, not with every chunk: these may be small. */
class LastBytes {
  #chunks: Buffer[] = [];
  #size = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < 2 * END_BYTES) return;
    this.#chunks = [this.read()];
    this.#size = END_BYTES;
  }

  read(): Buffer {
    return Buffer.concat(this.#chunks).subarray(-END_BYTES);
  }
}

/** A form of the parts that are whole at the start and at the end of one, which may overlap. */
function leaveOutFiles(contentType: string, start: Buffer, end: Buffer, size: number): Buffer {
  const boundary = boundaryOf(contentType);
  const delimiter = `\r\n--${boundary}`;
  const from = start.lastIndexOf(delimiter);
  if (boundary === null || from < 0) throw new Refusal(413, TOO_LARGE);
  const to = end.indexOf(delimiter, Math.max(0, from + delimiter.length - (size - end.length)));
  const field = `${delimiter}\r\nContent-Disposition: form-data; name="${WITHOUT_FILES}"\r\n\r\non`;
  return Buffer.concat([
    start.subarray(0, from),
    Buffer.from(field),
    to < 0 ? Buffer.from(`${delimiter}--\r\n`) : end.subarray(to),
  ]);
}
