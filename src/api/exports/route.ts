import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admission, Gate } from '../../identity/keys/gate.ts';
import { actorHeadersOf, apiKeyOf, requirePermission } from '../../identity/keys/request.ts';
import type { Actors } from '../../identity/users/actors.ts';
import { type ExportFormat, exportBoard, exportHeaders } from '../../operations/exports/export.ts';
import type { Db } from '../../platform/db/db.ts';
import { badRequest } from '../../platform/errors.ts';
import { allowAnyOrigin } from '../../platform/http/any-origin.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { parameterOf } from '../url-parameter.ts';
import { findViewer } from '../viewer.ts';
import { withKey } from '../with-key.ts';

type ExportDeps = { db: Db; clock: Clock; log: Logger; baseUrl: string; gate: Gate; actors: Actors };

/** Where a board is exported; some spreadsheets load only what ends in `.csv`. */
const PATHS = {
  '/api/csv': 'csv',
  '/api/board.csv': 'csv',
  '/api/jsonl': 'jsonl',
} as const satisfies Record<string, ExportFormat>;

/** Serves the exports of a board. A spreadsheet can send no headers, so the key may be in the address. */
export function exportRoutes(app: FastifyInstance, deps: ExportDeps): void {
  allowAnyOrigin(app, Object.fromEntries(Object.keys(PATHS).map((path) => [path, 'GET, HEAD'])));
  for (const [url, format] of Object.entries(PATHS)) {
    app.route({
      // Fastify's own HEAD would read the whole board.
      method: ['GET', 'HEAD'],
      url,
      async handler(request, reply) {
        reply.header('referrer-policy', 'no-referrer');
        const apiKey = apiKeyOf(request) ?? parameterOf(request, 'apikey');
        return withKey(deps, request, reply, (admission) => serve(deps, format, admission, request, reply), { apiKey });
      },
    });
  }
}

async function serve(
  deps: ExportDeps,
  format: ExportFormat,
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, clock, log, baseUrl } = deps;
  const { board, key } = admission;
  requirePermission(admission, 'READ', 'an export');
  const options = {
    format,
    viewer: await findViewer(deps.actors, actorHeadersOf(request), board, key),
    comments: flagOf(request, 'comments'),
    votes: flagOf(request, 'votes'),
    hasByteOrderMark: format === 'csv' && flagOf(request, 'bom'),
  };
  const context = { db, clock, baseUrl, board };
  reply.headers(exportHeaders(context, format));
  if (request.method === 'HEAD') return reply.send();
  const stream = Readable.from(exportBoard(context, options), { objectMode: false });
  stream.on('error', (err) => log.error({ requestId: request.id, err }, 'An export was interrupted'));
  return reply.send(stream);
}

function flagOf(request: FastifyRequest, name: string): boolean {
  const value = parameterOf(request, name) ?? 'false';
  if (value !== 'true' && value !== 'false') throw badRequest(`${name} must be true or false`, name);
  return value === 'true';
}
