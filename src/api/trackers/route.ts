import type { FastifyInstance } from 'fastify';
import { findBoard } from '../../identity/board/board.ts';
import { hearTracker } from '../../operations/trackers/hearing.ts';
import { TRACKERS_PATH } from '../../operations/trackers/trackers.ts';
import type { Db } from '../../platform/db/db.ts';
import { notFound } from '../../platform/errors.ts';
import { readBytes } from '../../platform/http/body.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { isId } from '../../platform/lib/ids.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { Sender } from '../../webhooks/http/sender.ts';

/** The text of an issue has 65,536 characters, that of a release twice as many; each comes with what it belongs to. */
const MAX_BODY = 2 * 1_048_576;

type Deps = { db: Db; clock: Clock; log: Logger; sender: Sender; config: { baseUrl: string } };

/** Takes the requests with which issue trackers tell of changes. */
export function trackerRoutes(app: FastifyInstance, { db, clock, log, sender, config }: Deps): void {
  app.post<{ Params: { pid: string; id: string } }>(`${TRACKERS_PATH}/:pid/:id`, async (request, reply) => {
    const body = await readBytes(request, MAX_BODY);
    const { pid, id } = request.params;
    const board = await findBoard(db.read, pid);
    if (!board || !isId(id)) throw notFound('Tracker');
    const context = { db, clock, baseUrl: config.baseUrl, board };
    const named = await hearTracker(context, sender.cipher, id, { headers: request.headers, body });
    log.info({ tracker: id, named }, 'tracker in');
    // Linear takes no other status for an acceptance.
    return reply.code(200).header('cache-control', 'no-store').send();
  });
}
