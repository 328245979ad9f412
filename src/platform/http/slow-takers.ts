import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { MINUTE_MS, SECOND_MS } from '../lib/clock.ts';

/**
 * How long a client may read nothing of a response (Node checks once in that time, so it can be twice as long), and how
 * long it may take for a whole one that is held in memory.
 */
export type TakingLimits = { stallMs: number; wholeMs: number };

const LIMITS: TakingLimits = { stallMs: 30 * SECOND_MS, wholeMs: 2 * MINUTE_MS };

/**
 * Closes connections of clients that do not read their responses, each of which could keep up to 10 MiB in memory
 * indefinitely. Files and exports are streamed, so they may take longer.
 */
export function closeSlowTakers(app: FastifyInstance, { stallMs, wholeMs }: TakingLimits = LIMITS): void {
  app.addHook('onSend', (_, reply, payload, done) => {
    const { raw } = reply;
    // An injected request has no connection, and its timer would keep the process alive.
    if (raw.socket instanceof Socket) raw.setTimeout(stallMs, () => raw.destroy());
    if (!isDownload(reply, payload)) {
      const timer = setTimeout(() => raw.destroy(), wholeMs).unref();
      raw.once('close', () => clearTimeout(timer));
    }
    done(null, payload);
  });
}

function isDownload(reply: FastifyReply, payload: unknown): boolean {
  const headers = payload instanceof Response ? payload.headers : null;
  return payload instanceof Readable || reply.hasHeader('content-disposition') || !!headers?.has('content-disposition');
}
