import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EventRow } from '../../events/events.ts';
import { cursorAfter } from '../../feedback/event-log/cursor.ts';
import { requireEventTypes } from '../../feedback/event-log/event-types.ts';
import type { Admission } from '../../identity/keys/gate.ts';
import { badRequest } from '../../platform/errors.ts';
import { allowAnyOrigin } from '../../platform/http/any-origin.ts';
import { parameterOf } from '../url-parameter.ts';
import { withKey } from '../with-key.ts';
import { pauseFor, STREAM_TYPE } from './media-type.ts';
import type { Followed, Form, StreamDeps, Streams } from './streams.ts';

export const STREAM_PATH = '/api/v1/events';
/** Characters of the list of types: all of them fit. */
const MAX_TYPES = 1_000;

type RouteDeps = Pick<StreamDeps, 'clock' | 'gate'> & { streams: Streams };

/**
 * Serves the event log of a board as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html):
 * the same events in the same order as the query `events`, without a gap from the cursor in `Last-Event-ID`.
 */
export function streamRoute(app: FastifyInstance, deps: RouteDeps): void {
  allowAnyOrigin(app, { [STREAM_PATH]: 'GET' });
  app.get(STREAM_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    try {
      const follow = (admission: Admission) =>
        deps.streams.open(request, reply, admission, followedBy(request), asWebhooksHaveThem);
      const stream = await withKey(deps, request, reply, follow);
      // A response to a client that has hung up would fail.
      if (reply.raw.destroyed) return reply.hijack();
      return reply.type(STREAM_TYPE).send(stream);
    } catch (error) {
      const pause = pauseFor(error, request.headers.accept);
      if (pause === null) throw error;
      return reply.type(STREAM_TYPE).send(pause);
    }
  });
}

/** As webhooks deliver them, with their ids. Bodies are ASCII in one line. */
const asWebhooksHaveThem: Form = {
  write: ({ seq, id, body }: EventRow) => `id: ${cursorAfter(seq)}\ndata: {"id":"${id}",${body.slice(1)}\n\n`,
  // The follower connects again, and is refused with the reason.
  refuse: () => '',
};

function followedBy(request: FastifyRequest): Followed {
  return { after: parameterOf(request, 'after'), types: typesOf(parameterOf(request, 'types')) };
}

function typesOf(names: string | undefined): readonly string[] | null {
  if (names === undefined) return null;
  if (names.length > MAX_TYPES) throw badRequest(`types must have at most ${MAX_TYPES} characters`, 'types');
  return requireEventTypes(names.split(','), 'types');
}
