import { request } from 'node:http';
import type { Answer, Dial, Exchange, Fault, OutgoingRequest } from '../../src/webhooks/exchange.ts';

const BODY_LIMIT = 16 * 1024;

/** Dials receivers on this machine over plain HTTP, without judging addresses. */
export function makePlainDial(limitMs = 5_000): Dial {
  return (outgoing, signal) => dialOnce(outgoing, limitMs, signal);
}

function dialOnce(outgoing: OutgoingRequest, limitMs: number, signal?: AbortSignal): Promise<Exchange> {
  const start = performance.now();
  const elapsed = () => performance.now() - start;
  let firstByte: number | null = null;
  const timings = () => ({ dns: null, connect: null, tls: null, firstByte, total: elapsed() });
  return new Promise((resolve) => {
    const { url, method, headers, body } = outgoing;
    const call = request(url, {
      method,
      headers: { ...headers, 'content-length': body?.byteLength ?? 0 },
      agent: false,
    });
    const fail = (fault: Fault) => {
      call.destroy();
      resolve({ timings: timings(), fault });
    };
    const timer = setTimeout(() => fail({ kind: 'timed out', phase: 'answer' }), limitMs);
    const stop = () => fail({ kind: 'stopped' });
    signal?.addEventListener('abort', stop);
    call.on('close', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    });
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') fail({ kind: 'connection refused' });
      else fail({ kind: 'connection closed' });
    });
    call.on('response', (response) => {
      firstByte = elapsed();
      const chunks: Buffer[] = [];
      const end = (isCut: boolean) => {
        const answer: Answer = {
          status: response.statusCode ?? 0,
          headers: pairs(response.rawHeaders),
          body: Buffer.concat(chunks).subarray(0, BODY_LIMIT),
          isCut,
        };
        resolve({ timings: timings(), answer });
        call.destroy();
      };
      clearTimeout(timer);
      const bodyTimer = setTimeout(() => end(true), Math.max(0, limitMs - elapsed()));
      response.on('close', () => clearTimeout(bodyTimer));
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (Buffer.concat(chunks).length > BODY_LIMIT) end(true);
      });
      response.on('end', () => end(false));
      response.on('error', () => end(true));
    });
    call.end(body);
  });
}

function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, n): [string, string][] => (n % 2 ? [] : [[name.toLowerCase(), raw[n + 1] ?? '']]));
}
