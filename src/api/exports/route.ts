import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BoardRow } from '../../identity/board/board.ts';
import type { Admission, Gate } from '../../identity/keys/access.ts';
import { actorHeadersOf, apiKeyOf, requirePermission, sendRefusal, sendWindows } from '../../identity/keys/request.ts';
import type { Actors } from '../../identity/users/actors.ts';
import type { UserRow } from '../../identity/users/users.ts';
import { type ExportFormat, exportBoard, exportFormats, exportHeaders } from '../../operations/exports/export.ts';
import type { Db } from '../../platform/db/db.ts';
import { AppError, badRequest } from '../../platform/errors.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';

/** The parts that the export is made of. */
export type ExportDeps = { db: Db; clock: Clock; log: Logger; baseUrl: string; gate: Gate; actors: Actors };

/** Serves a board as `/api/csv` and `/api/jsonl`. A spreadsheet can send no headers, so the key may be in the address. */
export function exportRoutes(app: FastifyInstance, deps: ExportDeps): void {
  for (const format of exportFormats) {
    app.get(`/api/${format}`, { exposeHeadRoute: false }, async (request, reply) => {
      reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
      try {
        const apiKey = apiKeyOf(request) ?? parameterOf(request, 'apikey');
        const admission = await deps.gate.admit({ apiKey, address: request.ip });
        return await counted(deps, admission, () => serve(deps, format, admission, request, reply));
      } catch (error) {
        sendRefusal(reply, error, deps.clock.now());
        throw error;
      }
    });
  }
}

/** The result is known once the response begins. */
async function counted<T>({ gate }: ExportDeps, admission: Admission, work: () => Promise<T>): Promise<T> {
  try {
    const answer = await work();
    gate.countAnswer(admission, undefined);
    return answer;
  } catch (error) {
    gate.countAnswer(admission, error instanceof AppError ? error.code : 'INTERNAL_SERVER_ERROR');
    throw error;
  }
}

async function serve(
  deps: ExportDeps,
  format: ExportFormat,
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, clock, gate, log, baseUrl } = deps;
  const { board, key } = admission;
  if (key.rateRules.length > 0) sendWindows(reply, gate.windowsOf(key), clock.now());
  requirePermission(admission, 'READ', 'an export');
  const options = {
    format,
    viewer: await findViewer(deps, request, board, key.defaultUserId),
    comments: flagOf(request, 'comments'),
    votes: flagOf(request, 'votes'),
  };
  const context = { db, clock, baseUrl, board };
  const stream = Readable.from(exportBoard(context, options), { objectMode: false });
  stream.on('error', (err) => log.error({ requestId: request.id, err }, 'An export was interrupted'));
  return reply.headers(exportHeaders(context, format)).send(stream);
}

/** The user in the headers, or the key's own; without either the export has what every member may see. */
async function findViewer(
  { actors }: ExportDeps,
  request: FastifyRequest,
  board: BoardRow,
  defaultUserId: string | null,
): Promise<UserRow | null> {
  const headers = actorHeadersOf(request);
  if (!headers.ssotype && !headers.ssoid && !headers.userid && defaultUserId === null) return null;
  const viewer = await actors.find(board, headers, defaultUserId);
  if (viewer instanceof AppError) throw viewer;
  return viewer;
}

function flagOf(request: FastifyRequest, name: string): boolean {
  const value = parameterOf(request, name) ?? 'false';
  if (value !== 'true' && value !== 'false') throw badRequest(`${name} must be true or false`, name);
  return value === 'true';
}

function parameterOf(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name];
  if (Array.isArray(value)) throw badRequest(`${name} is in the URL more than once`, name);
  return value;
}
