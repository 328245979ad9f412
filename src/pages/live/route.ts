import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findBoard } from '../../identity/board/board.ts';
import { isPrivate } from '../../identity/users/entry.ts';
import type { Db } from '../../platform/db/db.ts';
import { networkOf } from '../../platform/http/ip.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { Readers } from './readers.ts';

/** The numbers of up to 100 posts. */
const POSTS = /^[1-9]\d{0,8}(?:,[1-9]\d{0,8}){0,99}$/;

type LiveDeps = {
  db: Db;
  log: Logger;
  metrics: Pick<Metrics, 'watchPages'>;
  /** Aborted when the process stops. */
  stopping: AbortSignal;
};

/**
 * Serves the stream of votes, comments and statuses for the posts on an open page of a board
 * (docs/decisions/0030-live-pages.md). It is the same for every viewer, and has only what anonymous ones may see. For a
 * private board, or one that does not exist, and when there is no room, the response is 204, and browsers stop asking.
 */
export function liveRoute(app: FastifyInstance, { db, log, metrics, stopping }: LiveDeps): void {
  const readers = new Readers(db, log);
  metrics.watchPages(() => readers.count);
  stopping.addEventListener('abort', () => readers.close());
  app.addHook('preClose', async () => readers.close());
  app.get('/b/:pid/live', { exposeHeadRoute: false }, async (request, reply) => {
    const { raw } = reply;
    const network = networkOf(request.address);
    const numbers = numbersOf(request);
    reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no');
    const { pid } = request.params as { pid: string };
    const board = numbers.length > 0 && readers.hasRoom(network) ? await findBoard(db.read, pid) : null;
    if (!board || isPrivate(board) || !readers.hasRoom(network)) return reply.code(204).send();
    reply.hijack();
    if (raw.destroyed) return;
    // Written to directly: with the streams of a reply, an open page takes twice the memory.
    for (const [name, value = ''] of Object.entries(reply.getHeaders())) raw.setHeader(name, value);
    raw.writeHead(200, { 'content-type': 'text/event-stream' });
    readers.enter(raw, network, board.id, numbers);
  });
}

function numbersOf({ query }: FastifyRequest): number[] {
  const { posts } = query as Record<string, unknown>;
  return typeof posts === 'string' && POSTS.test(posts) ? posts.split(',').map(Number) : [];
}
