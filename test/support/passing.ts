import {
  type Agent,
  type ClientRequestArgs,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Readable, Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** Whom a proxy has a connection with. */
export type Peer = { address: string; port: number };

/** How a proxy passes requests and responses on: without any of it, as they came. */
export type Passing = {
  /** The headers for the server, made from those of the client. */
  headers?(sent: IncomingHttpHeaders, client: Peer, server: URL): OutgoingHttpHeaders;
  /** The headers for the client, made from those of the server. */
  returned?(answered: IncomingHttpHeaders): IncomingHttpHeaders;
  /** HTTP/1.0, with a connection for each request, which is sent once all of it has come. */
  isOld?: boolean;
  /** Bytes of a response that are held back until they are so many, or all; some proxies hold nothing if told so. */
  held?: { bytes: number; unlessTold: boolean };
  /** How large a body may be. A proxy that streams has passed so much on by the time it notices. */
  limit?: { bytes: number; status: number; streams: boolean };
  /** What it writes on a page of its own. */
  errorPage?(status: number): { type: string; body: string };
};

/** What goes wrong on the way, after so many bytes of a body. */
export type Trouble =
  | { kind: 'answers itself'; status: number }
  | { kind: 'is slow'; delayMs: number }
  | { kind: 'cuts the request'; at: number }
  | { kind: 'cuts the response'; at: number; isReset?: boolean };

type Way = {
  target: URL;
  agent: Agent;
  passing: Passing;
  trouble: Trouble | null;
  /** Resets the connections with clients. */
  reset(): void;
  fail(reason: string): void;
  answered(status: number): void;
};

/** Sends a request to a server, and its response to the client. */
export async function passOn(incoming: IncomingMessage, outgoing: ServerResponse, way: Way): Promise<void> {
  const { target, agent, passing, trouble } = way;
  const { headers = withoutChange, isOld = false, limit } = passing;
  outgoing.on('error', () => {}); // the client has left
  if (trouble?.kind === 'is slow') await delay(trouble.delayMs);
  if (trouble?.kind === 'answers itself') return refuse(incoming, outgoing, trouble.status, passing);
  const { method, url = '/' } = incoming;
  const isTooLarge = limit && !limit.streams && Number(incoming.headers['content-length'] ?? 0) > limit.bytes;
  if (isTooLarge) return refuse(incoming, outgoing, limit.status, passing);
  const sent = { method, headers: headers(ofMessage(incoming.headers), peerOf(incoming), target) };
  const body = isOld ? Buffer.concat(await incoming.toArray()) : null;
  if (body && body.length > 0) sent.headers['content-length'] = body.length;
  const upstream = request(new URL(url, target), body ? { ...sent, createConnection } : { ...sent, agent });
  upstream.once('error', (error) => way.fail(error.message));
  upstream.once('response', (response) => answer(response, outgoing, way));
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) upstream.destroy();
  });
  if (body) return void upstream.end(body);
  const stop = (then: () => void) => () => {
    upstream.removeAllListeners('error').on('error', () => {});
    upstream.destroy();
    then();
  };
  const limited = limit
    ? cutAt(
        incoming,
        limit.bytes,
        stop(() => refuse(incoming, outgoing, limit.status, passing)),
      )
    : incoming;
  const cut = trouble?.kind === 'cuts the request' ? cutAt(limited, trouble.at, stop(way.reset)) : limited;
  cut.pipe(upstream);
}

/** Passes a response on. */
function answer(response: IncomingMessage, outgoing: ServerResponse, way: Way): void {
  const { trouble, passing } = way;
  const { statusCode = 502, headers } = response;
  way.answered(statusCode);
  response.once('aborted', () => way.fail('the answer broke off'));
  const cut = trouble?.kind === 'cuts the response' ? trouble : null;
  const breakOff = () => void (cut?.isReset ? way.reset() : outgoing.destroy());
  if (cut?.at === 0) {
    breakOff();
    return;
  }
  outgoing.writeHead(statusCode, ofMessage(passing.returned?.(headers) ?? headers));
  const { bytes, unlessTold } = passing.held ?? { bytes: 0, unlessTold: true };
  const held = unlessTold && headers['x-accel-buffering'] === 'no' ? response : holdBack(response, bytes);
  (cut ? cutAt(held, cut.at, breakOff) : held).pipe(outgoing);
}

function refuse(incoming: IncomingMessage, outgoing: ServerResponse, status: number, passing: Passing): void {
  incoming.resume();
  answerItself(outgoing, status, passing);
}

/** Answers with a page of the proxy's own. */
export function answerItself(outgoing: ServerResponse, status: number, { errorPage }: Passing): void {
  const { type, body } = errorPage?.(status) ?? { type: 'text/plain', body: '' };
  outgoing.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
}

const withoutChange = (headers: IncomingHttpHeaders): OutgoingHttpHeaders => headers;

/** What is said between two neighbours only (RFC 9110, §7.6.1), and what HTTP/2 adds. */
const OF_CONNECTION = /^(:.*|connection|keep-alive|transfer-encoding|upgrade|te|expect|http2-settings)$/;

/** The headers that a message has on every connection; HTTP/2 calls the host authority. */
function ofMessage(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.test(name)));
  const host = headers.host ?? headers[':authority'];
  return typeof host === 'string' ? { ...kept, host } : kept;
}

function peerOf({ socket: { remoteAddress = '', remotePort = 0 } }: IncomingMessage): Peer {
  return { address: remoteAddress, port: remotePort };
}

/** A connection on which a request is one of HTTP/1.0. */
function createConnection({ host, port }: ClientRequestArgs): Socket {
  const socket = connect(Number(port), host ?? '127.0.0.1');
  const { write } = socket;
  // The head is the first that is written, as one text.
  socket.write = (head: unknown, ...more: unknown[]) => {
    socket.write = write;
    return write.apply(socket, [String(head).replace(' HTTP/1.1\r\n', ' HTTP/1.0\r\n'), ...more] as never);
  };
  return socket;
}

/** Passes on so many bytes, and then calls. */
function cutAt(from: Readable, bytes: number, then: () => void): Readable {
  let left = bytes;
  const cut = new Transform({
    transform(chunk: Buffer, _, done) {
      if (left < 0) return done();
      const passed = chunk.subarray(0, left);
      left -= chunk.length;
      done(null, passed);
      // What was passed on is on its way by then.
      if (left < 0) setImmediate(then);
    },
  });
  return from.pipe(cut);
}

/** Passes on once so many bytes have come, or all. */
function holdBack(from: Readable, bytes: number): Readable {
  let held: Buffer[] = [];
  const letGo = () => {
    const all = Buffer.concat(held);
    held = [];
    return all;
  };
  const holding = new Transform({
    transform(chunk: Buffer, _, done) {
      held.push(chunk);
      const size = held.reduce((sum, { length }) => sum + length, 0);
      done(null, size >= bytes ? letGo() : undefined);
    },
    flush: (done) => done(null, letGo()),
  });
  return bytes === 0 ? from : from.pipe(holding);
}
