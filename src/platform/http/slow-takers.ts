import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { MINUTE_MS, SECOND_MS } from '../lib/clock.ts';

/**
 * How long a client may read nothing of a response (Node checks once in that time, so it can be twice as long), and how
 * long it may take for a whole one that is held in memory.
 */
type TakingLimits = { stallMs: number; wholeMs: number };

const LIMITS: TakingLimits = { stallMs: 30 * SECOND_MS, wholeMs: 2 * MINUTE_MS };

/**
 * Closes connections of clients that do not read their responses, each of which could keep up to 10 MiB in memory
 * indefinitely. Files and exports are streamed, so they may take longer.
 */
export function closeSlowTakers(app: FastifyInstance, limits: TakingLimits = LIMITS): void {
  let sent: (readonly [ServerResponse, isDownload: boolean])[] = [];
  // Most responses are small and taken at once, so two turns later there is nothing to wait for.
  const watchRest = () => {
    const all = sent;
    sent = [];
    for (const [response, isDownload] of all) {
      // One that is destroyed is kept by nothing but its timer, and there may be thousands in a second.
      if (!response.writableFinished && !response.destroyed) watch(response, isDownload, limits);
    }
  };
  app.addHook('onSend', (_, reply, payload, done) => {
    if (sent.push([reply.raw, isDownload(reply, payload)]) === 1) setImmediate(setImmediate, watchRest);
    done(null, payload);
  });
}

function watch(response: ServerResponse, isDownload: boolean, { stallMs, wholeMs }: TakingLimits): void {
  // An injected request has no connection, and its timer would keep the process alive.
  if (response.socket instanceof Socket) response.setTimeout(stallMs, () => response.destroy());
  if (isDownload) return;
  const timer = setTimeout(() => response.destroy(), wholeMs).unref();
  response.once('close', () => clearTimeout(timer));
}

function isDownload(reply: FastifyReply, payload: unknown): boolean {
  const headers = payload instanceof Response ? payload.headers : null;
  return payload instanceof Readable || reply.hasHeader('content-disposition') || !!headers?.has('content-disposition');
}
