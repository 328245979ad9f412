import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, badRequest } from '../errors.ts';
import { decode, encodingOf } from './content-encoding.ts';
import { requireMediaType } from './media-type.ts';
import { textOf } from './utf8.ts';

/**
 * Takes bodies of any type as their bytes. They are read once the key is known: decompressing costs more than receiving,
 * and anyone may send.
 */
export function takeBytes(app: FastifyInstance, bodyLimit: number): void {
  app.removeAllContentTypeParsers();
  // The usual type is looked up by its name; any other is parsed first.
  app.addContentTypeParser(['application/json', '*'], { parseAs: 'buffer', bodyLimit }, (_, body, done) =>
    done(null, body),
  );
}

/**
 * The text of a body of JSON that `takeBytes` has taken, decoded; empty if there is none, whatever its type.
 * @throws UnsupportedBodyError for another media type, charset or encoding; BAD_REQUEST for a damaged body and for what
 * is not UTF-8; PAYLOAD_TOO_LARGE if it has more bytes than `most` once it is decompressed
 */
export async function readJson(
  { headers, body }: Pick<FastifyRequest, 'headers' | 'body'>,
  most: number,
): Promise<string> {
  if (!Buffer.isBuffer(body) || body.length === 0) return '';
  const { 'content-type': type, 'content-encoding': encoded } = headers;
  if (type !== 'application/json') requireMediaType(type, 'application/json');
  const encoding = encodingOf(encoded);
  if (encoding === null) return textOf(body);
  const chunks = atMost(decode(piecesOf(body), encoding), most);
  return textOf(Buffer.concat(await Array.fromAsync(chunks)));
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/**
 * Lends the bytes of a request as they arrive, decompressed. Those that are left when the work ends are passed over: a
 * client that is still sending reads the response afterwards.
 * @throws UnsupportedBodyError, BAD_REQUEST, and PAYLOAD_TOO_LARGE above `most` bytes, before or after decompressing
 */
export async function withBody<T>(
  raw: IncomingMessage,
  most: number,
  work: (chunks: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const encoding = encodingOf(raw.headers['content-encoding']);
  const sent = atMost(receive(raw), most);
  const chunks = encoding === null ? sent : atMost(decode(sent, encoding), most);
  try {
    return await work(chunks);
  } finally {
    const passOver = () => raw.resume();
    // Not at once if it waits for more of the body.
    chunks.return(undefined).then(passOver, passOver);
  }
}

async function* receive(raw: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // Its end must not end the connection, on which the response is sent.
    yield* raw.iterator({ destroyOnReturn: false });
  } catch {
    throw badRequest('The body cannot be read: the connection was closed before its end');
  }
}

async function* atMost(chunks: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > most) throw bodyTooLarge(most);
    yield chunk;
  }
}

/** The error for a body of more than `most` bytes. */
export function bodyTooLarge(most: number): AppError {
  const kibibytes = most / 1_024;
  const limit = kibibytes < 1_024 ? `${kibibytes} KiB` : `${kibibytes / 1_024} MiB`;
  return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than the limit of ${limit}`);
}
