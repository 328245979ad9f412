import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { makeId } from '../lib/ids.ts';
import { SHOWN_HEADERS } from './any-origin.ts';
import { LINGER_MS } from './lingering.ts';

/** An error of Node's parser, with its reason, or of its timers. */
type ClientError = Error & { code?: string; reason?: string };

/** As Node keeps it: the response that is being sent on a connection. */
type Answering = Socket & { _httpMessage?: { _headerSent?: boolean } | null };

const answered = new WeakSet<Socket>();

/**
 * Responds to a request that Node refuses before the app sees it. What the client is still sending is read and dropped for
 * a while, since closing at once could lose the response.
 */
export function answerClientError(error: ClientError, socket: Socket, lingerMs: number = LINGER_MS): void {
  // Node reports what else arrives, too.
  if (answered.has(socket)) return;
  answered.add(socket);
  const isBegun = (socket as Answering)._httpMessage?._headerSent ?? false;
  if (error.code === 'ECONNRESET' || !socket.writable || isBegun) return void socket.destroy();
  const { status, headers, body } = describe(error);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
  socket.once('end', () => socket.destroy()).resume();
}

/** Ends a request that the app does not get to see, and its connection. */
export function refuse(response: ServerResponse, status: 400 | 417, message: string): void {
  const { headers, body } = makeRefusal(status, message);
  response.writeHead(status, headers).end(body);
}

function describe({ code = '', reason }: ClientError) {
  if (code === 'HPE_HEADER_OVERFLOW') return makeRefusal(431, 'The request line and headers are larger than 16 KiB');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return makeRefusal(408, 'The request did not arrive in time');
  return makeRefusal(400, `This is not valid HTTP${reason ? `: ${reason}` : ''}`);
}

/** In the form of docs/errors.md, and readable by pages of other origins: it shows nothing that is not theirs. */
function makeRefusal(status: number, message: string) {
  const requestId = makeId();
  const body = JSON.stringify({ errors: [{ message, extensions: { code: 'BAD_REQUEST', requestId } }] });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': SHOWN_HEADERS,
    connection: 'close',
  };
  return { status, headers, body };
}
