import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request as requestPlain,
} from 'node:http';
import { request as requestSecure } from 'node:https';
import { SECOND_MS } from '../../../platform/lib/clock.ts';

/** Where a server is asked: its URL, and the address that its host stands for here. */
export type Place = { url: URL; address: string };

type Question = {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  /** How many zero bytes the body has. */
  bodyBytes?: number;
  limitMs?: number;
  /** Whether to stop at the first bytes of the response. */
  isForBeginning?: boolean;
};

export type Reply = {
  status: number;
  headers: IncomingHttpHeaders;
  /** The beginning of the body. */
  text: string;
  /** How long the first byte of the body took. */
  firstByteMs: number;
  localAddress: string;
};

const LIMIT_MS = 10 * SECOND_MS;
const MAX_BYTES = 65_536;
const CHUNK = Buffer.alloc(65_536);
/** How long a server may take to refuse a body by its length, before it is sent. */
const EARLY_MS = 300;

/** Raised when a connection ends while a body is being sent. */
export class BodyBrokenError extends Error {
  readonly sentBytes: number;

  constructor(sentBytes: number, cause: unknown) {
    super('The connection was closed', { cause });
    this.sentBytes = sentBytes;
  }
}

/**
 * Sends a request and reads at most the beginning of its response. Certificates are not checked here, so that one fault
 * does not hide others: `certificate.ts` does. Redirects are not followed.
 */
export async function ask({ url, address }: Place, question: Question = {}): Promise<Reply> {
  const { method = 'GET', headers = {}, bodyBytes = 0, limitMs = LIMIT_MS } = question;
  const signal = AbortSignal.timeout(limitMs);
  const options: RequestOptions & { rejectUnauthorized: boolean } = {
    method,
    signal,
    agent: false,
    rejectUnauthorized: false,
    headers: { 'user-agent': 'earshot-doctor', ...headers, ...(bodyBytes > 0 && { 'content-length': bodyBytes }) },
    lookup: (_host, { all }, done) => {
      const found = { address, family: address.includes(':') ? 6 : 4 };
      if (all) done(null, [found]);
      else done(null, found.address, found.family);
    },
  };
  const begun = performance.now();
  const sent = url.protocol === 'https:' ? requestSecure(url, options) : requestPlain(url, options);
  let sentBytes = 0;
  try {
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject);
    });
    if (bodyBytes > 0) {
      sent.flushHeaders();
      const timer = setTimeout(() => sendBody(), EARLY_MS);
      answered.finally(() => clearTimeout(timer)).catch(() => {});
    } else sent.end();
    const response = await answered;
    return await readReply(response, begun, question.isForBeginning ?? false);
  } catch (error) {
    if (signal.aborted) throw Object.assign(new Error('no response'), { code: 'ETIMEDOUT', cause: error });
    throw sentBytes > 0 ? new BodyBrokenError(sentBytes, error) : error;
  } finally {
    sent.destroy();
  }

  /** Until all of it is sent, or there is a response. */
  function sendBody(): void {
    while (sentBytes < bodyBytes && !sent.destroyed) {
      const chunk = CHUNK.subarray(0, bodyBytes - sentBytes);
      sentBytes += chunk.length;
      if (!sent.write(chunk)) {
        sent.once('drain', sendBody);
        return;
      }
    }
    if (!sent.destroyed) sent.end();
  }
}

async function readReply(response: IncomingMessage, begun: number, isForBeginning: boolean): Promise<Reply> {
  const { statusCode: status = 0, headers, socket } = response;
  const localAddress = socket.localAddress ?? '';
  let firstByteMs = Number.POSITIVE_INFINITY;
  let bytes = Buffer.alloc(0);
  for await (const chunk of response) {
    firstByteMs = Math.min(firstByteMs, performance.now() - begun);
    bytes = Buffer.concat([bytes, chunk]);
    if (isForBeginning || bytes.length > MAX_BYTES) break;
  }
  return { status, headers, text: bytes.toString('utf8'), firstByteMs, localAddress };
}
