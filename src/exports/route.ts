import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../db/db.ts';
import { AppError, badRequest } from '../errors.ts';
import type { Gate } from '../keys/access.ts';
import { actorHeadersOf, apiKeyOf, requirePermission, sendRefusal, sendWindows } from '../keys/request.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import type { Actors } from '../users/actors.ts';
import type { UserRow } from '../users/users.ts';
import { type ExportFormat, exportBoard } from './export.ts';

/** The parts that the export is made of. */
export type ExportDeps = { db: Db; clock: Clock; log: Logger; baseUrl: string; gate: Gate; actors: Actors };

const mediaTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
};

/** Serves a board as `/api/csv` and `/api/jsonl`. A spreadsheet can send no headers, so the key may be in the address. */
export function exportRoutes(app: FastifyInstance, deps: ExportDeps): void {
  for (const format of ['csv', 'jsonl'] as const) {
    app.get(`/api/${format}`, { exposeHeadRoute: false }, async (request, reply) => {
      reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
      try {
        return await serve(deps, format, request, reply);
      } catch (error) {
        sendRefusal(reply, error, deps.clock.now());
        throw error;
      }
    });
  }
}

async function serve(
  deps: ExportDeps,
  format: ExportFormat,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, clock, gate, log, baseUrl } = deps;
  const apiKey = apiKeyOf(request) ?? parameterOf(request, 'apikey');
  const admission = await gate.admit({ apiKey, address: request.ip });
  const { board, key } = admission;
  if (key.rateRules.length > 0) sendWindows(reply, gate.windowsOf(key), clock.now());
  requirePermission(admission, 'READ', 'an export');
  const options = {
    format,
    viewer: await findViewer(deps, request, board.id, key.defaultUserId),
    comments: flagOf(request, 'comments'),
    votes: flagOf(request, 'votes'),
  };
  const stream = Readable.from(exportBoard({ db, clock, baseUrl, board }, options), { objectMode: false });
  stream.on('error', (err) => log.error({ requestId: request.id, err }, 'An export broke off'));
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  return reply
    .header('content-disposition', `attachment; filename="${board.pid}-${day}.${format}"`)
    .type(mediaTypes[format])
    .send(stream);
}

/** The user in the headers, or the key's own; without either the export has what every member may see. */
async function findViewer(
  { actors }: ExportDeps,
  request: FastifyRequest,
  boardId: string,
  defaultUserId: string | null,
): Promise<UserRow | null> {
  const headers = actorHeadersOf(request);
  if (!headers.ssotype && !headers.ssoid && !headers.userid && defaultUserId === null) return null;
  const viewer = await actors.find(boardId, headers, defaultUserId);
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
  if (Array.isArray(value)) throw badRequest(`${name} is in the address more than once`, name);
  return value;
}
