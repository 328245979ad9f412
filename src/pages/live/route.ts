import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findBoard } from '../../identity/board/board.ts';
import { networkOf } from '../../platform/http/ip.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { People } from '../people.ts';
import type { PeopleDeps } from '../visitor.ts';
import { Readers } from './readers.ts';
import { findViewer, type LiveViewer } from './viewer.ts';

/** The numbers of up to 100 posts. */
const POSTS = /^[1-9]\d{0,8}(?:,[1-9]\d{0,8}){0,99}$/;
const POST = /^[1-9]\d{0,8}$/;

type LiveDeps = PeopleDeps & {
  log: Logger;
  metrics: Pick<Metrics, 'watchPages'>;
  /** Aborted when the process stops. */
  stopping: AbortSignal;
};

/**
 * Serves the stream of votes, comments and statuses for the posts on an open page of a board
 * (docs/decisions/0030-live-pages.md). Viewers get only what they may see. For a board that they may not enter, or that
 * does not exist, and when there is no room, the response is 204, and browsers stop asking.
 */
export function liveRoute(app: FastifyInstance, deps: LiveDeps): void {
  const { metrics, stopping } = deps;
  const readers = new Readers(deps);
  metrics.watchPages(() => readers.count);
  stopping.addEventListener('abort', () => readers.close());
  app.addHook('preClose', async () => readers.close());
  app.get('/b/:pid/live', { exposeHeadRoute: false }, async (request, reply) => {
    const { raw } = reply;
    const network = networkOf(request.address);
    const { numbers, open } = readQuery(request);
    reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no');
    const { pid } = request.params as { pid: string };
    const find = viewerFinder(deps, request, pid);
    const found = numbers.length > 0 && readers.hasRoom(network) ? await find() : null;
    if (!found || !readers.hasRoom(network)) return reply.code(204).send();
    const { boardId, viewer } = found;
    const isChecked = viewer.user !== null || viewer.isAdmitted;
    reply.hijack();
    if (raw.destroyed) return;
    // Written to directly: with the streams of a reply, an open page takes twice the memory.
    for (const [name, value = ''] of Object.entries(reply.getHeaders())) raw.setHeader(name, value);
    raw.writeHead(200, { 'content-type': 'text/event-stream' });
    const again = async () => (await find())?.viewer ?? null;
    readers.enter({ raw, network, viewer, open, findViewer: isChecked ? again : null }, boardId, numbers);
  });
}

/** Reads a board and who the sender of a request is on it, now and again later. An open page prolongs no session. */
function viewerFinder(deps: PeopleDeps, { address, headers }: FastifyRequest, pid: string) {
  const caller = {
    address,
    cookies: headers.cookie,
    userAgent: headers['user-agent'],
    isProlonging: false,
    setCookie: () => {},
  };
  return async (): Promise<{ boardId: string; viewer: LiveViewer } | null> => {
    const board = await findBoard(deps.db.read, pid);
    const viewer = board && (await findViewer(new People(deps, caller, deps.accounts.of(caller)), board));
    return viewer && { boardId: board.id, viewer };
  };
}

function readQuery({ query }: FastifyRequest): { numbers: number[]; open: number | null } {
  const { posts, open } = query as Record<string, unknown>;
  return {
    numbers: typeof posts === 'string' && POSTS.test(posts) ? posts.split(',').map(Number) : [],
    open: typeof open === 'string' && POST.test(open) ? Number(open) : null,
  };
}
