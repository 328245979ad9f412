import { type Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIPv4, type LookupFunction, type Socket } from 'node:net';
import { isSameAddress } from './address.ts';
import type { VettedOptions } from './agents.ts';
import type { Endpoint } from './endpoint.ts';
import type { Answer, Fault, OutgoingRequest } from './exchange.ts';
import { MAX_HEADERS } from './loose-answer.ts';
import { LooseReading } from './loose-reading.ts';
import { faultOf, type Phase } from './network-faults.ts';

/** Maximum bytes that are read of a receiver's response body. */
export const MAX_BODY_BYTES = 16_384;
/** Maximum bytes of response headers. */
const MAX_HEADER_BYTES = 16_384;
/** Maximum number of 1xx responses before the final one. */
const MAX_INTERIM = 32;

/** The result of a request; `stale` if a reused connection turned out to be closed before any response. */
export type Outcome = { answer: Answer } | { fault: Fault } | 'stale';

type Sending = {
  outcome: Promise<Outcome>;
  /** Ends it now: with the response received so far if there is one, else with this fault. */
  end(fault: Fault): void;
};

/** One request to addresses that were vetted. */
type Transmission = {
  request: OutgoingRequest;
  endpoint: Endpoint;
  addresses: readonly string[];
  agent: Agent;
  /** Bytes of the response body that are read. */
  maxBodyBytes: number;
  /** Called when each phase begins, and last when the response headers have arrived. */
  onPhase(phase: Exclude<Phase, 'dns'> | 'answered'): void;
};

/**
 * Sends a request, and reads the response headers and the beginning of the body. Redirects are not followed. A response
 * that is not valid HTTP counts if its status line can be read: its receiver has acted, and would be asked again. To a
 * GET, it counts once its headers are complete, since there is no answer without the body.
 */
export function send({ request, endpoint, addresses, agent, maxBodyBytes, onPhase }: Transmission): Sending {
  const { promise: outcome, resolve } = Promise.withResolvers<Outcome>();
  const sent = startRequest(request, endpoint, addresses, agent);
  let phase: Phase = 'connect';
  let bytesBefore = 0;
  let interimAnswers = 0;
  let isSettled = false;
  let reading: { finish(isCut: boolean): void } | null = null;
  let loose: LooseReading | null = null;
  let refusal: Fault = { kind: 'connection closed' };

  const enter = (next: Exclude<Phase, 'dns'>) => {
    phase = next;
    onPhase(next);
  };
  /** A settled exchange must leave nothing behind: only a connection with nothing left to read is kept. */
  const settle = (settled: Outcome, canKeep = false) => {
    isSettled = true;
    resolve(settled);
    loose?.stop();
    if (!canKeep || !sent.writableFinished) sent.destroy();
  };
  const fail = (fault: Fault) => {
    if (isSettled) return;
    const mayFollow = fault.kind === 'timed out' || fault.kind === 'stopped';
    const isLoose = loose?.isOn || (!reading && !mayFollow);
    const answer = isLoose ? loose?.finish(!mayFollow) : null;
    if (answer) settle({ answer });
    else if (reading) reading.finish(true);
    else settle({ fault });
  };

  enter('connect');
  sent.on('socket', (socket) => {
    bytesBefore = socket.bytesRead;
    loose = new LooseReading(socket, {
      needsBody: request.method === 'GET',
      maxHeaderBytes: MAX_HEADER_BYTES,
      maxBodyBytes: Math.min(maxBodyBytes, MAX_BODY_BYTES),
      onHeaders: () => onPhase('answered'),
      onEnd: () => fail(refusal),
    });
    whenReady(socket, endpoint.isHttps, enter, () => {
      if (!addresses.some((address) => isSameAddress(address, socket.remoteAddress ?? ''))) {
        return fail({ kind: 'address not allowed' });
      }
      enter('answer');
      sent.end(request.body);
    });
  });
  sent.on('information', () => {
    interimAnswers += 1;
    if (interimAnswers > MAX_INTERIM)
      fail({ kind: 'answer not understood', reason: 'it keeps sending informational responses' });
  });
  sent.on('upgrade', (_, socket) => {
    // The connection is no longer the request's.
    socket.destroy();
    fail({ kind: 'answer not understood', reason: 'it switches to another protocol' });
  });
  sent.on('response', (response) => {
    onPhase('answered');
    reading = readAnswer(response, maxBodyBytes, (answer) => isSettled || settle({ answer }, !answer.isCut));
  });
  sent.on('error', (error) => {
    if (isSettled) return;
    if ((error as NodeJS.ErrnoException).code?.startsWith('HPE_')) {
      refusal = faultOf(error, phase, endpoint);
      if (loose?.start()) return;
    }
    // The part of the body that was received is still being read, and its end follows.
    if (reading) return;
    if (isStale(sent, bytesBefore, error)) settle('stale');
    else fail(faultOf(error, phase, endpoint));
  });
  sent.on('close', () => (loose?.isOn ? fail(refusal) : (reading ?? fail({ kind: 'connection closed' }))));
  return { outcome, end: fail };
}

function startRequest(
  { method, headers }: OutgoingRequest,
  endpoint: Endpoint,
  addresses: readonly string[],
  agent: Agent,
): ClientRequest {
  const options: VettedOptions = {
    agent,
    method,
    host: endpoint.host,
    port: endpoint.port,
    path: endpoint.path,
    headers: { 'accept-encoding': 'identity', ...headers, host: endpoint.authority },
    lookup: lookupOf(addresses),
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
    vetted: addresses.toSorted().join(),
  };
  // A server name must not be an address; without one the certificate is checked against the host.
  const servername = endpoint.isAddress ? '' : endpoint.host;
  const sent = endpoint.isHttps ? requestHttps({ ...options, servername }) : requestHttp(options);
  sent.maxHeadersCount = MAX_HEADERS;
  return sent;
}

/** Returns the vetted addresses for every lookup: nothing is resolved again between check and use. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }));
  return (_host, options, callback) => {
    const [first = { address: '', family: 4 }] = all;
    // Always later, as Node's own lookup does.
    process.nextTick(() => (options.all ? callback(null, all) : callback(null, first.address, first.family)));
  };
}

/** Calls back when a connection can carry a request: immediately for a reused one. */
function whenReady(socket: Socket, isHttps: boolean, enter: (phase: 'tls') => void, ready: () => void): void {
  if (!socket.connecting) {
    ready();
  } else if (!isHttps) {
    socket.once('connect', ready);
  } else {
    socket.once('connect', () => enter('tls'));
    socket.once('secureConnect', ready);
  }
}

function readAnswer(
  response: IncomingMessage,
  maxBytes: number,
  done: (answer: Answer) => unknown,
): { finish(isCut: boolean): void } {
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = (isCut: boolean) => {
    const body = Buffer.concat(chunks).subarray(0, maxBytes);
    done({ status: response.statusCode ?? 0, headers: pairsOf(response.rawHeaders), body, isCut });
  };
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) finish(true);
  });
  response.on('end', () => finish(!response.complete));
  // The error itself is of no interest; without a listener it would end the process.
  response.on('error', () => {});
  response.on('close', () => finish(!response.complete));
  return { finish };
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, n): [string, string][] => (n % 2 === 0 ? [[name.toLowerCase(), raw[n + 1] ?? '']] : []));
}

/** A server may close a kept connection just as it is used again: if nothing came back, the request was not handled. */
function isStale(sent: ClientRequest, bytesBefore: number, error: Error & { code?: string }): boolean {
  const isClosed = error.code === 'ECONNRESET' || error.code === 'EPIPE';
  return sent.reusedSocket && isClosed && sent.socket?.bytesRead === bytesBefore;
}
