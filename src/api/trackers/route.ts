import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findBoard } from '../../identity/board/board.ts';
import { sendRefusal } from '../../identity/keys/request.ts';
import { hearTracker } from '../../operations/trackers/hearing.ts';
import { TRACKERS_PATH } from '../../operations/trackers/trackers.ts';
import type { Db } from '../../platform/db/db.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { readBytes } from '../../platform/http/body.ts';
import { networkOf } from '../../platform/http/ip.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { isId } from '../../platform/lib/ids.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { BAD_SIGNATURES, NetworkLimit } from '../../platform/limits/network-limit.ts';
import type { Sender } from '../../webhooks/http/sender.ts';

/** The text of an issue has 65,536 characters, that of a release twice as many; each comes with what it belongs to. */
const MAX_BODY = 2 * 1_048_576;

type Params = { Params: { pid: string; id: string } };

type Deps = { db: Db; clock: Clock; log: Logger; sender: Sender; config: { baseUrl: string } };

/** Takes the requests with which issue trackers tell of changes. */
export function trackerRoutes(app: FastifyInstance, { db, clock, log, sender, config }: Deps): void {
  const unsigned = new NetworkLimit(clock, BAD_SIGNATURES);
  const hear = async (request: FastifyRequest<Params>): Promise<number> => {
    const { pid, id } = request.params;
    // Others may send from the network of a tracker, too: theirs count for the webhook that they name.
    const from = `${id} ${networkOf(request.address)}`;
    unsigned.require(from);
    const body = await readBytes(request, MAX_BODY);
    const board = await findBoard(db.read, pid);
    if (!board || !isId(id)) throw notFound('Tracker');
    const context = { db, clock, baseUrl: config.baseUrl, board };
    try {
      return await hearTracker(context, sender.cipher, id, { headers: request.headers, body });
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHENTICATED') unsigned.count(from);
      throw error;
    }
  };
  app.post<Params>(`${TRACKERS_PATH}/:pid/:id`, async (request, reply) => {
    const named = await hear(request).catch((error: unknown) => {
      sendRefusal(reply, error, clock.now());
      throw error;
    });
    log.info({ tracker: request.params.id, named }, 'tracker in');
    // Linear takes no other status for an acceptance.
    return reply.code(200).header('cache-control', 'no-store').send();
  });
}
