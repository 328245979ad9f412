import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, badRequest } from '../errors.ts';
import { type Holding, Shares } from '../limits/shares.ts';
import { decode, encodingOf } from './content-encoding.ts';
import { networkOf } from './ip.ts';
import { requireMediaType } from './media-type.ts';
import { textOf } from './utf8.ts';

const CUT_OFF = 'The body cannot be read: the connection was closed before its end';

/** Bytes of incomplete bodies: keys have limits of requests, and anybody may have many keys, as those of sandboxes. */
const INCOMPLETE = { all: 64 * 1_048_576, network: 32 * 1_048_576 };
/** What a piece takes besides its bytes. */
export const PIECE_BYTES = 300;
/** What an upload takes that is worked on as it arrives. */
const UPLOAD_BYTES = 262_144;

declare module 'fastify' {
  interface FastifyRequest {
    /** Among whom the memory for incomplete bodies is divided. */
    readonly incomplete: Shares;
  }
}

/** What a body is read from. */
type Sent = Pick<FastifyRequest, 'headers' | 'raw' | 'address' | 'incomplete'>;

/** Leaves bodies of any type unread: who sends is known first, and reads with `readJson` or `withBody`. */
export function leaveBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  const shares = new Shares(INCOMPLETE);
  app.decorateRequest('incomplete', { getter: () => shares });
}

/**
 * The text of a body of JSON, decoded; empty if there is none, whatever its type. The sender is known by now: a body
 * is kept in memory.
 * @throws UnsupportedBodyError for another media type, charset or encoding; BAD_REQUEST for a damaged body and for what
 * is not UTF-8; PAYLOAD_TOO_LARGE if it has more bytes than `most`, before or after it is decompressed
 */
export async function readJson(request: Sent, most: number): Promise<string> {
  const { headers, raw } = request;
  const length = Number(headers['content-length']);
  if (length > most) throw bodyTooLarge(most);
  // A small body comes along with the headers, and waits as a whole by now.
  const body = raw.readableLength === length ? takeWaiting(raw) : await readBytes(request, most);
  if (body.length === 0) return '';
  const { 'content-type': type, 'content-encoding': encoded } = headers;
  if (type !== 'application/json') requireMediaType(type, 'application/json');
  const encoding = encodingOf(encoded);
  if (encoding === null) return textOf(body);
  const chunks = atMost(decode(piecesOf(body), encoding), most);
  return textOf(Buffer.concat(await Array.fromAsync(chunks)));
}

function takeWaiting(raw: IncomingMessage): Buffer {
  const body: Buffer | null = raw.read();
  return body ?? Buffer.alloc(0);
}

/**
 * The bytes of a body, not decompressed. What is left of one that is too large is passed over.
 * @throws PAYLOAD_TOO_LARGE, BAD_REQUEST
 */
export function readBytes(request: Sent, most: number): Promise<Buffer> {
  const { raw } = request;
  const holding = hold(request);
  const received = new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const fail = () => {
      if (!raw.readableEnded) reject(badRequest(CUT_OFF));
    };
    raw.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) return reject(bodyTooLarge(most));
      chunks.push(chunk);
      holding.add(chunk.length + PIECE_BYTES);
    });
    raw.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    raw.once('error', fail).once('close', fail);
    // The sender may have hung up by now: then no event follows.
    if (raw.destroyed) fail();
  });
  return received.finally(() => holding.release());
}

function hold({ raw, address, incomplete }: Sent): Holding {
  return incomplete.hold({ network: networkOf(address), isIdle: () => true, lose: () => raw.destroy() });
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
  request: Sent,
  most: number,
  work: (chunks: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const { raw } = request;
  const encoding = encodingOf(raw.headers['content-encoding']);
  const sent = atMost(receive(raw), most);
  const chunks = encoding === null ? sent : atMost(decode(sent, encoding), most);
  const holding = hold(request);
  holding.add(UPLOAD_BYTES);
  try {
    return await work(chunks);
  } finally {
    holding.release();
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
    throw badRequest(CUT_OFF);
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
